//! Making an index: vectors one after another in memory, then the graph.

use super::codes::{Codes, MOST_DIMENSIONS};
use super::error::VectorError;
use super::grow;
use super::index::{VectorIndex, order};

/// From so many vectors on there is a graph; fewer are compared one by one.
const GRAPH_FROM: usize = 8192;

/// Collects vectors; what it holds is bounded by whoever pushes them.
#[derive(Debug)]
pub struct VectorIndexBuilder {
    encoder: String,
    vectors: u32,
    codes: Codes,
    pub(super) graph_from: usize,
}

impl VectorIndexBuilder {
    /// Vectors of so many dimensions, made by the encoder of that name.
    pub fn new(dimensions: usize, encoder: &str) -> Self {
        let codes = Codes { dimensions, ..Codes::default() };
        Self { encoder: encoder.to_owned(), vectors: 0, codes, graph_from: GRAPH_FROM }
    }

    /// Compares all vectors, however many there are: nothing is missed, and the time grows with their number.
    pub fn exact(self) -> Self {
        Self { graph_from: usize::MAX, ..self }
    }

    /// Adds a vector of any length and gives its number. One of zeros, or with numbers that are not finite, matches nothing.
    pub fn push(&mut self, vector: &[f32]) -> Result<u32, VectorError> {
        let dimensions = self.codes.dimensions;
        if vector.len() != dimensions || dimensions > MOST_DIMENSIONS {
            return Err(VectorError::Dimensions { expected: dimensions, found: vector.len() });
        }
        let number = self.vectors;
        self.vectors = number.checked_add(1).ok_or(VectorError::TooMany)?;
        self.codes.push(number, vector);
        Ok(number)
    }

    /// Adds a vector of another index, exactly as it is stored there, and gives its number. One that has no direction there matches
    /// nothing here.
    pub fn push_stored(&mut self, index: &VectorIndex, number: u32) -> Result<u32, VectorError> {
        let (expected, found) = (self.codes.dimensions, index.codes.dimensions);
        if expected != found {
            return Err(VectorError::Dimensions { expected, found });
        }
        let here = self.vectors;
        self.vectors = here.checked_add(1).ok_or(VectorError::TooMany)?;
        if let Some(place) = index.place(number) {
            self.codes.push_coded(here, index.codes.at(place), index.codes.scales[place as usize]);
        }
        Ok(here)
    }

    /// The cosine of two vectors by their numbers; none where one of them has no direction.
    pub fn cosine(&self, left: u32, right: u32) -> Option<f32> {
        let place = |number: u32| self.codes.numbers.binary_search(&number).ok().map(|place| place as u32);
        let (left, right) = (place(left)?, place(right)?);
        Some(self.codes.cosine(&self.codes.query_at(left), right).clamp(-1.0, 1.0))
    }

    /// The same index for the same vectors, whatever the number of threads.
    pub fn build(self) -> VectorIndex {
        let Self { encoder, vectors, mut codes, graph_from } = self;
        let graph = (codes.len() >= graph_from).then(|| {
            let mut places: Vec<u32> = (0..codes.len() as u32).collect();
            places.sort_unstable_by_key(|&place| order(codes.numbers[place as usize]));
            codes = codes.in_order(&places);
            grow::graph(&codes)
        });
        codes.shrink();
        VectorIndex { encoder, vectors, codes, graph, notes: Vec::new() }
    }
}
