//! The Type-3 engine on given token bags.

use std::io::Write;
use std::path::PathBuf;

use crate::EvaluateError;

/// The settings of `familiar evaluate bags`.
#[derive(Clone, Debug)]
pub struct BagsOptions {
    /// JSON lines of bags, plain or `.zst`: `id`, and `bag`, from tokens to counts.
    pub bags: PathBuf,
    /// Least share of the larger bag's tokens that two bags have in common.
    pub similarity: f64,
    /// Bytes that the search may use besides the bags.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}

/// Writes every pair of bags with enough in common as CSV `left,right,overlap,larger`, sorted, and returns their number.
pub fn run(options: &BagsOptions, _out: &mut dyn Write) -> Result<u64, EvaluateError> {
    Err(EvaluateError::NoPairs { path: options.bags.clone(), reason: "not implemented".to_owned() })
}
