//! Tables of any kind, row after row: JSON lines, CSV and Parquet.
//!
//! A [`Table`] reads batches on one thread, and a [`RawRow`] is taken apart on another. CSV and JSON lines may be compressed as a
//! whole. `row` is one row, and `json`, `csv` and `parquet` read them. `cell` is what Parquet holds, as JSON.

mod cell;
mod csv;
mod error;
mod json;
mod parquet;
mod row;

use std::path::{Path, PathBuf};

use familiar_corpus::SourceError;

pub use error::TableError;
pub(crate) use parquet::catch_panics;
pub use row::{ROW_BYTES, RawRow, RowError, text_of, whole_number};

/// Rows that are read together, at most.
const BATCH_ROWS: usize = 4096;

/// The rows of a table, in batches.
pub struct Table {
    path: PathBuf,
    rows: Rows,
}

enum Rows {
    Json(json::JsonRows),
    Csv(Box<csv::CsvRows>),
    Parquet(Box<parquet::ParquetRows>),
}

/// What kind of table a name says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableKind {
    JsonLines,
    Csv { separator: u8 },
    Parquet,
}

impl TableKind {
    /// The kind by the ending of the name.
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let stem = [".gz", ".xz", ".bz2", ".zst"].iter().find_map(|ending| name.strip_suffix(ending));
        let inner = stem.unwrap_or(&name);
        let (_, ending) = inner.rsplit_once('.')?;
        match ending {
            "jsonl" | "ndjson" | "json" => Some(Self::JsonLines),
            "csv" => Some(Self::Csv { separator: b',' }),
            "tsv" => Some(Self::Csv { separator: b'\t' }),
            "parquet" if stem.is_none() => Some(Self::Parquet),
            _ => None,
        }
    }
}

impl Table {
    /// Opens a table of the kind that its name says. Of Parquet, only `columns` are read where some are named.
    pub fn open(path: &Path, columns: &[&str]) -> Result<Self, TableError> {
        Self::open_within(path, columns, ROW_BYTES)
    }

    /// [`Self::open`] where no row may have more than about `row_bytes` bytes. Larger ones are rows that cannot be read.
    pub fn open_within(path: &Path, columns: &[&str], row_bytes: u64) -> Result<Self, TableError> {
        let Some(kind) = TableKind::of(path) else {
            familiar_files::named::regular(path)
                .map_err(|source| SourceError::Read { path: path.to_owned(), source })?;
            return Err(TableError::Kind(path.to_owned()));
        };
        let rows = match kind {
            TableKind::JsonLines => Rows::Json(json::JsonRows::open(path, row_bytes)?),
            TableKind::Csv { separator } => {
                Rows::Csv(Box::new(csv::CsvRows::open(path, separator, row_bytes)?))
            }
            TableKind::Parquet => {
                Rows::Parquet(Box::new(parquet::ParquetRows::open(path, columns, row_bytes)?))
            }
        };
        Ok(Self { path: path.to_owned(), rows })
    }

    /// The names of the columns; `None` where rows name them, as those of JSON lines do.
    pub fn columns(&self) -> Option<Vec<String>> {
        match &self.rows {
            Rows::Json(_) => None,
            Rows::Csv(rows) => Some(rows.columns().to_vec()),
            Rows::Parquet(rows) => Some(rows.columns()),
        }
    }

    /// The next rows, in order; none at the end. Together they have about `bytes` bytes at most, or are one row.
    pub fn batch(&mut self, bytes: usize) -> Result<Vec<RawRow>, TableError> {
        match &mut self.rows {
            Rows::Json(rows) => rows.batch(BATCH_ROWS, bytes).map_err(|(line, source)| TableError::Damaged {
                path: self.path.clone(),
                line,
                source,
            }),
            Rows::Csv(rows) => rows
                .batch(BATCH_ROWS, bytes)
                .map_err(|source| TableError::Csv { path: self.path.clone(), source }),
            Rows::Parquet(rows) => {
                rows.batch().map_err(|source| TableError::Parquet { path: self.path.clone(), source })
            }
        }
    }
}
