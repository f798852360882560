//! The samples of a data set, whatever it is: a table of rows with code, or a set in CodeNet's layout.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use familiar_source::language_called;
use thiserror::Error;

use crate::layout::Layout;
use crate::sample::Sample;
use crate::set::{Set, SetError};
use crate::submission::Submission;
use crate::table::{RawRow, RowError, Table, TableError};

/// Submissions of a set that are read together.
const BATCH_SUBMISSIONS: usize = 1024;

/// Why data cannot be read.
#[derive(Debug, Error)]
pub enum DataError {
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Set(#[from] SetError),
}

/// Samples, batch after batch.
pub struct Data {
    name: String,
    rows: Rows,
}

enum Rows {
    Table(Box<Table>),
    Set(Box<SetRows>),
}

/// The submissions of a set, one problem after the other.
struct SetRows {
    set: Arc<Set>,
    problem: usize,
    waiting: std::vec::IntoIter<Submission>,
}

/// A sample that is not read yet.
pub struct DataRow(Row);

enum Row {
    Table { file: String, row: RawRow },
    Submission { set: Arc<Set>, submission: Box<Submission> },
}

impl Data {
    /// Opens a table or a set. `whole` says that all columns of tables are read, not those of samples alone.
    pub fn open(path: &Path, whole: bool) -> Result<Self, DataError> {
        let name = path
            .file_name()
            .map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned());
        let rows = if path.is_dir() || Layout::is_set(path) {
            let set = Arc::new(Set::open(path)?);
            Rows::Set(Box::new(SetRows { set, problem: 0, waiting: Vec::new().into_iter() }))
        } else {
            let columns = if whole { Vec::new() } else { Sample::columns() };
            Rows::Table(Box::new(Table::open(path, &columns)?))
        };
        Ok(Self { name, rows })
    }

    /// The next samples, in order, of about `bytes` bytes together; none at the end.
    pub fn batch(&mut self, bytes: usize) -> Result<Vec<DataRow>, DataError> {
        match &mut self.rows {
            Rows::Table(table) => {
                let rows = table.batch(bytes)?;
                Ok(rows.into_iter().map(|row| DataRow(Row::Table { file: self.name.clone(), row })).collect())
            }
            Rows::Set(rows) => Ok(rows.batch()?),
        }
    }
}

impl SetRows {
    fn batch(&mut self) -> Result<Vec<DataRow>, SetError> {
        let mut batch = Vec::new();
        while batch.len() < BATCH_SUBMISSIONS {
            if let Some(submission) = self.waiting.next() {
                let set = Arc::clone(&self.set);
                batch.push(DataRow(Row::Submission { set, submission: Box::new(submission) }));
            } else if let Some(problem) = self.set.problems.get(self.problem) {
                self.problem += 1;
                self.waiting = self.set.all_submissions(problem)?.into_iter();
            } else {
                break;
            }
        }
        Ok(batch)
    }
}

impl DataRow {
    /// What stands for it where it is left out.
    pub fn name(&self) -> String {
        match &self.0 {
            Row::Table { file, row } => format!("{file}:{}", row.number),
            Row::Submission { submission, .. } => submission.submission_id.clone(),
        }
    }

    pub fn sample(self) -> Result<Sample, RowError> {
        match self.0 {
            Row::Table { row, .. } => {
                let number = row.number;
                Sample::of(row.fields()?, number)
            }
            Row::Submission { set, submission } => {
                let bytes = set.text(&submission).map_err(|error| RowError::Unreadable(error.to_string()))?;
                Ok(Sample {
                    own_id: !submission.submission_id.is_empty(),
                    id: submission.submission_id,
                    status: submission.status,
                    cpu_time: submission.cpu_time.and_then(|it| it.try_into().ok()),
                    memory: submission.memory.and_then(|it| it.try_into().ok()),
                    next_status: String::new(),
                    problem: submission.problem_id,
                    language: language_called(&submission.language),
                    language_name: submission.language,
                    code: String::from_utf8_lossy(&bytes).into_owned(),
                })
            }
        }
    }

    /// Writes it as a line of JSON: a row of JSON lines as it stands there, and a submission with all that is known of it. A row that cannot be read is left
    /// out; says whether it was written.
    pub fn write_json(self, out: &mut dyn Write) -> io::Result<bool> {
        match self.0 {
            Row::Table { row, .. } => row.write_json(out),
            Row::Submission { set, submission } => {
                let Ok(row) = set.row(&submission) else { return Ok(false) };
                writeln!(out, "{row}")?;
                Ok(true)
            }
        }
    }
}
