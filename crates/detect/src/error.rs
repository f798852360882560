//! Why a search has no result.

use std::io;

use crate::OptionsError;
use crate::behavior::EncoderError;
use crate::changed::ChangedError;
use crate::memory::TooMuch;

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
    TooMuch(TooMuch),
    #[error(transparent)]
    Encoder(EncoderError),
    #[error(
        "this input has more similar code than fits into --memory; raise it, or search for less (--granularity, \
         --types, --similarity, --min-tokens, --exclude, parts of the input)"
    )]
    TooMuchAlike,
}

impl DetectError {
    /// What stopped a search that reads and writes nothing but its temporary file.
    pub(crate) fn of(error: io::Error) -> Self {
        let error = match error.downcast::<TooMuch>() {
            Ok(too_much) => return Self::TooMuch(too_much),
            Err(error) => error,
        };
        match error.downcast::<EncoderError>() {
            Ok(error) => Self::Encoder(error),
            Err(error) if error.kind() == io::ErrorKind::OutOfMemory => Self::TooMuchAlike,
            Err(source) => Self::Spill { source },
        }
    }
}
