//! Fragments to vectors: read once more, and encoded some files at a time.

use std::borrow::Cow;

use familiar_files::input::Input;
use familiar_index::Collection;
use familiar_index::vectors::{FragmentVectors, VectorIndex, VectorIndexBuilder};
use familiar_model::{Code, Encoder, is_distinctive};
use familiar_source::Language;
use familiar_syntax::{Parser, Want, decode};
use rayon::prelude::*;

use super::crowding::Crowding;
use crate::error::DetectError;
use crate::ingest::FileInfo;
use crate::memory::Memory;
use crate::reading::Reading;

/// Files whose fragments are encoded together.
const FILES: usize = 64;

/// The vectors that one encoder made of fragments, numbered in the fragments' order.
pub(super) struct Encoded<'e> {
    pub(super) index: VectorIndexBuilder,
    pub(super) judge: Judge<'e>,
}

/// How sure vectors make.
pub(super) struct Judge<'e> {
    encoder: &'e dyn Encoder,
    crowding: Crowding,
}

impl Judge<'_> {
    /// How sure the encoder is of a pair of vectors by their numbers, of fragments in these languages, whose cosine this is.
    pub(super) fn probability(&self, numbers: [u32; 2], [a, b]: [Language; 2], cosine: f32) -> f64 {
        let crowdings = [self.crowding.of(numbers[0], b), self.crowding.of(numbers[1], a)];
        self.encoder.calibration().of(a.family() != b.family()).probability(f64::from(cosine), crowdings)
    }

    /// The least cosine at which any pair here has the probability `least`.
    pub(super) fn least_cosine(&self, least: f64, cross_families: bool) -> f32 {
        let calibration = self.encoder.calibration();
        let cosine = |across| calibration.of(across).cosine(least, [self.crowding.least; 2]);
        (if cross_families { cosine(false).min(cosine(true)) } else { cosine(false) }) as f32
    }
}

/// What is encoded, and what the encoder made of it before.
pub(crate) struct Encoding<'b> {
    pub(crate) input: &'b Input,
    pub(crate) files: &'b [FileInfo],
    pub(crate) reading: &'b Reading,
    /// Vectors that were made before, and the name of the encoder that made them.
    pub(crate) stored: Option<(&'b FragmentVectors, &'b str)>,
    /// Whether languages of different families are compared.
    pub(crate) cross_families: bool,
    pub(crate) memory: Memory,
}

impl Encoding<'_> {
    /// The vectors of `fragments`, which ascend, by `encoder`, as they are stored where they are; zero where a file is no longer what it was, and, unless `all` are
    /// wanted, for a fragment that hardly does anything.
    pub(super) fn encoded<'e>(
        &self,
        encoder: &'e dyn Encoder,
        collection: &Collection,
        fragments: &[u32],
        all: bool,
    ) -> Result<Encoded<'e>, DetectError> {
        let stored = self.stored.filter(|(_, by)| encoder.name() == *by).map(|(vectors, _)| vectors);
        let find = |number: u32| self.find(stored?, collection, number);
        let beside = self.stored.map_or(0, |(vectors, _)| vectors.memory());
        self.memory.check_vectors(fragments.len(), encoder.dimensions(), beside)?;
        let mut crowding = Crowding::new(encoder, self.files, self.cross_families);
        let file = |number: u32| collection.fragments[number as usize].file;
        let files: Vec<&[u32]> = fragments.chunk_by(|&a, &b| file(a) == file(b)).collect();
        let mut index = VectorIndexBuilder::new(encoder.dimensions(), encoder.name());
        for files in files.chunks(FILES) {
            let texts: Vec<Vec<Vec<u8>>> = files
                .par_iter()
                .map_init(
                    || self.reading.parser(),
                    |parser, numbers| {
                        let wants = |number: u32| find(number).is_none();
                        self.texts(collection, numbers, all, wants, parser)
                    },
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
            let vectors = encoder.encode(&codes)?;
            let known: Vec<_> =
                files.iter().flat_map(|numbers| *numbers).map(|&number| find(number)).collect();
            let rows = vectors.rows().zip(&known).map(|(row, known)| {
                let stored = known.and_then(|(index, number)| index.vector(number));
                stored.map_or(Cow::Borrowed(row), Cow::Owned)
            });
            let rows: Vec<Cow<'_, [f32]>> = rows.collect();
            crowding.extend(encoder, &rows, &codes);
            for (row, known) in rows.iter().zip(known) {
                match known {
                    Some((from, number)) => index.push_stored(from, number)?,
                    None => index.push(row)?,
                };
            }
        }
        Ok(Encoded { index, judge: Judge { encoder, crowding } })
    }

    /// What is stored of a fragment.
    fn find<'s>(
        &self,
        stored: &'s FragmentVectors,
        collection: &Collection,
        number: u32,
    ) -> Option<(&'s VectorIndex, u32)> {
        let entry = &collection.fragments[number as usize];
        let document = self.files[entry.file as usize].document;
        stored.find(self.input.blob(document)?.0, entry.ordinal)
    }

    /// The texts of those fragments of one file that `wants` names, empty where they cannot be had and, unless `all` are wanted, where
    /// they hardly do anything.
    fn texts(
        &self,
        collection: &Collection,
        numbers: &[u32],
        all: bool,
        wants: impl Fn(u32) -> bool,
        parser: &mut Parser,
    ) -> Vec<Vec<u8>> {
        if !numbers.iter().any(|&number| wants(number)) {
            return vec![Vec::new(); numbers.len()];
        }
        let info = &self.files[collection.fragments[numbers[0] as usize].file as usize];
        let bytes = self.reading.read(self.input, info.document).unwrap_or_default();
        let Ok(decoded) = decode::decode(&bytes) else { return vec![Vec::new(); numbers.len()] };
        let parsed = parser.parse(info.language, &decoded.text, Want { fragments: true, line_starts: true });
        let text = |&number: &u32| {
            if !wants(number) {
                return Vec::new();
            }
            let entry = &collection.fragments[number as usize];
            let found = parsed.fragments.get(entry.ordinal as usize);
            let same = found.filter(|fragment| fragment.tokens.len() == entry.tokens);
            let does = same.filter(|fragment| {
                all || is_distinctive(info.language, &decoded.text, &parsed.tokens[fragment.tokens.range()])
            });
            does.map(|fragment| decoded.text[fragment.bytes.range()].to_vec()).unwrap_or_default()
        };
        numbers.iter().map(text).collect()
    }
}
