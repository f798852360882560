//! Columns of batches.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, Float32Array, GenericListArray, Int32Array, Int64Array, LargeBinaryArray,
    OffsetSizeTrait, RecordBatch,
};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema};

/// Why a task cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    #[error("there is no column {name}; the rows have {columns}")]
    Column { name: String, columns: String },
    #[error("column {name}: {source}")]
    Type { name: String, source: ArrowError },
    #[error("column {0} has a null")]
    Null(String),
    #[error("a column of bags holds what is no bag")]
    Bag,
    #[error("a column of sequences holds what is no sequence")]
    Sequence,
    #[error("column {0} holds no lists of structures")]
    Structures(String),
    #[error("column {0} holds no lists")]
    Lists(String),
    #[error("a column of packs holds what is no pack")]
    Pack,
    #[error("a column of hashes holds what is no hash")]
    Hash,
    #[error(transparent)]
    Arrow(#[from] ArrowError),
    /// A setting that is out of its range.
    #[error("{0}")]
    Setting(String),
}

/// A column's name, type, whether it may have nulls, and its values.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    pub(crate) nullable: bool,
    pub(crate) values: ArrayRef,
}

impl Column {
    pub(crate) fn new(name: &'static str, values: impl Array + 'static) -> Self {
        Self { name, nullable: false, values: Arc::new(values) }
    }

    pub(crate) fn nullable(name: &'static str, values: impl Array + 'static) -> Self {
        Self { nullable: true, ..Self::new(name, values) }
    }
}

pub(crate) fn batch(columns: Vec<Column>) -> Result<RecordBatch, TaskError> {
    let field = |it: &Column| Field::new(it.name, it.values.data_type().clone(), it.nullable);
    let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
    let values = columns.into_iter().map(|it| it.values).collect();
    Ok(RecordBatch::try_new(Arc::new(schema), values)?)
}

fn of_type(rows: &RecordBatch, name: &str, kind: &DataType) -> Result<Option<ArrayRef>, TaskError> {
    let Some(column) = rows.column_by_name(name) else { return Ok(None) };
    let cannot = |source| TaskError::Type { name: name.to_owned(), source };
    cast(column, kind).map(Some).map_err(cannot)
}

fn missing(rows: &RecordBatch, name: &str) -> TaskError {
    let columns: Vec<&str> = rows.schema_ref().fields().iter().map(|field| field.name().as_str()).collect();
    TaskError::Column { name: name.to_owned(), columns: columns.join(", ") }
}

/// A column of bytes, or of texts as their UTF-8.
pub(crate) fn bytes_where_given(
    rows: &RecordBatch,
    name: &str,
) -> Result<Option<LargeBinaryArray>, TaskError> {
    let is_text = |column: &ArrayRef| {
        let kind = match column.data_type() {
            DataType::Dictionary(_, values) => values.as_ref(),
            kind => kind,
        };
        !matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView)
    };
    let Some(column) = rows.column_by_name(name) else { return Ok(None) };
    let plain = if is_text(column) { DataType::LargeUtf8 } else { DataType::LargeBinary };
    let plain = of_type(rows, name, &plain)?.ok_or_else(|| missing(rows, name))?;
    let cannot = |source| TaskError::Type { name: name.to_owned(), source };
    let column = cast(&plain, &DataType::LargeBinary).map_err(cannot)?;
    Ok(Some(column.as_binary::<i64>().clone()))
}

pub(crate) fn bytes(rows: &RecordBatch, name: &str) -> Result<LargeBinaryArray, TaskError> {
    bytes_where_given(rows, name)?.ok_or_else(|| missing(rows, name))
}

pub(crate) fn int(rows: &RecordBatch, name: &str) -> Result<Int32Array, TaskError> {
    let column = of_type(rows, name, &DataType::Int32)?.ok_or_else(|| missing(rows, name))?;
    not_null(&column, name)?;
    Ok(column.as_primitive::<Int32Type>().clone())
}

pub(crate) fn long(rows: &RecordBatch, name: &str) -> Result<Int64Array, TaskError> {
    let column = of_type(rows, name, &DataType::Int64)?.ok_or_else(|| missing(rows, name))?;
    not_null(&column, name)?;
    Ok(column.as_primitive::<Int64Type>().clone())
}

