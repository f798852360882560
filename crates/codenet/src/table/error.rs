//! Why a table cannot be read.

use std::io;
use std::path::PathBuf;

use familiar_corpus::SourceError;
use thiserror::Error;

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{}: {source}", path.display())]
    Csv { path: PathBuf, source: io::Error },
    #[error("{}:{line}: {source}; nothing behind it can be read", path.display())]
    Damaged { path: PathBuf, line: u64, source: io::Error },
    #[error("{} is no Parquet file that can be read: {source}", path.display())]
    Parquet { path: PathBuf, source: ::parquet::errors::ParquetError },
    #[error("{} is no table: its name ends neither in .jsonl, .ndjson, .csv or .tsv (with .gz, .xz, .bz2 or .zst behind it) nor in .parquet", .0.display())]
    Kind(PathBuf),
}
