//! Columns of tables that other libraries hold: polars, pandas, DuckDB, pyarrow.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{ArrowArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, LargeStringArray, RecordBatch, RecordBatchReader};
use arrow_cast::cast;
use arrow_json::LineDelimitedWriter;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use familiar_tasks::utf8;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList};

use crate::error;

/// The columns of `table` that `names` lists, each as a list of bytes and of None for nulls.
///
/// A column of texts gives their UTF-8; one of bytes gives them as they are; numbers give their digits.
#[pyfunction]
pub(crate) fn column<'py>(
    py: Python<'py>,
    table: &Bound<'py, PyAny>,
    names: Vec<String>,
) -> PyResult<Vec<Bound<'py, PyList>>> {
    let mut reader = reader(table)?;
    let schema = reader.schema();
    let places: Vec<usize> =
        names.into_iter().map(|name| place(py, &schema, &name)).collect::<PyResult<_>>()?;
    let columns: Vec<Bound<'py, PyList>> = places.iter().map(|_| PyList::empty(py)).collect();
    let cannot = |it: ArrowError| error::input(py, format!("the table cannot be read: {it}"));
    while let Some(batch) = next(py, &mut reader, Ok)? {
        let batch = batch.map_err(cannot)?;
        for (&at, list) in places.iter().zip(&columns) {
            let (name, array) = (schema.field(at).name(), batch.column(at));
            let texts = texts(array).map_err(|it| error::input(py, format!("column {name}: {it}")))?;
            let texts = texts.as_binary::<i64>();
            for row in 0..texts.len() {
                let text = texts.is_valid(row).then(|| PyBytes::new(py, texts.value(row)));
                list.append(text)?;
            }
        }
    }
    Ok(columns)
}

/// Writes `table` to `path` as lines of JSON: an object for each row, without what is null.
#[pyfunction]
pub(crate) fn write_lines(py: Python<'_>, table: &Bound<'_, PyAny>, path: &str) -> PyResult<()> {
    let mut reader = reader(table)?;
    let failed = |it: std::io::Error| error::failed(py, format!("cannot write {path}: {it}"));
    let cannot = |it: ArrowError| error::input(py, format!("the table cannot be read: {it}"));
    let mut out = LineDelimitedWriter::new(BufWriter::new(File::create(path).map_err(failed)?));
    while let Some(written) = next(py, &mut reader, |batch| out.write(&with_texts(&batch)?))? {
        written.map_err(cannot)?;
    }
    out.finish().map_err(cannot)?;
    out.into_inner().flush().map_err(failed)
}

/// Does `work` on the next batch, while other threads of Python run, and looks for signals.
fn next<T: Send>(
    py: Python<'_>,
    reader: &mut ArrowArrayStreamReader,
    work: impl FnOnce(RecordBatch) -> Result<T, ArrowError> + Send,
) -> PyResult<Option<Result<T, ArrowError>>> {
    py.check_signals()?;
    Ok(py.detach(|| reader.next().map(|batch| batch.and_then(work))))
}

/// The same rows, with texts in the place of bytes.
fn with_texts(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let mut fields = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::new();
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        if !is_bytes(values_of(column.data_type())) {
            fields.push(Arc::clone(field));
            columns.push(Arc::clone(column));
            continue;
        }
        let plain = cast(column, &DataType::LargeBinary)?;
        let text = |cell| utf8(cell).unwrap_or_else(|_| String::from_utf8_lossy(cell));
        let texts: LargeStringArray = plain.as_binary::<i64>().iter().map(|cell| cell.map(text)).collect();
        fields.push(Arc::new(Field::new(field.name(), DataType::LargeUtf8, true)));
        columns.push(Arc::new(texts));
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

/// Takes over the stream that the table gives.
fn reader(table: &Bound<'_, PyAny>) -> PyResult<ArrowArrayStreamReader> {
    let py = table.py();
    let capsule = table.call_method0("__arrow_c_stream__")?.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of that name holds a stream, and by the interface whoever takes it leaves an empty one behind.
    let stream = unsafe { ArrowArrayStreamReader::from_raw(stream.cast::<FFI_ArrowArrayStream>().as_ptr()) };
    stream.map_err(|it| error::input(py, format!("the table cannot be read: {it}")))
}

fn place(py: Python<'_>, schema: &Schema, name: &str) -> PyResult<usize> {
    schema.index_of(name).map_err(|_| {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let suggestion = familiar_source::words::suggestion(name, names.iter().copied());
        error::input(py, format!("there is no column {name}{suggestion}; the table has {}", names.join(", ")))
    })
}

/// The type of a column's values, however they are stored.
fn values_of(kind: &DataType) -> &DataType {
    match kind {
        DataType::Dictionary(_, values) => values,
        DataType::RunEndEncoded(_, values) => values.data_type(),
        kind => kind,
    }
}

fn is_bytes(kind: &DataType) -> bool {
    matches!(
        kind,
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView | DataType::FixedSizeBinary(_)
    )
}

/// The column as bytes.
fn texts(array: &dyn Array) -> Result<arrow_array::ArrayRef, String> {
    let kind = values_of(array.data_type());
    let is_bytes = is_bytes(kind);
    let is_text = matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    if !is_bytes && !is_text && !kind.is_integer() && *kind != DataType::Null {
        return Err(format!("it holds {kind}; give a column of texts"));
    }
    let plain = cast(array, if is_bytes { &DataType::LargeBinary } else { &DataType::LargeUtf8 });
    let plain = plain.and_then(|plain| cast(&plain, &DataType::LargeBinary));
    plain.map_err(|error| error.to_string())
}
