//! Tables of any kind, row after row: JSON lines, CSV and Parquet.
//!
//! A [`Table`] reads batches on one thread, and a [`RawRow`] is taken apart on another. `parquet` reads Parquet; CSV and JSON
//! lines may be compressed as a whole.

mod csv;
mod json;
mod parquet;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use familiar_corpus::SourceError;
use serde_json::{Map, Value};
use thiserror::Error;

/// Rows that are read together, at most.
const BATCH_ROWS: usize = 1024;
/// Most bytes of a row.
pub const ROW_BYTES: u64 = 64 << 20;

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum TableError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{}: {source}", path.display())]
    Csv { path: PathBuf, source: ::csv::Error },
    #[error("{} is no Parquet file that can be read: {source}", path.display())]
    Parquet { path: PathBuf, source: ::parquet::errors::ParquetError },
    #[error("{} is no table: its name ends neither in .jsonl, .ndjson, .csv or .tsv (with .gz, .xz, .bz2 or .zst behind it) nor in .parquet", .0.display())]
    Kind(PathBuf),
}

/// Why a row says nothing.
#[derive(Debug, Error)]
pub enum RowError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Unreadable(String),
    #[error("there is no {0}")]
    Missing(&'static str),
}

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

/// A row as it stands in its file.
#[derive(Debug)]
pub struct RawRow {
    /// Counts from 1. Of JSON lines, the number of the line.
    pub number: u64,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Line(Vec<u8>),
    Fields(Map<String, Value>),
    Unreadable(String),
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
        let kind = TableKind::of(path).ok_or_else(|| TableError::Kind(path.to_owned()))?;
        let rows = match kind {
            TableKind::JsonLines => Rows::Json(json::JsonRows::open(path)?),
            TableKind::Csv { separator } => Rows::Csv(Box::new(csv::CsvRows::open(path, separator)?)),
            TableKind::Parquet => Rows::Parquet(Box::new(parquet::ParquetRows::open(path, columns)?)),
        };
        Ok(Self { path: path.to_owned(), rows })
    }

    /// The next rows, in order; none at the end. Together they have about `bytes` bytes at most, or are one row.
    pub fn batch(&mut self, bytes: usize) -> Result<Vec<RawRow>, TableError> {
        match &mut self.rows {
            Rows::Json(rows) => Ok(rows.batch(BATCH_ROWS, bytes)),
            Rows::Csv(rows) => rows
                .batch(BATCH_ROWS, bytes)
                .map_err(|source| TableError::Csv { path: self.path.clone(), source }),
            Rows::Parquet(rows) => {
                rows.batch().map_err(|source| TableError::Parquet { path: self.path.clone(), source })
            }
        }
    }
}

impl RawRow {
    /// Its fields by their names.
    pub fn fields(self) -> Result<Map<String, Value>, RowError> {
        match self.content {
            Content::Line(line) => Ok(serde_json::from_slice(&line)?),
            Content::Fields(fields) => Ok(fields),
            Content::Unreadable(reason) => Err(RowError::Unreadable(reason)),
        }
    }

    /// Writes it as a line of JSON: a row of JSON lines as it stands there. A row that cannot be read is left out.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.content {
            Content::Line(line) => out.write_all(line.trim_ascii_end())?,
            Content::Fields(fields) => serde_json::to_writer(&mut *out, fields)?,
            Content::Unreadable(_) => return Ok(()),
        }
        out.write_all(b"\n")
    }
}

/// The first of the named fields that holds a text or a number, as text.
pub fn text_of(fields: &Map<String, Value>, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| match fields.get(*name)? {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    })
}