pub(crate) fn float(rows: &RecordBatch, name: &str) -> Result<Float32Array, TaskError> {
    let column = of_type(rows, name, &DataType::Float32)?.ok_or_else(|| missing(rows, name))?;
    not_null(&column, name)?;
    Ok(column.as_primitive::<Float32Type>().clone())
}

fn not_null(column: &ArrayRef, name: &str) -> Result<(), TaskError> {
    if column.null_count() > 0 { Err(TaskError::Null(name.to_owned())) } else { Ok(()) }
}

/// A column of lists: the range of each, and the values of all.
fn lists(rows: &RecordBatch, name: &str) -> Result<(Vec<Range<usize>>, ArrayRef), TaskError> {
    let column = rows.column_by_name(name).ok_or_else(|| missing(rows, name))?;
    not_null(column, name)?;
    if let Some(lists) = column.as_list_opt::<i32>() {
        Ok(own(lists))
    } else if let Some(lists) = column.as_list_opt::<i64>() {
        Ok(own(lists))
    } else {
        Err(TaskError::Lists(name.to_owned()))
    }
}

/// A column of lists of structures: the range of each list, and the structures of all as rows.
pub(crate) fn structures(
    rows: &RecordBatch,
    name: &str,
) -> Result<(Vec<Range<usize>>, RecordBatch), TaskError> {
    let (ranges, values) = lists(rows, name)?;
    let structures = values.as_struct_opt().ok_or_else(|| TaskError::Structures(name.to_owned()))?;
    Ok((ranges, RecordBatch::from(structures.clone())))
}

/// A column of lists of bytes: the range of each list, and the bytes of all.
pub(crate) fn binaries(
    rows: &RecordBatch,
    name: &str,
) -> Result<(Vec<Range<usize>>, LargeBinaryArray), TaskError> {
    let (ranges, values) = lists(rows, name)?;
    let cannot = |source| TaskError::Type { name: name.to_owned(), source };
    let values = cast(&values, &DataType::LargeBinary).map_err(cannot)?;
    not_null(&values, name)?;
    Ok((ranges, values.as_binary::<i64>().clone()))
}

/// The range of each list, and the values of these lists alone: a slice of a column keeps those of the whole column.
fn own<O: OffsetSizeTrait>(lists: &GenericListArray<O>) -> (Vec<Range<usize>>, ArrayRef) {
    let offsets: Vec<usize> = lists.value_offsets().iter().map(|it| it.as_usize()).collect();
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
        return (Vec::new(), lists.values().slice(0, 0));
    };
    let ranges = offsets.windows(2).map(|it| it[0] - first..it[1] - first).collect();
    (ranges, lists.values().slice(first, last - first))
}

/// A column of hashes of 128 bits, in 16 bytes each.
pub(crate) fn hashes(rows: &RecordBatch, name: &str) -> Result<Vec<[u8; 16]>, TaskError> {
    let column = bytes(rows, name)?;
    column.iter().map(|it| it.and_then(|it| it.try_into().ok()).ok_or(TaskError::Hash)).collect()
}

#[cfg(test)]
mod tests {
    use arrow_array::{ListArray, StructArray};
    use arrow_buffer::OffsetBuffer;

    use super::*;

    #[test]
    fn a_slice_of_lists_gives_its_own_structures() {
        let numbers = batch(vec![Column::new("number", Int32Array::from(vec![1, 2, 3, 4, 5, 6, 7]))]);
        let structures = StructArray::from(numbers.expect("rows"));
        let field = Arc::new(Field::new("item", structures.data_type().clone(), true));
        let lists =
            ListArray::new(field, OffsetBuffer::from_lengths([1, 2, 3, 1]), Arc::new(structures), None);
        let lists = batch(vec![Column::new("rows", lists)]).expect("rows");
        let (ranges, rows) = super::structures(&lists.slice(1, 2), "rows").expect("structures");
        assert_eq!(ranges, [0..2, 2..5]);
        assert_eq!(int(&rows, "number").expect("numbers").values(), &[2, 3, 4, 5, 6]);
        let (ranges, rows) = super::structures(&lists.slice(3, 0), "rows").expect("structures");
        assert!(ranges.is_empty() && rows.num_rows() == 0);
    }
}
