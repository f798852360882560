//! The tables: their columns, and rows in and out.

mod blobs;
mod file;
mod fragments;
mod license_files;
mod license_texts;
mod licenses;
mod lineage;
mod occurrences;
mod projects;
mod row_text;
mod skips;
mod texts;

use std::fs::File;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::errors::ParquetError;

pub use blobs::{BlobRow, Blobs};
pub(crate) use file::{ROW_GROUP, TableWriter};
pub use fragments::{FragmentRow, Fragments};
pub use license_files::LicenseFiles;
pub use license_texts::LicenseTexts;
pub use licenses::{LicenseRow, Licenses};
pub use lineage::Lineages;
pub use occurrences::{OccurrenceRow, Occurrences};
pub use projects::Projects;
pub(crate) use row_text::{Lines, LinesWriter};
pub use skips::{SkipRow, Skips};
pub use texts::{TextRow, Texts};

use crate::StoreError;

/// A table: what its columns are, and how rows become columns and back. Collects rows until they are taken.
pub trait Table: Default {
    const NAME: &'static str;
    type Row;
    /// How many rows are read at a time.
    const ROWS: usize = 1024;

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

/// The rows of the table in `file`, which lies at `path`; after an error there are none.
pub(crate) fn read<T: Table>(
    path: &Path,
    file: File,
) -> Result<impl Iterator<Item = Result<T::Row, StoreError>> + use<T>, StoreError> {
    let reader = catch_panics(|| batches::<T>(ParquetRecordBatchReaderBuilder::try_new(file)?));
    Ok(rows_from::<T>(path, reader.map_err(|error| StoreError::damaged(path, &error))?))
}

/// What a file holds, as many rows at a time as are read of the table.
pub(crate) fn batches<T: Table>(
    file: ParquetRecordBatchReaderBuilder<File>,
) -> Result<ParquetRecordBatchReader, ParquetError> {
    file.with_batch_size(T::ROWS).build()
}

/// The rows that a reader of the file at `path` gives; after an error there are none.
pub(crate) fn rows_from<T: Table>(
    path: &Path,
    reader: ParquetRecordBatchReader,
) -> impl Iterator<Item = Result<T::Row, StoreError>> + use<T> {
    let path = path.to_owned();
    let damaged = move |error: &dyn std::fmt::Display| StoreError::damaged(&path, error);
    let mut reader = Some(reader);
    let batches = std::iter::from_fn(move || {
        let open = reader.as_mut()?;
        let next =
            catch_panics(|| Ok(open.next().transpose()?)).map_err(|error| damaged(&error)).transpose()?;
        let rows = next.and_then(|batch| {
            let mut rows = Vec::with_capacity(batch.num_rows());
            let whole = T::rows(&batch, &mut |row| rows.push(row));
            whole.map(|()| rows).ok_or_else(|| damaged(&"its columns are not those of this table"))
        });
        if rows.is_err() {
            reader = None;
        }
        Some(rows.map(|rows| rows.into_iter().map(Ok)))
    });
    batches.flat_map(rows_or_error)
}

/// Rows, or the one error in their place.
pub(crate) fn rows_or_error<T>(
    rows: Result<impl Iterator<Item = Result<T, StoreError>>, StoreError>,
) -> impl Iterator<Item = Result<T, StoreError>> {
    let (rows, failed) = match rows {
        Ok(rows) => (Some(rows), None),
        Err(error) => (None, Some(Err(error))),
    };
    rows.into_iter().flatten().chain(failed)
}

/// What Parquet reads. A file that somebody made to be wrong, with a checksum that is right, can make it panic.
pub(crate) fn catch_panics<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    let caught = std::panic::catch_unwind(AssertUnwindSafe(read));
    caught.unwrap_or_else(|_| Err(ParquetError::General("it is a damaged Parquet file".to_owned())))
}
