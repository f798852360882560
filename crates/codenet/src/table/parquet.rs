//! Rows of Parquet.

use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::{ParquetError, Result};
use serde_json::{Map, Value};

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
        let dictionary = column.as_any_dictionary_opt().map(|it| (it.values(), it.normalized_keys()));
        for (at, row) in rows.iter_mut().enumerate() {
            if column.is_null(at) {
                continue;
            }
            let value = match &dictionary {
                Some((values, keys)) => value(values.as_ref(), keys[at]),
                None => value(column.as_ref(), at),
            };
            if let Some(value) = value {
                row.insert(field.name().clone(), value);
            }
        }
    }
    rows
}

/// The value of a cell; `None` for kinds of columns that no field of a submission has.
fn value(column: &dyn Array, at: usize) -> Option<Value> {
    let bytes = |bytes: &[u8]| Value::String(String::from_utf8_lossy(bytes).into_owned());
    Some(match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(at).into(),
        DataType::LargeUtf8 => column.as_string::<i64>().value(at).into(),
        DataType::Utf8View => column.as_string_view().value(at).into(),
        DataType::Binary => bytes(column.as_binary::<i32>().value(at)),
        DataType::LargeBinary => bytes(column.as_binary::<i64>().value(at)),
        DataType::BinaryView => bytes(column.as_binary_view().value(at)),
        DataType::Boolean => column.as_boolean().value(at).into(),
        DataType::Int8 => column.as_primitive::<Int8Type>().value(at).into(),
        DataType::Int16 => column.as_primitive::<Int16Type>().value(at).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(at).into(),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(at).into(),
        DataType::UInt8 => column.as_primitive::<UInt8Type>().value(at).into(),
        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(at).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(at).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(at).into(),
        DataType::Float32 => f64::from(column.as_primitive::<Float32Type>().value(at)).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(at).into(),
        _ => return None,
    })
}
