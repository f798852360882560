//! Type-4 and cross-language clones: fragments whose vectors lie close together.
//!
//! One vector is made for each normal form. Neighbours are looked for among all of them, and the cosine of two is read as
//! the probability that they do the same, as the encoder was calibrated.

use std::io;

use familiar_index::Collection;
use familiar_index::vectors::{VectorIndex, VectorIndexBuilder};
use familiar_model::{Code, EncodeError, Encoder, Sequence};
use familiar_search::Link;
use familiar_search::equal::Equal;
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

/// Files whose fragments are encoded together.
const FILES: usize = 64;

/// What is needed to find fragments that do the same.
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
        self.memory.check_vectors(nodes.len(), self.encoder.dimensions())?;
        let fragments: Vec<u32> = nodes.iter().map(|&node| equal.nodes[node as usize][0]).collect();
        let index = self.index(collection, &fragments)?;
        let calibration = self.encoder.calibration();
        let least = [false, true].map(|across| calibration.of(across).cosine(self.confidence));
        let of = |number: u32| &collection.fragments[fragments[number as usize] as usize];
        let link = |left: u32, right: u32, cosine: f64| {
            let [a, b] = [of(left), of(right)].map(|fragment| &collection.files[fragment.file as usize]);
            let across = a.family != b.family;
            let wanted = (self.cross_families || !across)
                && a.side.pairs_with(b.side)
                && cosine >= least[usize::from(across)];
            wanted.then(|| Link {
                left: nodes[left as usize],
                right: nodes[right as usize],
                clone_type: 4,
                similarity: calibration.of(across).probability(cosine),
            })
        };
        let least = if self.cross_families { least[0].min(least[1]) } else { least[0] };
        let pairs = index.pairs(least as f32, NEIGHBORS);
        Ok(pairs
            .into_iter()
            .filter_map(|(left, right, cosine)| link(left, right, f64::from(cosine)))
            .collect())
    }

    /// The vectors of `fragments`, which ascend; zero where a file is no longer what it was.
    fn index(&self, collection: &Collection, fragments: &[u32]) -> io::Result<VectorIndex> {
        let file = |number: u32| collection.fragments[number as usize].file;
        let files: Vec<&[u32]> = fragments.chunk_by(|&a, &b| file(a) == file(b)).collect();
        let mut index = VectorIndexBuilder::new(self.encoder.dimensions(), self.encoder.name());
        for files in files.chunks(FILES) {
            let texts: Vec<Vec<Vec<u8>>> = files
                .par_iter()
                .map_init(|| self.reading.parser(), |parser, numbers| self.texts(collection, numbers, parser))
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
            for vector in vectors.rows() {
                index.push(vector).map_err(io::Error::other)?;
            }
        }
        Ok(index.build())
    }

    /// The texts of fragments of one file, empty where they cannot be had or hardly do anything.
    fn texts(&self, collection: &Collection, numbers: &[u32], parser: &mut Parser) -> Vec<Vec<u8>> {
        let info = &self.files[collection.fragments[numbers[0] as usize].file as usize];
        let bytes = self.reading.read(self.input, info.document).unwrap_or_default();
        let Ok(decoded) = decode::decode(&bytes) else { return vec![Vec::new(); numbers.len()] };
        let parsed = parser.parse(info.language, &decoded.text, Want { fragments: true, line_starts: true });
        let text = |&number: &u32| {
            let entry = &collection.fragments[number as usize];
            let found = parsed.fragments.get(entry.ordinal as usize);
            let same = found.filter(|fragment| fragment.tokens.len() == entry.tokens);
            let does = same.filter(|fragment| {
                let tokens = &parsed.tokens[fragment.tokens.range()];
                Sequence::new(info.language, &decoded.text, tokens).body_statements() >= BODY
            });
            does.map(|fragment| decoded.text[fragment.bytes.range()].to_vec()).unwrap_or_default()
        };
        numbers.iter().map(text).collect()
    }
}

/// The first node of each twin group.
fn first_of_twins(equal: &Equal) -> Vec<u32> {
    let mut seen = vec![false; equal.nodes.len()];
    let is_first = |&node: &u32| !std::mem::replace(&mut seen[equal.twins[node as usize] as usize], true);
    (0..equal.nodes.len() as u32).filter(is_first).collect()
}
