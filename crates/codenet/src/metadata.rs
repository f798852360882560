//! The metadata of a set as Parquet, written row after row.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::import::ImportError;
use crate::submission::{Problem, Submission};

/// Rows that are encoded together.
const BATCH: usize = 8192;
/// Rows of a row group.
const ROW_GROUP: usize = 1 << 18;

/// The columns of a table.
pub(crate) trait Columns: Default {
    type Row;

    fn fields() -> Vec<Field>;

    fn push(&mut self, row: &Self::Row);

    /// The columns of the rows that were added since the last call.
    fn take(&mut self) -> Vec<ArrayRef>;
}

/// Writes one table.
pub(crate) struct Writer<C: Columns> {
    path: PathBuf,
    schema: Arc<Schema>,
    writer: ArrowWriter<File>,
    columns: C,
    waiting: usize,
}

impl<C: Columns> Writer<C> {
    pub(crate) fn create(path: &Path) -> Result<Self, ImportError> {
        let file =
            File::create(path).map_err(|source| ImportError::Write { path: path.to_owned(), source })?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_created_by(format!("familiar {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = Arc::new(Schema::new(C::fields()));
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))
            .map_err(|source| ImportError::Parquet { path: path.to_owned(), source })?;
        Ok(Self { path: path.to_owned(), schema, writer, columns: C::default(), waiting: 0 })
    }

    pub(crate) fn push(&mut self, row: &C::Row) -> Result<(), ImportError> {
        self.columns.push(row);
        self.waiting += 1;
        if self.waiting == BATCH { self.encode() } else { Ok(()) }
    }

    fn encode(&mut self) -> Result<(), ImportError> {
        self.waiting = 0;
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), self.columns.take());
        let batch = batch.map_err(|error| ParquetError::ArrowError(error.to_string()));
        let written = batch.and_then(|batch| self.writer.write(&batch));
        written.map_err(|source| ImportError::Parquet { path: self.path.clone(), source })
    }

    pub(crate) fn finish(mut self) -> Result<(), ImportError> {
        self.encode()?;
        let closed = self.writer.close();
        closed.map(|_| ()).map_err(|source| ImportError::Parquet { path: self.path, source })
    }
}

/// `metadata/submissions.parquet`: the columns of Table 6, and what the import adds.
#[derive(Default)]
pub(crate) struct SubmissionTable {
    texts: [StringBuilder; 8],
    numbers: [Int64Builder; 4],
    added: [StringBuilder; 2],
}

impl SubmissionTable {
    const NUMBERS: [&str; 4] = ["date", "cpu_time", "memory", "code_size"];
    const ADDED: [&str; 2] = ["source_id", "original_blob"];
}

impl Columns for SubmissionTable {
    type Row = Submission;

    fn fields() -> Vec<Field> {
        let own = Submission::COLUMNS.map(|name| {
            let kind = if Self::NUMBERS.contains(&name) { DataType::Int64 } else { DataType::Utf8 };
            Field::new(name, kind, true)
        });
        own.into_iter().chain(Self::ADDED.map(|name| Field::new(name, DataType::Utf8, false))).collect()
    }

    fn push(&mut self, row: &Submission) {
        let texts = [
            &row.submission_id,
            &row.problem_id,
            &row.user_id,
            &row.language,
            &row.original_language,
            &row.filename_ext,
            &row.status,
            &row.accuracy,
        ];
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.append_option(Some(text).filter(|text| !text.is_empty()));
        }
        let numbers = [row.date, row.cpu_time, row.memory, row.code_size];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.append_option(number);
        }
        self.added[0].append_value(&row.source_id);
        self.added[1].append_value(&row.original_blob);
    }

    fn take(&mut self) -> Vec<ArrayRef> {
        let mut texts = self.texts.iter_mut();
        let mut numbers = self.numbers.iter_mut();
        let own = Submission::COLUMNS.map(|name| -> Option<ArrayRef> {
            if Self::NUMBERS.contains(&name) {
                numbers.next().map(|column| Arc::new(column.finish()) as ArrayRef)
            } else {
                texts.next().map(|column| Arc::new(column.finish()) as ArrayRef)
            }
        });
        let added = self.added.iter_mut().map(|column| Some(Arc::new(column.finish()) as ArrayRef));
        own.into_iter().chain(added).flatten().collect()
    }
}

/// `metadata/problems.parquet`: the columns of `problem_list.csv`, and the id in the source.
#[derive(Default)]
pub(crate) struct ProblemTable {
    texts: [StringBuilder; 9],
}

impl Columns for ProblemTable {
    type Row = Problem;

    fn fields() -> Vec<Field> {
        let names = Problem::COLUMNS.into_iter().chain(["source_id"]);
        names.map(|name| Field::new(name, DataType::Utf8, true)).collect()
    }

    fn push(&mut self, row: &Problem) {
        let values = row.record().into_iter().chain([row.source_id.as_str()]);
        for (column, text) in self.texts.iter_mut().zip(values) {
            column.append_option(Some(text).filter(|text| !text.is_empty()));
        }
    }

    fn take(&mut self) -> Vec<ArrayRef> {
        self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect()
    }
}
