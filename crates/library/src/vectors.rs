//! Vectors of the functions of a corpus, made after the code is there.
//!
//! Functions of one blind form have one vector in a part. A part's vectors are in files of their own, each with the blobs and
//! fragments that its vectors stand for.

use std::path::Path;

use familiar_index::vectors::{EncodedFragment, VectorIndexBuilder};
use familiar_model::{Code, Encoder};
use familiar_source::{Fragment, FragmentKind, Language};
use familiar_store::tables::{Blobs, Table, TextRow, Texts};
use familiar_store::{Corpus, Part, SegmentFiles, SegmentKind, StoreError};
use familiar_syntax::Limits;
use familiar_syntax::normal::{self, Renamer, Renaming};
use familiar_syntax::{Parsed, Parser, Want, decode, regions};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::CorpusError;
use crate::memory;
use crate::opening::open_to_derive;
use familiar_source::Progress;

/// Fewest tokens of a function that has a vector.
const TOKENS: u32 = 40;

/// Whether a fragment is a function that does enough to be told from others.
pub(crate) fn is_distinctive(
    language: Language,
    text: &[u8],
    parsed: &Parsed<'_>,
    fragment: &Fragment,
) -> bool {
    fragment.kind == FragmentKind::Function
        && fragment.tokens.len() >= TOKENS
        && familiar_model::is_distinctive(language, text, &parsed.tokens[fragment.tokens.range()])
}

