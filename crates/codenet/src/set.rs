//! A set in CodeNet's layout, ours or another: its problems, and their submissions.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use familiar_files::named;
use familiar_source::words::size;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::layout::Layout;
use crate::skipped::Skipped;
use crate::submission::{Problem, Submission};
use crate::table::{RowError, Table, TableError, text_of, whole_number};

/// Bytes of metadata that are read together.
const BATCH_BYTES: usize = 4 << 20;

/// Most bytes of the text of a submission.
const TEXT_BYTES: u64 = 64 << 20;

/// Why a set cannot be read.
#[derive(Debug, Error)]
pub enum SetError {
    #[error("{} is no data set: it has no folders data and metadata; make one with `familiar codenet import`", .0.display())]
    NoSet(PathBuf),
    #[error("the import into {} was ended before it was done: run `familiar codenet import` again", .0.display())]
    Unfinished(PathBuf),
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Table(#[from] TableError),
}

/// A set that can be read.
#[derive(Clone, Debug)]
pub struct Set {
    pub layout: Layout,
    /// Ids of the problems, sorted.
    pub problems: Vec<String>,
}

/// The submissions of a problem.
#[derive(Clone, Debug, Default)]
pub struct OfProblem {
    /// In the order of its table.
    pub submissions: Vec<Submission>,
    /// Rows that cannot be read, and those whose id came before.
    pub skipped: Vec<Skipped>,
}

impl Set {
    pub fn open(root: &Path) -> Result<Self, SetError> {
        let layout = Layout::new(root);
        // An import that was ended behind the summary has left a folder, and a whole set.
        if layout.work().exists() && !layout.summary().exists() {
            return Err(SetError::Unfinished(root.to_owned()));
        }
        if !Layout::is_set(root) {
            return Err(SetError::NoSet(root.to_owned()));
        }
        let metadata = root.join("metadata");
        let read = |source| SetError::Read { path: metadata.clone(), source };
        let mut problems = BTreeSet::new();
        for entry in fs::read_dir(&metadata).map_err(read)? {
            let name = entry.map_err(read)?.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".csv"));
            problems.extend(id.filter(|id| is_problem(id)).map(str::to_owned));
        }
        Ok(Self { layout, problems: problems.into_iter().collect() })
    }

    /// What is known of the submissions of a problem. Of rows with one id the first one counts.
    pub fn submissions(&self, problem: &str) -> Result<OfProblem, SetError> {
        let (mut of_problem, mut ids) = (OfProblem::default(), HashSet::new());
        each_row(&self.layout.problem_table(problem), BATCH_BYTES, &mut |row, fields| {
            let submission = fields.map_err(|error| error.to_string()).and_then(|fields| {
                let submission = submission(&fields);
                let id = &submission.submission_id;
                // Rows without an id are not one submission.
                if id.is_empty() || ids.insert(id.clone()) { Ok(submission) } else { Err(repeated(id)) }
            });
            match submission {
                Ok(submission) => of_problem.submissions.push(submission),
                Err(reason) => {
                    let path = format!("metadata/{problem}.csv:{row}");
                    of_problem.skipped.push(Skipped { path, reason });
                }
            }
        })?;
        Ok(of_problem)
    }

    /// All rows of the table of a problem, those with an id that came before, too.
    pub(crate) fn all_submissions(&self, problem: &str) -> Result<Vec<Submission>, SetError> {
        let mut submissions = Vec::new();
        each_row(&self.layout.problem_table(problem), BATCH_BYTES, &mut |_, fields| {
            submissions.extend(fields.ok().map(|fields| submission(&fields)));
        })?;
        Ok(submissions)
    }

    /// The text of a submission.
    pub fn text(&self, submission: &Submission) -> Result<Vec<u8>, SetError> {
        let path = self.layout.text(submission);
        named::read(&path, TEXT_BYTES).map_err(|source| {
            // No memory lets it be larger.
            let is_large = source.kind() == io::ErrorKind::FileTooLarge;
            let reason = || io::Error::other(format!("it is larger than {}", size(TEXT_BYTES)));
            SetError::Read { path, source: if is_large { reason() } else { source } }
        })
    }

    /// The row of a submission with its text, in the names that other commands read. What is not known is not in it.
    pub fn row(&self, submission: &Submission) -> Result<Value, SetError> {
        let code = self.text(submission)?;
        let mut row = Map::new();
        row.insert("id".to_owned(), submission.submission_id.as_str().into());
        row.insert("lang".to_owned(), submission.language.as_str().into());
        for (name, value) in Submission::COLUMNS.iter().zip(submission.record()).skip(1) {
            if !value.is_empty() {
                let is_number = matches!(*name, "date" | "cpu_time" | "memory" | "code_size");
                let number = value.parse::<i64>().ok().filter(|_| is_number);
                row.insert((*name).to_owned(), number.map_or_else(|| Value::from(value), Value::from));
            }
        }
        row.insert("code".to_owned(), String::from_utf8_lossy(&code).into_owned().into());
        Ok(Value::Object(row))
    }

    /// The ids that problems had before the import, by those that they have.
    pub fn source_ids(&self) -> Result<BTreeMap<String, String>, SetError> {
        let mut ids: BTreeMap<String, String> =
            self.problem_list()?.into_iter().map(|problem| (problem.id.clone(), problem.id)).collect();
        let table = self.layout.problems();
        if table.exists() {
            each_row(&table, BATCH_BYTES, &mut |_, fields| {
                let fields = fields.unwrap_or_default();
                if let Some((id, source)) = text_of(&fields, &["id"]).zip(text_of(&fields, &["source_id"])) {
                    ids.insert(id, source);
                }
            })?;
        }
        Ok(ids)
    }

    /// What is known of all problems, those without submissions too.
    pub fn problem_list(&self) -> Result<Vec<Problem>, SetError> {
        let list = self.layout.problem_list();
        let mut problems = Vec::new();
        if list.exists() {
            each_row(&list, BATCH_BYTES, &mut |_, fields| {
                problems.extend(fields.ok().map(|fields| problem_of(&fields)));
            })?;
        }
        let known: BTreeSet<String> = problems.iter().map(|problem| problem.id.clone()).collect();
        let others = self.problems.iter().filter(|id| !known.contains(*id));
        problems.extend(others.map(|id| Problem { id: id.clone(), ..Problem::default() }));
        problems.sort_by(|one, two| one.id.cmp(&two.id));
        Ok(problems)
    }
}

