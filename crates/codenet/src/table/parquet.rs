//! Rows of Parquet.

use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use arrow_array::{RecordBatch, RecordBatchReader as _};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::{ParquetError, Result};
use serde_json::{Map, Value};

use super::cell;
use super::error::TableError;
use super::row::{Content, RawRow};

/// Rows that are unpacked together.
const BATCH_ROWS: usize = 512;

pub(super) struct ParquetRows {
    reader: ParquetRecordBatchReader,
    number: u64,
}

impl ParquetRows {
    pub(super) fn open(path: &Path, columns: &[&str]) -> std::result::Result<Self, TableError> {
        let unreadable = |source| familiar_corpus::SourceError::Read { path: path.to_owned(), source };
        let file = familiar_corpus::named::open(path).map_err(unreadable)?;
        let reader = catch_panics(|| reader(file, columns))
            .map_err(|source| TableError::Parquet { path: path.to_owned(), source })?;
        Ok(Self { reader, number: 0 })
    }

    pub(super) fn columns(&self) -> Vec<String> {
        self.reader.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    pub(super) fn batch(&mut self) -> Result<Vec<RawRow>> {
        let Some(batch) = catch_panics(|| Ok(self.reader.next().transpose()?))? else {
            return Ok(Vec::new());
        };
        let first = self.number + 1;
        self.number += batch.num_rows() as u64;
        let row = |(number, fields)| RawRow { number, content: Content::Fields(fields) };
        Ok((first..).zip(rows(&batch)).map(row).collect())
    }
}

/// What Parquet reads. A damaged file can make it panic.
pub(crate) fn catch_panics<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let caught = std::panic::catch_unwind(AssertUnwindSafe(read));
    caught.unwrap_or_else(|_| Err(ParquetError::General("it is damaged".to_owned())))
}

fn reader(file: File, columns: &[&str]) -> Result<ParquetRecordBatchReader> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)?;
    let schema = builder.parquet_schema();
    let mask = if columns.is_empty() {
        ProjectionMask::all()
    } else {
        let leaves = schema.columns().iter().enumerate();
        ProjectionMask::leaves(
            schema,
            leaves.filter(|(_, leaf)| columns.contains(&leaf.path().string().as_str())).map(|(at, _)| at),
        )
    };
    builder.with_projection(mask).with_batch_size(BATCH_ROWS).build()
}

fn rows(batch: &RecordBatch) -> Vec<Map<String, Value>> {
    let mut rows = vec![Map::new(); batch.num_rows()];
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        for (at, row) in rows.iter_mut().enumerate() {
            if let Some(value) = cell::value(column.as_ref(), at) {
                row.insert(field.name().clone(), value);
            }
        }
    }
    rows
}
