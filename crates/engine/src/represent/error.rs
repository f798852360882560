//! Why programs cannot be represented.

use std::io;

use familiar_corpus::SourceError;
use familiar_corpus::spec::SpecError;
use thiserror::Error;

/// Why programs cannot be represented.
#[derive(Debug, Error)]
pub enum RepresentError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{0} is not on this machine: download it, and name a folder or a file")]
    Remote(String),
    #[error("cannot write the result: {0}; check that there is space")]
    Write(#[from] io::Error),
}
