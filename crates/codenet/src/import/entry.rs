//! What a source gives: submissions as they stand there.

use std::ops::ControlFlow;
use std::path::PathBuf;

use familiar_corpus::SourceError;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use super::code::Code;
use crate::DataError;
use crate::submission::Problem;

/// A submission as it stands in its source. All fields are as written there.
#[derive(Clone, Debug, Default)]
pub(super) struct RawSubmission {
    /// What stands for it where it is left out.
    pub(super) place: String,
    pub(super) id: String,
    pub(super) problem: String,
    pub(super) user: String,
    pub(super) date: String,
    pub(super) language: String,
    pub(super) original_language: String,
    pub(super) filename_ext: String,
    pub(super) status: String,
    pub(super) cpu_time: String,
    pub(super) memory: String,
    pub(super) code_size: String,
    pub(super) accuracy: String,
    pub(super) code: Code,
}

impl RawSubmission {
    /// The fields by the names of their columns, without a place and a text.
    pub(super) fn of(field: impl Fn(&str) -> String) -> Self {
        Self {
            place: String::new(),
            id: field("submission_id"),
            problem: field("problem_id"),
            user: field("user_id"),
            date: field("date"),
            language: field("language"),
            original_language: field("original_language"),
            filename_ext: field("filename_ext"),
            status: field("status"),
            cpu_time: field("cpu_time"),
            memory: field("memory"),
            code_size: field("code_size"),
            accuracy: field("accuracy"),
            code: Code::Missing,
        }
    }
}

/// A problem as it stands in its source.
#[derive(Clone, Debug, Default)]
pub(super) struct RawProblem {
    /// Its id and `source_id` are both the id of the source.
    pub(super) problem: Problem,
    /// HTML, or plain text.
    pub(super) statement: Option<Vec<u8>>,
    pub(super) input: Option<Vec<u8>>,
    pub(super) output: Option<Vec<u8>>,
}

/// What a source gives.
pub(super) enum Entry {
    Submission(Box<RawSubmission>),
    Problem(Box<RawProblem>),
    Skip { path: String, reason: String },
}

impl Entry {
    /// Adds to a hash all that an import makes of it. Of a file that is not read yet, its size and its time count.
    pub(super) fn hash(&self, hash: &mut Xxh3) {
        let mut add = |bytes: &[u8]| {
            hash.update(&(bytes.len() as u64).to_le_bytes());
            hash.update(bytes);
        };
        match self {
            Self::Skip { path, reason } => [path, reason].into_iter().for_each(|text| add(text.as_bytes())),
            Self::Problem(problem) => {
                let RawProblem { problem, statement, input, output } = &**problem;
                problem.record().iter().for_each(|text| add(text.as_bytes()));
                let texts = [statement, input, output].into_iter();
                texts.for_each(|text| add(text.as_deref().unwrap_or_default()));
            }
            Self::Submission(raw) => {
                let it = &**raw;
                let names = [&it.place, &it.id, &it.problem, &it.user, &it.date, &it.language];
                let others = [&it.original_language, &it.filename_ext, &it.status, &it.cpu_time, &it.memory];
                let rest = [&it.code_size, &it.accuracy];
                for text in names.into_iter().chain(others).chain(rest) {
                    add(text.as_bytes());
                }
                it.code.hash(&mut add);
            }
        }
    }
}

/// Takes entries until it breaks.
pub(super) type Sink<'s> = dyn FnMut(Entry) -> ControlFlow<()> + 's;

/// A source of submissions. It gives the same entries in the same order each time.
pub(super) trait Entries {
    /// Gives all entries to `sink`. About `bytes` bytes of rows are read ahead.
    fn read(&mut self, bytes: usize, sink: &mut Sink<'_>) -> Result<(), EntriesError>;
}

/// Why a source cannot be read.
#[derive(Debug, Error)]
pub enum EntriesError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{} has no column {column}, which --column {name}={column} names: give the name that it has there", path.display())]
    NoColumn { path: PathBuf, name: String, column: String },
    #[error("what is known of {0} texts does not fit into the memory: give more by --memory")]
    Memory(usize),
    #[error("what is known of {0} problems does not fit into the memory: give more by --memory")]
    Problems(usize),
}

impl From<crate::table::TableError> for EntriesError {
    fn from(error: crate::table::TableError) -> Self {
        Self::Data(error.into())
    }
}
