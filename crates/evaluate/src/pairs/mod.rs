//! Labelled pairs of code under a measure of similarity: recall, precision and what lies between.

mod options;
mod result;

use crate::EvaluateError;

pub use options::{By, Negatives, PairsOptions};
pub use result::{CurvePoint, Figures, PairsResult, SkippedRow};

/// Scores every pair that `options` name.
pub fn run(options: &PairsOptions) -> Result<PairsResult, EvaluateError> {
    Err(EvaluateError::NoPairs { path: options.pairs.clone(), reason: "not implemented".to_owned() })
}
