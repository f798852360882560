//! How good is a measure, or an encoder? Labeled data in; recall, precision and robustness out.
//!
//! [`pairs::run`] scores labelled pairs of code, [`retrieval::run`] asks with every row of a file for those of its
//! group, both by a measure of similarity or an encoder; [`bags::run`] runs the Type-3 engine on given token bags.
//! [`attack::run`] searches the rewritten programs that a detector recognizes least, and [`robustness::run`] makes one number of that.
//! [`mutants::run`] says whether it tells clones from programs with small faults.
//! [`diversity::run`] says how much the members of a set add to one another. All read JSON lines, plain or compressed by zstd. [`datasets`] knows some files by name.
//!
//! ```
//! use familiar_evaluate::pairs::{self, PairsOptions};
//! use familiar_source::Silent;
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("pairs.jsonl");
//! let row = |left: &str, right: &str, label: u8| {
//!     format!("{{\"lang\": \"python\", \"code1\": \"{left}\", \"code2\": \"{right}\", \"label\": {label}}}\n")
//! };
//! std::fs::write(&file, row("a = b + 1", "c = d + 1", 1) + &row("a = b + 1", "print(x)", 0))?;
//! let result = pairs::run(&PairsOptions::new(file), &Silent)?;
//! assert_eq!((result.figures.recall, result.figures.false_positive_rate), (Some(1.0), Some(0.0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Files
//!
//! `judge` is what compares: a measure or an encoder. `datasets` says how each data set is
//! measured, `pairs` (which also draws pairs from files of `solutions`) and `retrieval` measure,
//! `attack` fools a detector, `robustness` counts how often that works, `mutants` asks whether it sees small faults, `diversity` compares the sets that do it, `blind` takes the names out of what an encoder reads. `random` draws by a seed, and
//! `page` has what pages for a browser share.

pub mod attack;
pub mod bags;
pub mod blind;
mod copies;
pub mod datasets;
pub mod diversity;
mod error;
mod json_lines;
mod judge;
pub mod mutants;
mod names;
pub mod page;
pub mod pairs;
mod programs;
mod random;
pub mod retrieval;
pub mod robustness;
mod row_error;
mod skipped;
mod solutions;

pub use error::EvaluateError;
pub use judge::Judge;
pub use skipped::SkippedRow;
pub use solutions::{Selection, Solution, solutions};

/// A pool of so many threads; 0 takes as many as the machine has.
fn pool(threads: usize) -> Result<rayon::ThreadPool, EvaluateError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    builder.build().map_err(|source| EvaluateError::Threads { threads, source })
}
