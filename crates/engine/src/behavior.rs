//! Type-4 and cross-language clones: fragments whose vectors lie close together; and which Type-3 clones do so too.
//!
//! One vector is made for each normal form. Neighbours are looked for among all of them, and the cosine of two, relative to how
//! near each has code that has nothing to do with it, is read as the probability that they do the same, as the encoder was
//! calibrated.

use std::io;

use familiar_index::Collection;
use familiar_index::vectors::VectorIndexBuilder;
use familiar_model::{Code, EncodeError, Encoder, Sequence, Vectors};
use familiar_search::Link;
use familiar_search::equal::Equal;
use familiar_source::{Language, Token, TokenClass};
use familiar_syntax::{Parser, Want, decode};
use rayon::prelude::*;

use crate::ingest::{FileInfo, Reading};
use crate::input::Input;
use crate::memory::Memory;

/// The encoder gave no vectors.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct EncoderError(EncodeError);

/// Most neighbours of one fragment that count.
const NEIGHBORS: usize = 20;

/// Least statements in the body of a fragment: what hardly does anything is like everything else that hardly does anything.
const BODY: usize = 4;

/// Of so many tokens at most one is a value: a table does nothing, and is like every other.
const VALUES: usize = 3;

/// Files whose fragments are encoded together.
const FILES: usize = 64;

/// What is needed to tell whether fragments do the same.
pub(crate) struct Behavior<'b> {
    pub(crate) encoder: &'b dyn Encoder,
    pub(crate) input: &'b Input,
    pub(crate) files: &'b [FileInfo],
    pub(crate) reading: &'b Reading,
    /// Least probability of a pair.
    pub(crate) confidence: f64,
    pub(crate) cross_families: bool,
    pub(crate) memory: Memory,
}

impl Behavior<'_> {
    /// Pairs of nodes of `equal` that probably do the same, each node stood for by the first of its twins. Fails where the
    /// encoder does, and where the vectors take more than the memory.
    pub(crate) fn links(&self, collection: &Collection, equal: &Equal) -> io::Result<Vec<Link>> {
        let nodes = first_of_twins(equal);
        let fragments: Vec<u32> = nodes.iter().map(|&node| equal.nodes[node as usize][0]).collect();
        let (index, crowding) = self.vectors(collection, &fragments, false)?;
        let index = index.build();
        let file = |number: u32| collection.fragments[fragments[number as usize] as usize].file;
        let link = |left: u32, right: u32, cosine: f32| {
            let files = [file(left), file(right)];
            let [a, b] = files.map(|file| &collection.files[file as usize]);
            if a.family != b.family && !self.cross_families || !a.side.pairs_with(b.side) {
                return None;
            }
            let probability = self.probability([left, right], files, cosine, &crowding);
            (probability >= self.confidence).then(|| Link {
                left: nodes[left as usize],
                right: nodes[right as usize],
                clone_type: 4,
                similarity: probability,
            })
        };
        let calibration = self.encoder.calibration();
        let cosine = |across| calibration.of(across).cosine(self.confidence, [crowding.least; 2]);
        let least = if self.cross_families { cosine(false).min(cosine(true)) } else { cosine(false) };
        let pairs = index.pairs(least as f32, NEIGHBORS);
        Ok(pairs.into_iter().filter_map(|(left, right, cosine)| link(left, right, cosine)).collect())
    }

    /// Of `links` those that are not of type 3, those whose probability is `least` and more, and those of which nothing can be said.
    /// Fails as [`Behavior::links`] does.
    pub(crate) fn validated(
        &self,
        collection: &Collection,
        equal: &Equal,
        mut links: Vec<Link>,
        least: f64,
    ) -> io::Result<Vec<Link>> {
        let edited = links.iter().filter(|link| link.clone_type == 3);
        let first = |node: u32| equal.nodes[node as usize][0];
        let mut fragments: Vec<u32> = edited.flat_map(|link| [first(link.left), first(link.right)]).collect();
        fragments.sort_unstable();
        fragments.dedup();
        let (vectors, crowding) = self.vectors(collection, &fragments, true)?;
        links.retain(|link| {
            let pair = [link.left, link.right].map(first);
            let numbers = pair.map(|fragment| fragments.binary_search(&fragment).unwrap_or_default() as u32);
            let files = pair.map(|fragment| collection.fragments[fragment as usize].file);
            let cosine = (link.clone_type == 3).then(|| vectors.cosine(numbers[0], numbers[1])).flatten();
            cosine.is_none_or(|cosine| self.probability(numbers, files, cosine, &crowding) >= least)
        });
        Ok(links)
    }

    /// How sure the encoder is of a pair of vectors, by their numbers, of fragments of these files.
    fn probability(&self, numbers: [u32; 2], files: [u32; 2], cosine: f32, crowding: &Crowding) -> f64 {
        let [a, b] = files.map(|file| self.files[file as usize].language);
        let calibration = self.encoder.calibration();
        let crowdings = [crowding.of(numbers[0], b), crowding.of(numbers[1], a)];
        calibration.of(a.family() != b.family()).probability(f64::from(cosine), crowdings)
    }

    /// The vectors of `fragments`, which ascend, and how crowded their places are; zero where a file is no longer what it
    /// was, and, unless `all` are wanted, for a fragment that hardly does anything.
    fn vectors(
        &self,
        collection: &Collection,
        fragments: &[u32],
        all: bool,
    ) -> io::Result<(VectorIndexBuilder, Crowding)> {
        self.memory.check_vectors(fragments.len(), self.encoder.dimensions())?;
        let mut crowding = Crowding::new(self.encoder, self.files, self.cross_families);
        let file = |number: u32| collection.fragments[number as usize].file;
        let files: Vec<&[u32]> = fragments.chunk_by(|&a, &b| file(a) == file(b)).collect();
        let mut index = VectorIndexBuilder::new(self.encoder.dimensions(), self.encoder.name());
        for files in files.chunks(FILES) {
            let texts: Vec<Vec<Vec<u8>>> = files
                .par_iter()
                .map_init(
                    || self.reading.parser(),
                    |parser, numbers| self.texts(collection, numbers, all, parser),
                )
                .collect();
            let codes: Vec<Code<'_>> = files
                .iter()
                .zip(&texts)
                .flat_map(|(numbers, texts)| {
                    let language = self.files[file(numbers[0]) as usize].language;
                    texts.iter().map(move |text| Code { language, text })
                })
                .collect();
            let vectors =
                self.encoder.encode(&codes).map_err(|error| io::Error::other(EncoderError(error)))?;
            crowding.extend(self.encoder, &vectors, &codes);
            for vector in vectors.rows() {
                index.push(vector).map_err(io::Error::other)?;
            }
        }
        Ok((index, crowding))
    }

    /// The texts of fragments of one file, empty where they cannot be had and, unless `all` are wanted, where they hardly do anything.
    fn texts(
        &self,
        collection: &Collection,
        numbers: &[u32],
        all: bool,
        parser: &mut Parser,
    ) -> Vec<Vec<u8>> {
        let info = &self.files[collection.fragments[numbers[0] as usize].file as usize];
        let bytes = self.reading.read(self.input, info.document).unwrap_or_default();
        let Ok(decoded) = decode::decode(&bytes) else { return vec![Vec::new(); numbers.len()] };
        let parsed = parser.parse(info.language, &decoded.text, Want { fragments: true, line_starts: true });
        let text = |&number: &u32| {
            let entry = &collection.fragments[number as usize];
            let found = parsed.fragments.get(entry.ordinal as usize);
            let same = found.filter(|fragment| fragment.tokens.len() == entry.tokens);
            let does = same.filter(|fragment| {
                all || does_something(info.language, &decoded.text, &parsed.tokens[fragment.tokens.range()])
            });
            does.map(|fragment| decoded.text[fragment.bytes.range()].to_vec()).unwrap_or_default()
        };
        numbers.iter().map(text).collect()
    }
}

