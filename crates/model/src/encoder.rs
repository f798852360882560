//! The small trait in the middle: code in, vectors out.

use familiar_source::Language;

use crate::Calibration;
use crate::code::Code;
use crate::explain::Explain;

/// Turns code into vectors of one length. The same code gives the same vector, whatever stands beside it.
pub trait Encoder: std::fmt::Debug + Send + Sync {
    /// What made the vectors: two vectors are comparable exactly if these are equal.
    fn name(&self) -> &str;

    /// Numbers in a vector.
    fn dimensions(&self) -> usize;

    /// How near `vector` has code of `language` that has nothing to do with it, as a cosine; 0 where the encoder does not know.
    fn crowding(&self, _vector: &[f32], _language: Language) -> f32 {
        0.0
    }

    /// How sure a similarity of two of its vectors makes.
    fn calibration(&self) -> Calibration {
        Calibration::UNKNOWN
    }

    /// A quicker encoder whose vectors tell which pairs are worth comparing by this one's, where there is one.
    fn first_stage(&self) -> Option<Box<dyn Encoder>> {
        None
    }

    /// What says why this encoder finds code alike, where it can be said.
    fn explainer(&self) -> Option<&dyn Explain> {
        None
    }

    /// One vector of Euclidean length 1 for each of `codes`, in their order; all zero for code without anything to read.
    fn encode(&self, codes: &[Code<'_>]) -> Result<Vectors, EncodeError>;
}

/// Vectors of one length, row after row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vectors {
    dimensions: usize,
    values: Vec<f32>,
}

impl Vectors {
    /// The rows of `values`, which are scaled to length 1; a row without length or with a number that is not finite becomes zero.
    pub fn normalized(dimensions: usize, mut values: Vec<f32>) -> Self {
        debug_assert!(dimensions > 0 && values.len().is_multiple_of(dimensions));
        for row in values.chunks_exact_mut(dimensions) {
            let length = row.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
            let scale = if length.is_finite() && length > 0.0 { (1.0 / length) as f32 } else { 0.0 };
            for value in row {
                *value = if scale > 0.0 { *value * scale } else { 0.0 };
            }
        }
        Self { dimensions, values }
    }

    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.values.len().checked_div(self.dimensions).unwrap_or(0)
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn row(&self, at: usize) -> &[f32] {
        &self.values[at * self.dimensions..(at + 1) * self.dimensions]
    }

    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.values.chunks_exact(self.dimensions.max(1))
    }

    /// All numbers, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Adds the rows of `other`, which have the same length.
    pub fn append(&mut self, other: Self) {
        debug_assert!(self.is_empty() || other.is_empty() || self.dimensions == other.dimensions);
        self.dimensions = self.dimensions.max(other.dimensions);
        self.values.extend(other.values);
    }

    /// The cosine of two rows: 1 for equal directions.
    pub fn cosine(&self, left: usize, right: usize) -> f64 {
        self.row(left).iter().zip(self.row(right)).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    }
}

/// Why code could not be encoded.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// The encoder itself cannot work; the message says what to do.
    #[error("encoder {encoder}: {reason}")]
    Failed { encoder: String, reason: String },
}