/// Why a row with an id that came before is left out.
pub(crate) fn repeated(id: &str) -> String {
    format!("there was a submission with the id {id} before")
}

/// Whether a table is that of a problem.
fn is_problem(id: &str) -> bool {
    let digits = id.strip_prefix('p').unwrap_or_default();
    digits.len() >= 5 && digits.bytes().all(|digit| digit.is_ascii_digit())
}

/// Gives the fields of each row to `each`, with its number from 1; or why it cannot be read. About `bytes` bytes are read ahead.
pub(crate) fn each_row(
    path: &Path,
    bytes: usize,
    each: &mut dyn FnMut(u64, Result<Map<String, Value>, RowError>),
) -> Result<(), TableError> {
    let mut table = Table::open(path, &[])?;
    loop {
        let rows = table.batch(bytes)?;
        if rows.is_empty() {
            return Ok(());
        }
        for row in rows {
            each(row.number, row.fields());
        }
    }
}

fn submission(fields: &Map<String, Value>) -> Submission {
    let field = |name: &str| text_of(fields, &[name]).unwrap_or_default();
    let number = |name: &str| whole_number(&text_of(fields, &[name])?);
    Submission {
        submission_id: field("submission_id"),
        problem_id: field("problem_id"),
        user_id: field("user_id"),
        date: number("date"),
        language: field("language"),
        original_language: field("original_language"),
        filename_ext: field("filename_ext"),
        status: field("status"),
        cpu_time: number("cpu_time"),
        memory: number("memory"),
        code_size: number("code_size"),
        accuracy: field("accuracy"),
        ..Submission::default()
    }
}

/// The problem in a row of `problem_list.csv`.
pub(crate) fn problem_of(fields: &Map<String, Value>) -> Problem {
    let field = |name: &str| text_of(fields, &[name]).unwrap_or_default();
    Problem {
        id: field("id"),
        name: field("name"),
        dataset: field("dataset"),
        time_limit: field("time_limit"),
        memory_limit: field("memory_limit"),
        rating: field("rating"),
        tags: field("tags"),
        complexity: field("complexity"),
        source_id: String::new(),
    }
}
