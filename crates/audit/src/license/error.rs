//! Why the licenses of an input have no result.

use std::io;

use familiar_corpus::SourceError;
use familiar_corpus::spec::SpecError;
use familiar_files::dir::WalkError;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum LicenseError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("cannot start threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Of whoever takes the files.
    #[error(transparent)]
    Output(io::Error),
}