/// How near each fragment has unrelated code, in each language that it may be compared with.
struct Crowding {
    languages: Vec<Language>,
    cross_families: bool,
    /// For each fragment one number for each language; not a number for languages that it is not compared with.
    values: Vec<f32>,
    /// The least of all that were asked for.
    least: f32,
}

impl Crowding {
    fn new(encoder: &dyn Encoder, files: &[FileInfo], cross_families: bool) -> Self {
        let mut languages: Vec<Language> = files.iter().map(|file| file.language).collect();
        languages.sort_unstable();
        languages.dedup();
        if !encoder.calibration().asks_for_crowding() {
            languages.clear();
        }
        Self { languages, cross_families, values: Vec::new(), least: 1.0 }
    }

    fn extend(&mut self, encoder: &dyn Encoder, vectors: &Vectors, codes: &[Code<'_>]) {
        let of = |(vector, code): (&[f32], &Code<'_>)| -> Vec<f32> {
            let is_zero = vector.iter().all(|&x| x == 0.0);
            let of = |&language: &Language| {
                let compared = self.cross_families || code.language.family() == language.family();
                if compared && !is_zero { encoder.crowding(vector, language) } else { f32::NAN }
            };
            self.languages.iter().map(of).collect()
        };
        let rows: Vec<&[f32]> = vectors.rows().collect();
        let more: Vec<f32> = rows.into_par_iter().zip(codes).flat_map_iter(of).collect();
        self.least = more.iter().fold(self.least, |least, &x| least.min(x));
        self.values.extend(more);
    }

    /// How near the fragment with this number has unrelated code of `language`.
    fn of(&self, number: u32, language: Language) -> f32 {
        let at = self.languages.binary_search(&language);
        at.map_or(0.0, |at| self.values[number as usize * self.languages.len() + at])
    }
}

/// Whether the `tokens` of a fragment do enough to be told from others.
pub(crate) fn does_something(language: Language, text: &[u8], tokens: &[Token]) -> bool {
    let is_value =
        |token: &&Token| matches!(token.class, TokenClass::Number | TokenClass::String | TokenClass::Char);
    tokens.iter().filter(is_value).count() * VALUES <= tokens.len()
        && Sequence::new(language, text, tokens).body_statements() >= BODY
}

/// The first node of each twin group.
fn first_of_twins(equal: &Equal) -> Vec<u32> {
    let mut seen = vec![false; equal.nodes.len()];
    let is_first = |&node: &u32| !std::mem::replace(&mut seen[equal.twins[node as usize] as usize], true);
    (0..equal.nodes.len() as u32).filter(is_first).collect()
}
