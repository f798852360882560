//! Why a search has no result.

use std::io;

use familiar_index::vectors::VectorError;
use familiar_model::EncodeError;

use crate::changed::ChangedError;
use crate::options::OptionsError;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum DetectError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Changed(#[from] ChangedError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error(
        "cannot write tokens to a temporary file in {}: {source}; free some space, set TMPDIR, or raise --memory",
        std::env::temp_dir().display()
    )]
    Spill { source: io::Error },
    #[error(transparent)]
    TooMuch(#[from] TooMuch),
    #[error(transparent)]
    Encoder(#[from] EncodeError),
    #[error(transparent)]
    Vectors(#[from] VectorError),
    #[error(
        "this input has more similar code than fits into --memory; raise it, or search for less (--granularity, \
         --types, --similarity, --min-tokens, --exclude, parts of the input)"
    )]
    TooMuchAlike,
}

/// What stops a search that reads and writes nothing but its temporary file.
impl From<io::Error> for DetectError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::OutOfMemory => Self::TooMuchAlike,
            _ => Self::Spill { source: error },
        }
    }
}

/// The tables of a search need more than the memory setting.
#[derive(Debug, thiserror::Error)]
#[error(
    "the {what} of this input need {} MiB; raise --memory, or search for less (--granularity, --types, --similarity, \
     --min-tokens, --exclude, parts of the input)",
    .needed >> 20
)]
pub struct TooMuch {
    pub(crate) what: &'static str,
    pub(crate) needed: usize,
}
