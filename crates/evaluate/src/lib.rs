//! Labelled data in; recall, precision and robustness out.
//!
//! [`pairs::run`] scores labelled pairs of code under a measure of similarity; [`bags::run`] runs the Type-3 engine on
//! given token bags. Both read JSON lines, plain or compressed by zstd.

pub mod bags;
mod error;
mod json_lines;
pub mod pairs;

pub use error::EvaluateError;

/// A pool of so many threads; 0 takes as many as the machine has.
fn pool(threads: usize) -> Result<rayon::ThreadPool, EvaluateError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().map_err(|source| EvaluateError::Threads { threads, source })
}
