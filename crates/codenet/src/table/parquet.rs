//! Rows of Parquet.

use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use arrow_array::{RecordBatch, RecordBatchReader as _};
use familiar_source::words::size;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use serde_json::{Map, Value};

use super::cell;
use super::error::TableError;
use super::row::{Content, RawRow, RawTexts};
use crate::clean;
use crate::sample::CODE;

/// Most rows that are unpacked together.
const BATCH_ROWS: usize = 512;
/// About the bytes that are unpacked together, where rows are large.
const BATCH_BYTES: u64 = 16 << 20;

pub(super) struct ParquetRows {
    reader: ParquetRecordBatchReader,
    number: u64,
    /// Most bytes of a row.
    row_bytes: u64,
}

impl ParquetRows {
    pub(super) fn open(
        path: &Path,
        columns: &[&str],
        row_bytes: u64,
    ) -> std::result::Result<Self, TableError> {
        let unreadable = |source| familiar_corpus::SourceError::Read { path: path.to_owned(), source };
        let file = familiar_files::named::open(path).map_err(unreadable)?;
        let reader = catch_panics(|| reader(file, columns, row_bytes.min(BATCH_BYTES)))
            .map_err(|source| TableError::Parquet { path: path.to_owned(), source })?;
        Ok(Self { reader, number: 0, row_bytes })
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
        let most = self.row_bytes;
        let row = |(number, (fields, raw)): (u64, (Map<String, Value>, RawTexts))| {
            let content = if fields.values().map(bytes).sum::<u64>() > most {
                Content::Unreadable(format!("a row that is larger than {}", size(most)))
            } else {
                Content::Fields(fields, raw)
            };
            RawRow { number, content }
        };
        Ok((first..).zip(rows(&batch)).map(row).collect())
    }
}

/// What Parquet reads. A damaged file can make it panic.
pub(crate) fn catch_panics<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let caught = std::panic::catch_unwind(AssertUnwindSafe(read));
    caught.unwrap_or_else(|_| Err(ParquetError::General("it is damaged".to_owned())))
}

/// Reads about `bytes` bytes at a time.
fn reader(file: File, columns: &[&str], bytes: u64) -> Result<ParquetRecordBatchReader> {
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
    let rows = batch_rows(builder.metadata(), &mask, bytes);
    builder.with_projection(mask).with_batch_size(rows).build()
}

/// How many rows have about `bytes` bytes, in the group of rows whose rows are the largest.
fn batch_rows(metadata: &ParquetMetaData, mask: &ProjectionMask, bytes: u64) -> usize {
    let of_row = |group: &RowGroupMetaData| {
        let columns = group.columns().iter().enumerate().filter(|(leaf, _)| mask.leaf_included(*leaf));
        // A text that comes again stands in a page once.
        let of_column = |column: &ColumnChunkMetaData| {
            column.uncompressed_size().max(column.unencoded_byte_array_data_bytes().unwrap_or(0))
        };
        let size = columns.fold(0_i64, |sum, (_, column)| sum.saturating_add(of_column(column)));
        u64::try_from(size / group.num_rows().max(1)).unwrap_or(0)
    };
    let largest = metadata.row_groups().iter().map(of_row).max().unwrap_or(0).max(1);
    usize::try_from(bytes / largest).unwrap_or(BATCH_ROWS).clamp(1, BATCH_ROWS)
}

/// About the bytes of a value.
fn bytes(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Array(values) => values.iter().map(bytes).sum(),
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() as u64 + bytes(value)).sum(),
        _ => 8,
    }
}

fn rows(batch: &RecordBatch) -> Vec<(Map<String, Value>, RawTexts)> {
    let mut rows = vec![(Map::new(), RawTexts::new()); batch.num_rows()];
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        let name = field.name();
        for (at, (row, raw)) in rows.iter_mut().enumerate() {
            let Some(mut value) = cell::value(column.as_ref(), at) else { continue };
            let bytes = cell::bytes(column.as_ref(), at).filter(|bytes| std::str::from_utf8(bytes).is_err());
            if let Some(bytes) = bytes {
                // Code is text in whatever encoding, also where the column does not say so.
                if CODE.contains(&name.as_str()) {
                    value = Value::String(clean::in_its_encoding(bytes));
                }
                raw.insert(name.clone(), bytes.to_vec());
            }
            row.insert(name.clone(), value);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use parquet::arrow::ArrowWriter;

    use super::*;

    /// The rows of each batch, and whether the last row can be read.
    fn batches(lengths: &[usize]) -> (Vec<usize>, bool) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("rows.parquet");
        let texts = StringArray::from_iter_values(lengths.iter().map(|&length| "x".repeat(length)));
        let batch = RecordBatch::try_from_iter([("code", Arc::new(texts) as ArrayRef)]).expect("a column");
        let mut writer = ArrowWriter::try_new(File::create(&path).expect("a file"), batch.schema(), None)
            .expect("a writer");
        writer.write(&batch).and_then(|()| writer.close()).expect("a file");
        let mut rows = ParquetRows::open(&path, &[], 1 << 16).expect("a table");
        let (mut counts, mut is_whole) = (Vec::new(), true);
        loop {
            let batch = rows.batch().expect("rows");
            let Some(last) = batch.last() else { return (counts, is_whole) };
            is_whole = matches!(last.content, Content::Fields(..));
            counts.push(batch.len());
        }
    }

    #[test]
    fn large_rows_are_read_few_at_a_time() {
        assert_eq!(batches(&[10; 40]), (vec![40], true));
        // The same text comes again and again, and is packed into next to nothing.
        let (counts, is_whole) = batches(&[20_000; 40]);
        assert!(is_whole && counts.iter().all(|&count| count <= 3), "{counts:?}");
        assert!(!batches(&[10, 70_000]).1);
    }
}
