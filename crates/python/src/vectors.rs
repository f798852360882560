//! The vectors of a corpus, as columns and as one array.

use std::sync::Arc;

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder, StringBuilder, UInt32Builder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, Float32Array, RecordBatch, RecordBatchIterator};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use familiar_cli::calls::{self, CallError, StoredVector};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyCapsule};

use crate::calls::Callback;
use crate::error;
use crate::work::run;

/// Rows of one batch.
const ROWS: usize = 8192;
const TEXTS: [&str; 4] = ["blob", "project", "path", "language"];
const NUMBERS: [&str; 3] = ["start_line", "end_line", "tokens"];

/// The vectors that a corpus keeps, with the functions that they are of.
#[pyclass(frozen, module = "familiar._familiar")]
pub(crate) struct Vectors {
    batches: Vec<RecordBatch>,
    schema: SchemaRef,
    dimensions: usize,
}

/// Reads them.
#[pyfunction]
#[pyo3(signature = (corpus, progress = None))]
pub(crate) fn vectors(py: Python<'_>, corpus: String, progress: Callback<'_, '_>) -> PyResult<Vectors> {
    run(py, progress, move |watch| {
        let mut columns = Columns::default();
        calls::vectors(&corpus, watch, &mut |row| columns.push(&row))?;
        columns.finish().map_err(|error| CallError::Failed(error.to_string()))
    })
}

#[pymethods]
impl Vectors {
    /// Numbers of one vector.
    #[getter]
    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The numbers of all vectors, row after row.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let columns: Vec<&Float32Array> = self.batches.iter().filter_map(numbers).collect();
        let len: usize = columns.iter().map(|column| size_of_val::<[f32]>(column.values())).sum();
        PyByteArray::new_with(py, len, |bytes| {
            let values = columns.iter().flat_map(|column| column.values().iter());
            for (value, to) in values.zip(bytes.chunks_exact_mut(size_of::<f32>())) {
                to.copy_from_slice(&value.to_ne_bytes());
            }
            Ok(())
        })
    }

    /// The rows as a stream of record batches, in the Arrow PyCapsule interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches: Vec<Result<RecordBatch, ArrowError>> = self.batches.iter().cloned().map(Ok).collect();
        let reader = RecordBatchIterator::new(batches, self.schema.clone());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
            .map_err(|it| error::failed(py, it.to_string()))
    }
}

/// The numbers of the vectors of a batch.
fn numbers(batch: &RecordBatch) -> Option<&Float32Array> {
    use arrow_array::cast::AsArray;
    batch.column_by_name("vector")?.as_fixed_size_list_opt()?.values().as_primitive_opt()
}

/// Columns that are being filled.
#[derive(Default)]
struct Columns {
    texts: [StringBuilder; 4],
    lines: [UInt32Builder; 3],
    values: Vec<f32>,
    rows: usize,
    dimensions: usize,
    batches: Vec<RecordBatch>,
    failed: Option<ArrowError>,
}

impl Columns {
    fn push(&mut self, row: &StoredVector<'_>) {
        self.dimensions = row.vector.len();
        let (blob, place) = (format!("swh:1:cnt:{}", row.blob), row.occurrence);
        let texts = [&blob, place.project.as_str(), place.path.as_str(), row.language];
        self.texts.iter_mut().zip(texts).for_each(|(column, text)| column.append_value(text));
        let lines = [row.lines.start, row.lines.end, row.tokens];
        self.lines.iter_mut().zip(lines).for_each(|(column, number)| column.append_value(number));
        self.values.extend_from_slice(row.vector);
        self.rows += 1;
        if self.rows == ROWS
            && let Err(error) = self.end_batch()
        {
            self.failed = Some(error);
        }
    }

    fn list_size(&self) -> i32 {
        i32::try_from(self.dimensions).expect("a vector has some thousand numbers at most")
    }

    fn schema(&self) -> SchemaRef {
        let texts = TEXTS.map(|name| Field::new(name, DataType::Utf8, false));
        let lines = NUMBERS.map(|name| Field::new(name, DataType::UInt32, false));
        let value = Arc::new(Field::new_list_field(DataType::Float32, false));
        let vector = Field::new("vector", DataType::FixedSizeList(value, self.list_size()), false);
        Arc::new(Schema::new(texts.into_iter().chain(lines).chain([vector]).collect::<Vec<_>>()))
    }

    fn end_batch(&mut self) -> Result<(), ArrowError> {
        let field = Arc::new(Field::new_list_field(DataType::Float32, false));
        let mut vectors =
            FixedSizeListBuilder::new(Float32Builder::new(), self.list_size()).with_field(field);
        vectors.values().append_slice(&std::mem::take(&mut self.values));
        for _ in 0..std::mem::take(&mut self.rows) {
            vectors.append(true);
        }
        let texts = self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let lines = self.lines.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let columns = texts.chain(lines).chain([Arc::new(vectors.finish()) as ArrayRef]).collect();
        self.batches.push(RecordBatch::try_new(self.schema(), columns)?);
        Ok(())
    }

    fn finish(mut self) -> Result<Vectors, ArrowError> {
        if self.rows > 0 {
            self.end_batch()?;
        }
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(Vectors { schema: self.schema(), dimensions: self.dimensions, batches: self.batches }),
        }
    }
}
