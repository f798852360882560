//! Why an output cannot be read.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum DetectorError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Format { path: PathBuf, reason: String },
    #[error("{}, line {line}: {reason}", path.display())]
    Line { path: PathBuf, line: u64, reason: String },
}

impl DetectorError {
    pub(crate) fn format(path: &std::path::Path, reason: impl Into<String>) -> Self {
        Self::Format { path: path.to_owned(), reason: reason.into() }
    }

    pub(crate) fn line(path: &std::path::Path, line: u64, reason: impl Into<String>) -> Self {
        Self::Line { path: path.to_owned(), line, reason: reason.into() }
    }
}
