//! Code of a corpus that does the same as a query, found by its vectors.

use familiar_index::vectors::{EncodedFragment, VectorError, VectorIndex};
use familiar_model::{Code, Encoder};
use familiar_search::find::{BlobMatch, Piece};
use familiar_source::{Language, Span};
use familiar_store::{SegmentFile, SegmentKind};

use crate::CorpusError;
use crate::find_options::FindOptions;
use crate::library::Library;
use crate::query::CodeQuery;
use crate::vectors::lacks_vectors;

/// Vectors that are looked at for each function of a query, in each file.
const NEAREST: usize = 64;

impl Library {
    /// Opens the vectors of the corpus, which `encoder` must have made of all that is there.
    pub fn open_vectors(&mut self, encoder: &dyn Encoder) -> Result<(), CorpusError> {
        self.check_vectors(encoder)?;
        let folder = self.corpus.folder();
        let files = self.corpus.manifest().segments().filter(|file| file.kind == SegmentKind::Vectors);
        let open = |file: &SegmentFile| VectorIndex::open(&folder.join(&file.file), encoder.name());
        self.vectors = files.map(open).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Fails where the corpus lacks vectors, or has those of another encoder.
    pub fn check_vectors(&self, encoder: &dyn Encoder) -> Result<(), CorpusError> {
        let folder = || self.corpus.folder().to_owned();
        let manifest = self.corpus.manifest();
        let Some(made_by) = &manifest.vectors else {
            return Err(CorpusError::NoVectors { folder: folder() });
        };
        if manifest.parts.iter().any(lacks_vectors) {
            return Err(CorpusError::SomeVectors { folder: folder() });
        }
        if made_by != encoder.name() {
            let (expected, found) = (encoder.name().to_owned(), made_by.clone());
            return Err(VectorError::Encoder { path: folder(), expected, found }.into());
        }
        Ok(())
    }

    /// Adds to `blob_text` the functions that probably do the same as a function of the query, in languages that are wanted.
    pub(crate) fn add_similar(
        &self,
        code_query: &CodeQuery,
        encoder: &dyn Encoder,
        options: &FindOptions,
        wants: &dyn Fn(&str) -> bool,
        found: &mut Vec<BlobMatch>,
    ) -> Result<(), CorpusError> {
        let code = |text| Code { language: code_query.language, text };
        let codes: Vec<Code<'_>> = code_query.functions.iter().map(|function| code(&function.text)).collect();
        let vectors = encoder.encode(&codes)?;
        for (function, vector) in code_query.functions.iter().zip(vectors.rows()) {
            let question =
                Question { vector, language: code_query.language, tokens: function.tokens, encoder, wants };
            for index in &self.vectors {
                for neighbor in index.nearest(vector, NEAREST) {
                    let theirs = index.vector(neighbor.number).unwrap_or_default();
                    for owner in EncodedFragment::of(index.notes(), neighbor.number) {
                        let Some(matched) = self.similar(&question, owner, &theirs, neighbor.cosine)? else {
                            continue;
                        };
                        if f64::from(matched.pieces[0].similarity) >= options.confidence {
                            add(found, matched);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A function with the vector `theirs` as what a blob has of the query; none where its language is not wanted.
    fn similar(
        &self,
        question: &Question<'_>,
        owner: EncodedFragment,
        theirs: &[f32],
        cosine: f32,
    ) -> Result<Option<BlobMatch>, CorpusError> {
        let Some((segment, record)) = self.blob(&owner.blob)? else { return Ok(None) };
        let label = self.code[segment].label(&record)?;
        let Some(language) = Language::from_name(label).filter(|_| (question.wants)(label)) else {
            return Ok(None);
        };
        let fragments = self.code[segment].fragments_of(&record)?;
        let Some(fragment) = fragments.get(owner.ordinal as usize) else { return Ok(None) };
        let encoder = question.encoder;
        let crowdings =
            [encoder.crowding(question.vector, language), encoder.crowding(theirs, question.language)];
        let curve = encoder.calibration().of(language.family() != question.language.family());
        let piece = Piece {
            query: question.tokens,
            blob: Span::new(fragment.first, fragment.first + fragment.tokens),
            clone_type: 4,
            similarity: curve.probability(f64::from(cosine), crowdings) as f32,
            extent: question.tokens.len(),
        };
        Ok(Some(BlobMatch { segment, record, pieces: vec![piece] }))
    }
}

/// A function that is looked for.
struct Question<'q> {
    vector: &'q [f32],
    language: Language,
    tokens: Span,
    encoder: &'q dyn Encoder,
    wants: &'q dyn Fn(&str) -> bool,
}

/// Adds what a blob has of the query to what is known of the blob.
fn add(found: &mut Vec<BlobMatch>, matched: BlobMatch) {
    match found.iter_mut().find(|known| known.record.id == matched.record.id) {
        Some(known) => known.pieces.extend(matched.pieces),
        None => found.push(matched),
    }
}
