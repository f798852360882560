//! What a benchmark is cut out of, and why there is none.

use std::io;
use std::path::PathBuf;

use familiar_source::words::counted;
use thiserror::Error;

use super::manifest::{ManifestError, Settings};
use crate::DataError;
use crate::duplicates::{DuplicatesError, DuplicatesOptions};
use crate::problems::ProblemDecisions;

/// What a benchmark is cut out of, and how.
#[derive(Clone, Debug)]
pub struct BenchmarkOptions {
    /// The data, which of its samples take part, and when two of them are near-duplicates.
    pub duplicates: DuplicatesOptions,
    pub settings: Settings,
    /// What people decided about problems.
    pub decisions: ProblemDecisions,
    /// The folder of the benchmark, which must not be there or be empty.
    pub output: PathBuf,
}

/// Why there is no benchmark.
#[derive(Debug, Error)]
pub enum BenchmarkError {
    #[error(transparent)]
    Duplicates(#[from] DuplicatesError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("{} holds something: name an empty folder by --output", .0.display())]
    NotEmpty(PathBuf),
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("no sample says its problem: a table needs a column {}", crate::sample::PROBLEM.join(", or "))]
    NoProblem,
    #[error("no sample is left of {}: {why}", counted(*.samples, "sample"))]
    NoneLeft { samples: u64, why: String },
    #[error(
        "only {there} problems have {solutions} solutions that pass all filters, and {asked} are asked for: ask for fewer by --problems or --solutions"
    )]
    TooFew { there: usize, asked: usize, solutions: usize },
}
