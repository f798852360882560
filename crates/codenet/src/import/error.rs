//! Why there is no set.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::entry::EntriesError;
use crate::skipped::Skipped;

/// Why there is no set.
#[derive(Debug, Error)]
pub enum ImportError {
    #[error(transparent)]
    Entries(#[from] EntriesError),
    #[error("{} is a data set already: name another folder by --output", .0.display())]
    There(PathBuf),
    #[error("{} holds something else: name an empty folder by --output", .0.display())]
    NotEmpty(PathBuf),
    #[error("{} holds another import that was ended: go on with that one, or delete the folder", .0.display())]
    Other(PathBuf),
    #[error("what is imported has changed since the import into {output} was ended: delete {output}, and import it again", output = .0.display())]
    Changed(PathBuf),
    #[error("{} holds no submission that can be taken: {}", .0.display(), first(.1.as_ref()))]
    Nothing(PathBuf, Option<Skipped>),
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Parquet { path: PathBuf, source: parquet::errors::ParquetError },
    #[error("the ids of {0} submissions do not fit into the memory: give more by --memory")]
    Memory(u64),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}

/// The first entry that was left out.
fn first(skipped: Option<&Skipped>) -> String {
    match skipped {
        Some(Skipped { path, reason }) => format!("{path}: {reason}"),
        None => "it is empty".to_owned(),
    }
}
