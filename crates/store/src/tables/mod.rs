//! The tables: their columns, and rows in and out.

mod blobs;
mod file;
mod fragments;
mod lineage;
mod lines;
mod occurrences;
mod projects;
mod skips;
mod texts;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

pub use blobs::{BlobRow, Blobs};
pub(crate) use file::TableWriter;
pub use fragments::{FragmentRow, Fragments};
pub use lineage::Lineages;
pub(crate) use lines::{Lines, LinesWriter};
pub use occurrences::{OccurrenceRow, Occurrences};
pub use projects::Projects;
pub use skips::{SkipRow, Skips};
pub use texts::{TextRow, Texts};

use crate::StoreError;

/// A table: what its columns are, and how rows become columns and back. Collects rows until they are taken.
pub trait Table: Default {
    const NAME: &'static str;
    type Row;

    fn fields() -> Vec<Field>;

    fn push(&mut self, row: &Self::Row);

    /// The columns of the rows pushed since the last call.
    fn columns(&mut self) -> Vec<ArrayRef>;

    /// Calls `row` with every row of a batch; `None` where its columns are not those of this table.
    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(Self::Row)) -> Option<()>;

    /// About the bytes of a row.
    fn bytes(row: &Self::Row) -> usize;
}

fn schema<T: Table>() -> Arc<Schema> {
    Arc::new(Schema::new(T::fields()))
}

/// Calls `row` with every row of the table in a file, until it fails.
pub(crate) fn try_read<T: Table, E: From<StoreError>>(
    path: &Path,
    mut row: impl FnMut(T::Row) -> Result<(), E>,
) -> Result<(), E> {
    let file = File::open(path).map_err(StoreError::read(path))?;
    let damaged = |error: &dyn std::fmt::Display| StoreError::damaged(path, error);
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| damaged(&error))?;
    for batch in reader.build().map_err(|error| damaged(&error))? {
        let batch = batch.map_err(|error| damaged(&error))?;
        let mut result = Ok(());
        let mut next = |read| {
            if result.is_ok() {
                result = row(read);
            }
        };
        T::rows(&batch, &mut next).ok_or_else(|| damaged(&"its columns are not those of this table"))?;
        result?;
    }
    Ok(())
}
