//! Why clones cannot be searched for.

use std::io;

use familiar_index::bag_join::JoinError;

/// Why clones cannot be searched for.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// Tokens that were written to a temporary file.
    #[error("cannot read tokens again: {0}")]
    Read(#[from] io::Error),
    #[error("there is more similar code than fits into the memory")]
    TooMuchAlike,
    #[error("{0} tokens are more than the {max} that runs are searched in; search parts of the input", max = u32::MAX)]
    TooManyTokens(u64),
}

impl From<JoinError> for SearchError {
    fn from(error: JoinError) -> Self {
        match error {
            JoinError::Read(error) => Self::Read(error),
            JoinError::TooManyPairs => Self::TooMuchAlike,
        }
    }
}
