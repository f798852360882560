//! Why there are no new programs.

use std::io;

use familiar_corpus::SourceError;
use familiar_corpus::spec::SpecError;
use thiserror::Error;

use crate::verify::VerifyError;

/// Why there are no new programs.
#[derive(Debug, Error)]
pub enum TransformError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{0} is not on this machine: download it, and name a folder or a file")]
    Remote(String),
    #[error(transparent)]
    Verify(#[from] VerifyError),
    #[error("cannot write the programs: {0}; check that there is space")]
    Write(#[from] io::Error),
}
