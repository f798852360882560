//! An index in memory: the nearest vectors of a vector, and pairs that are near each other.

use rayon::prelude::*;

use super::codes::Codes;
use super::exact;
use super::graph::{Graph, Seen};
use super::scored::Scored;

/// How many vectors a search through the graph keeps: more are found, and slower, with more.
const WIDTH: usize = 128;

/// A vector that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// Its place in the order of pushing.
    pub number: u32,
    pub cosine: f32,
}

/// Vectors of one encoder. Any number of threads may ask it.
#[derive(Debug)]
pub struct VectorIndex {
    pub(super) encoder: String,
    pub(super) vectors: u32,
    pub(super) codes: Codes,
    pub(super) graph: Option<Graph>,
    pub(super) notes: Vec<u8>,
}

impl VectorIndex {
    /// The same index with what whoever made it wants to know of its vectors, which is kept as it is.
    pub fn with_notes(self, notes: Vec<u8>) -> Self {
        Self { notes, ..self }
    }

    pub fn notes(&self) -> &[u8] {
        &self.notes
    }

    /// The vector of this number, of length 1 and rounded as it is stored; none where it had no direction.
    pub fn vector(&self, number: u32) -> Option<Vec<f32>> {
        Some(self.codes.unit(self.place(number)?))
    }

    pub(super) fn place(&self, number: u32) -> Option<u32> {
        let numbers = &self.codes.numbers;
        let place = match self.graph {
            None => numbers.binary_search(&number),
            Some(_) => numbers.binary_search_by_key(&order(number), |&other| order(other)),
        };
        Some(place.ok()? as u32)
    }

    /// The vectors with the greatest cosines with this one, of whatever length, the greatest first and equal ones by number;
    /// at most `most`. A vector of zeros has none, nor has one of other dimensions.
    pub fn nearest(&self, vector: &[f32], most: usize) -> Vec<Neighbor> {
        let Some(query) = self.codes.query(vector) else { return Vec::new() };
        let most = most.min(self.codes.len());
        let found = match &self.graph {
            None => exact::nearest(&self.codes, &query, self.codes.len(), most),
            Some(graph) => {
                let width = WIDTH.max(most * 2);
                let mut last = Vec::new();
                let mut seen = Seen::new(self.codes.len());
                let keep = |level: usize, found: &[Scored]| {
                    if level == 0 {
                        last = found.to_vec();
                    }
                };
                let width = |level| (level == 0).then_some(width);
                graph.descend(&self.codes, &query, self.codes.len(), width, keep, &mut seen);
                last
            }
        };
        let neighbor = |scored: Scored| Neighbor {
            number: self.codes.numbers[scored.place() as usize],
            cosine: (scored.score() * query.scale).clamp(-1.0, 1.0),
        };
        let mut neighbors: Vec<Neighbor> = found.into_iter().map(neighbor).collect();
        neighbors.sort_by(|a, b| b.cosine.total_cmp(&a.cosine).then(a.number.cmp(&b.number)));
        neighbors.truncate(most);
        neighbors
    }

    /// The pairs of vectors whose cosine is at least this and of which one is among the `most` nearest of the other, by
    /// number, the smaller first; with their cosines.
    pub fn pairs(&self, least_cosine: f32, most: usize) -> Vec<(u32, u32, f32)> {
        let most = most.min(self.codes.len());
        let neighbors = match &self.graph {
            None => exact::neighbors(&self.codes, least_cosine, most),
            Some(graph) => graph.neighbors(&self.codes, least_cosine, most, WIDTH.max(most * 2)),
        };
        let number = |place: u32| self.codes.numbers[place as usize];
        let of_one = |(place, found): (u32, Vec<Scored>)| {
            let left = number(place);
            found.into_iter().map(move |it| {
                let right = number(it.place());
                (left.min(right), left.max(right), it.score().clamp(-1.0, 1.0))
            })
        };
        let mut pairs: Vec<(u32, u32, f32)> = neighbors.into_iter().flat_map(of_one).collect();
        pairs.par_sort_unstable_by_key(|pair| (pair.0, pair.1));
        pairs.dedup_by_key(|pair| (pair.0, pair.1));
        pairs
    }

    /// How many vectors were pushed.
    pub fn len(&self) -> usize {
        self.vectors as usize
    }

    pub fn is_empty(&self) -> bool {
        self.vectors == 0
    }

    /// How many dimensions a vector has.
    pub fn dimensions(&self) -> usize {
        self.codes.dimensions
    }

    /// The name of what made the vectors.
    pub fn encoder(&self) -> &str {
        &self.encoder
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        self.codes.memory() + self.graph.as_ref().map_or(0, Graph::memory)
    }
}

/// By what the vectors of a graph are in order: a seeded hash of the number (the finalizer of SplitMix64, which gives each number
/// another).
pub(super) fn order(number: u32) -> u64 {
    let mut hash = u64::from(number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}