/// The name of what made the vectors of the corpus in `folder`, where there is one that has any.
pub fn made_by(folder: &Path) -> Result<Option<String>, CorpusError> {
    match Corpus::open(folder) {
        Ok(corpus) => Ok(corpus.manifest().vectors.clone()),
        Err(StoreError::None { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Makes the vectors that the corpus in `folder` lacks, by `encoder`, within `memory` bytes; those of another encoder go. What is
/// made counts part by part.
pub fn make(
    folder: &Path,
    encoder: &dyn Encoder,
    threads: usize,
    memory: usize,
    progress: &dyn Progress,
) -> Result<(), CorpusError> {
    let (pool, mut writer, corpus) = open_to_derive(folder, threads)?;
    writer.set_vectors(encoder.name());
    let missing = writer.manifest().parts.iter().filter(|part| lacks_vectors(part));
    let parts: Vec<u64> = missing.map(|part| part.number).collect();
    let bytes = |number: &u64| {
        let files = corpus.manifest().parts.iter().filter(|part| part.number == *number);
        files
            .flat_map(|part| &part.tables)
            .filter(|file| file.table == Texts::NAME)
            .map(|file| file.bytes)
            .sum::<u64>()
    };
    progress.stage("making vectors", parts.iter().map(bytes).sum());
    for number in parts {
        let files = writer.new_segments(number)?;
        let mut making = Making { encoder, files, memory, vectors: Vectors::new(encoder), written: 0 };
        pool.install(|| making.part(&corpus, number))?;
        progress.advance(bytes(&number));
        writer.add_segments(making.files);
        writer.commit()?;
    }
    // Also where nothing was missing: whose vectors they are may be new.
    if writer.manifest().vectors != corpus.manifest().vectors {
        writer.commit()?;
    }
    Ok(())
}

/// Whether a part has blobs and no vectors.
pub(crate) fn lacks_vectors(part: &Part) -> bool {
    part.tables.iter().any(|file| file.table == Blobs::NAME)
        && part.segments.iter().all(|file| file.kind != SegmentKind::Vectors)
}

/// Vectors that become one file.
struct Vectors {
    index: VectorIndexBuilder,
    /// By blind form.
    numbers: FxHashMap<u64, u32>,
    owners: Vec<EncodedFragment>,
}

impl Vectors {
    fn new(encoder: &dyn Encoder) -> Self {
        let index = VectorIndexBuilder::new(encoder.dimensions(), encoder.name());
        Self { index, numbers: FxHashMap::default(), owners: Vec::new() }
    }
}

/// One part whose vectors are made.
struct Making<'e> {
    encoder: &'e dyn Encoder,
    files: SegmentFiles,
    memory: usize,
    vectors: Vectors,
    written: usize,
}

/// A function of a blob: its blind form, which fragment it is, and its text.
type Function = (u64, u32, Vec<u8>);

impl Making<'_> {
    fn part(&mut self, corpus: &Corpus, number: u64) -> Result<(), CorpusError> {
        let (mut batch, mut bytes) = (Vec::new(), 0);
        for (row, text) in corpus.rows::<Blobs>(number).zip(corpus.rows::<Texts>(number)) {
            let (row, text) = (row?, text?);
            if row.blob != text.blob {
                return Err(CorpusError::Rebuild { blob: row.blob, reason: "its text is not the right one" });
            }
            let Some(language) = Language::from_name(row.language).filter(|_| row.artifact.is_none()) else {
                continue;
            };
            bytes += text.text.len();
            batch.push((language, text));
            if bytes >= familiar_source::memory::batch_budget(self.memory) {
                bytes = 0;
                self.batch(&std::mem::take(&mut batch))?;
            }
        }
        self.batch(&batch)?;
        // A part without functions has a file too, which says that they were looked for.
        if self.written == 0 || !self.vectors.owners.is_empty() {
            self.write()?;
        }
        Ok(())
    }

    fn batch(&mut self, batch: &[(Language, TextRow)]) -> Result<(), CorpusError> {
        let limits = Limits::of_memory(self.memory);
        let found: Vec<Vec<Function>> = batch
            .par_iter()
            .map_init(
                || (Parser::within(limits), Renamer::default(), Vec::new()),
                |(parser, renamer, blind), (language, row)| {
                    functions(*language, &row.text, parser, renamer, blind)
                },
            )
            .collect();
        let most = memory::vectors(self.memory, self.encoder.dimensions());
        let mut codes: Vec<Code<'_>> = Vec::new();
        for ((language, row), functions) in batch.iter().zip(&found) {
            for (form, ordinal, text) in functions {
                let next = self.vectors.numbers.len() as u32;
                let number = *self.vectors.numbers.entry(*form).or_insert(next);
                if number == next {
                    codes.push(Code { language: *language, text });
                }
                self.vectors.owners.push(EncodedFragment { number, blob: row.blob.0, ordinal: *ordinal });
            }
        }
        for vector in self.encoder.encode(&codes)?.rows() {
            self.vectors.index.push(vector)?;
        }
        if self.vectors.numbers.len() >= most { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), CorpusError> {
        let Vectors { index, mut owners, .. } =
            std::mem::replace(&mut self.vectors, Vectors::new(self.encoder));
        owners.sort_unstable();
        let mut notes = Vec::new();
        for owner in &owners {
            owner.write(&mut notes);
        }
        let written = index.build().with_notes(notes).write(&self.files.next())?;
        self.files.add(SegmentKind::Vectors, written.bytes, written.checksum, None);
        self.written += 1;
        Ok(())
    }
}

/// The functions of a blob that do enough to be told from others.
fn functions(
    language: Language,
    bytes: &[u8],
    parser: &mut Parser,
    renamer: &mut Renamer,
    blind: &mut Vec<u32>,
) -> Vec<Function> {
    let Ok(decoded) = decode::decode(bytes) else { return Vec::new() };
    let text = decoded.text;
    let parsed = parser.parse(language, &text, Want { fragments: true, line_starts: true });
    let text = regions::code(language, &text);
    renamer.rename(&normal::symbols(&text, parsed.tokens), Renaming::Blind, blind);
    let wanted = |fragment: &&Fragment| is_distinctive(language, &text, &parsed, fragment);
    (0u32..)
        .zip(parsed.fragments)
        .filter(|(_, fragment)| wanted(fragment))
        .map(|(ordinal, fragment)| {
            let form = normal::hash(&blind[fragment.tokens.range()]);
            (form, ordinal, text[fragment.bytes.range()].to_vec())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use familiar_corpus::{Limits, spec};
    use familiar_files::dir::WalkOptions;
    use familiar_model::{Builtin, Stage};

    use super::*;
    use crate::{AddOptions, Library, Reading, add};
    use familiar_source::Silent;

    #[test]
    fn what_has_no_vectors_yet_is_told_and_made_up_for() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let folder = dir.path().join("corpus");
        let fill = |name: &str| {
            let path = dir.path().join(name);
            let code = format!(
                "def {name}(a):\n    b = a + 1\n    c = b * a\n    if c > b:\n        c = b - a\n    return [b, c, a, b + c, b * c, {name}]\n"
            );
            std::fs::write(&path, code).expect("just made");
            let name = spec::canonical(path.to_str().expect("a plain name")).expect("it is there");
            let source = spec::source(&name, &WalkOptions::default()).expect("it is there");
            let reading = Reading { limits: Limits::default(), threads: 1, memory: 1 << 30 };
            let (base, exclude) = (BTreeSet::new(), Vec::new());
            let sources = vec![(name, source)];
            add(&AddOptions { folder: folder.clone(), sources, base, exclude, text: true, reading }, &Silent)
                .expect("the corpus can be written");
        };
        let encoder = Builtin::shipped().at_stage(Stage::Static);
        let open = || Library::open(&folder).expect("it is there").open_vectors(&encoder);
        fill("one.py");
        assert!(matches!(open(), Err(CorpusError::NoVectors { .. })));
        make(&folder, &encoder, 1, 1 << 30, &Silent).expect("the text is kept");
        assert!(open().is_ok());
        fill("two.py");
        assert!(matches!(open(), Err(CorpusError::SomeVectors { .. })));
        make(&folder, &encoder, 1, 1 << 30, &Silent).expect("the text is kept");
        assert!(open().is_ok());
        assert_eq!(made_by(&folder).expect("it is there").as_deref(), Some(encoder.name()));
    }

    #[test]
    fn owners_are_found_by_the_number_of_their_vector() {
        let owner = |number, ordinal| EncodedFragment { number, blob: [ordinal as u8; 20], ordinal };
        let owners = [owner(0, 3), owner(2, 1), owner(2, 4), owner(7, 0)];
        let mut notes = Vec::new();
        for owner in owners {
            owner.write(&mut notes);
        }
        let of = |number| EncodedFragment::of(&notes, number).collect::<Vec<_>>();
        assert_eq!(
            (of(0), of(2), of(7)),
            (owners[..1].to_vec(), owners[1..3].to_vec(), owners[3..].to_vec())
        );
        assert_eq!((of(1), of(8)), (Vec::new(), Vec::new()));
    }
}
