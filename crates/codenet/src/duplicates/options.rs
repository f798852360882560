//! What is compared, and why it cannot be.

use std::path::PathBuf;

use familiar_source::Language;
use thiserror::Error;

use super::join::Thresholds;
use crate::DataError;
use crate::sample::Sample;
use crate::status::ACCEPTED;

/// What is compared, and how.
#[derive(Clone, Debug)]
pub struct DuplicatesOptions {
    /// Data sets in folders, or tables.
    pub data: Vec<PathBuf>,
    pub thresholds: Thresholds,
    /// Which samples take part.
    pub only: Only,
    /// Whether the texts of strings count.
    pub strings: bool,
    /// A limit for the memory in bytes.
    pub memory: usize,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// Which samples take part. Those that do not are not left out either: they are none.
#[derive(Clone, Debug, Default)]
pub struct Only {
    /// Of this language.
    pub language: Option<Language>,
    /// Of those whose status the data say, only the accepted ones.
    pub accepted: bool,
    /// Those with an id that came before in the same data, too. Otherwise they are left out, and it is said why.
    pub repeated: bool,
}

impl Only {
    pub(super) fn takes(&self, sample: &Sample) -> bool {
        let of_language = self.language.is_none_or(|language| sample.language == Some(language));
        of_language && (!self.accepted || sample.status.is_empty() || sample.status == ACCEPTED)
    }
}

/// Why near-duplicates cannot be found.
#[derive(Debug, Error)]
pub enum DuplicatesError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(
        "the samples do not fit into the memory: give more by --memory, or compare fewer at a time (after {0} of them)"
    )]
    Memory(usize),
    #[error("there are more pairs than fit into the memory: give more by --memory, or raise the thresholds")]
    Pairs,
    #[error(
        "{problem} is {one} in {}, and {two} in {}: take one set at a time, or give the problems of one source other ids and import it again",
        first.display(), second.display()
    )]
    Problems { problem: String, first: PathBuf, one: String, second: PathBuf, two: String },
    #[error(transparent)]
    Decisions(#[from] crate::problems::DecisionsError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}
