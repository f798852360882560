//! Why a corpus cannot be read or written.

use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("there is no corpus at {}; `familiar corpus add` creates one", path.display())]
    None { path: PathBuf },
    #[error("{} is not a corpus: it contains other files; name a new or an empty folder", path.display())]
    NotACorpus { path: PathBuf },
    #[error("{}: it was written by a newer Familiar (format {found}; this version reads {known}); install the newer version. If no newer version wrote it, it is damaged: restore it from a backup", path.display())]
    Newer { path: PathBuf, found: u64, known: u32 },
    #[error("{}: another process is changing this corpus; wait until it ends", path.display())]
    Locked { path: PathBuf },
    #[error("{}: {reason}; restore it from a backup, or make a new corpus from the same sources", path.display())]
    Manifest { path: PathBuf, reason: String },
    #[error("{}: {reason}; `familiar corpus verify` shows what is damaged", path.display())]
    Damaged { path: PathBuf, reason: String },
    #[error("cannot write {}: {source}; check the free space and your permissions. The corpus is whole: what was added to it before this stays, and nothing else has changed", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}; check the free space and your permissions. The corpus is whole: what was added to it before this stays, and nothing else has changed", path.display())]
    Table { path: PathBuf, source: Box<dyn Error + Send + Sync> },
    #[error("{}: the corpus has changed, but the disk does not confirm it: {source}; a crash could undo the change, so check the disk and repeat the command", path.display())]
    NotSynced { path: PathBuf, source: io::Error },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
}

impl StoreError {
    pub(crate) fn write(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }

    pub(crate) fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_owned(), source }
    }

    /// A file that is not what was written, and how that shows.
    pub fn damaged(path: &Path, reason: &dyn std::fmt::Display) -> Self {
        Self::Damaged { path: path.to_owned(), reason: reason.to_string() }
    }

    /// What went wrong while a table was written.
    pub(crate) fn of_writing(path: &Path, error: ParquetError) -> Self {
        let path = path.to_owned();
        match error {
            ParquetError::External(inner) => match inner.downcast::<io::Error>() {
                Ok(source) => Self::Write { path, source: *source },
                Err(source) => Self::Table { path, source },
            },
            other => Self::Table { path, source: Box::new(other) },
        }
    }
}
