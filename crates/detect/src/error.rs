//! Why a search has no result.

use std::io;

use familiar_files::dir::WalkError;
use familiar_index::vectors::VectorError;
use familiar_model::EncodeError;
use familiar_search::SearchError;

use crate::changed::ChangedError;
use crate::options::OptionsError;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum DetectError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Walk(#[from] WalkError),
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
    /// Whatever else stops the search itself.
    #[error(transparent)]
    Search(SearchError),
}

/// What stops a search that reads and writes nothing but its temporary file.
impl From<io::Error> for DetectError {
    fn from(source: io::Error) -> Self {
        Self::Spill { source }
    }
}

impl From<SearchError> for DetectError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Read(source) => source.into(),
            SearchError::TooMuchAlike => Self::TooMuchAlike,
            error @ SearchError::TooManyTokens(_) => Self::Search(error),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stopped_a_search_is_what_the_error_says() {
        let said = |error: SearchError| DetectError::from(error).to_string();
        assert!(said(SearchError::TooMuchAlike).starts_with("this input has more similar code than fits"));
        let unreadable = io::Error::from(io::ErrorKind::OutOfMemory);
        assert!(said(SearchError::Read(unreadable)).starts_with("cannot write tokens to a temporary file"));
        assert_eq!(
            said(SearchError::TooManyTokens(5_000_000_000)),
            "5000000000 tokens are more than the 4294967295 that runs are searched in; search parts of the input"
        );
    }
}
