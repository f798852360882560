//! What is paired, and why nothing is.

use std::io;
use std::path::PathBuf;

use familiar_source::Language;
use thiserror::Error;

use crate::DataError;
use crate::duplicates::{DuplicatesError, DuplicatesOptions};
use crate::problems::ProblemDecisions;

/// What is paired, and how.
#[derive(Clone, Debug)]
pub struct TranslationsOptions {
    /// The data, and when two of their samples are near-duplicates.
    pub duplicates: DuplicatesOptions,
    pub from: Language,
    pub to: Language,
    /// Most pairs of a problem; 0 for as many as there are. No solution stands in two.
    pub of_each_problem: usize,
    pub seed: u64,
    /// Share of the problems that is tested on, and of the rest that is validated on.
    pub test: f64,
    pub valid: f64,
    /// So many pairs of near-duplicates make two problems identical.
    pub identical: u64,
    /// What people decided about problems.
    pub decisions: ProblemDecisions,
    /// The folder, which must not be there or be empty.
    pub output: PathBuf,
}

/// Why there are no pairs.
#[derive(Debug, Error)]
pub enum TranslationsError {
    #[error(transparent)]
    Duplicates(#[from] DuplicatesError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("{} holds something: name an empty folder by --output", .0.display())]
    NotEmpty(PathBuf),
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("the solutions of one split do not fit into the memory: give more by --memory")]
    Memory,
    #[error(
        "no problem has a solution in {from} and one in {to}: name other languages by --from and --to, or other data"
    )]
    NoPairs { from: &'static str, to: &'static str },
}
