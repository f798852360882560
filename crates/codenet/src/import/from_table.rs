//! Submissions in a table: one row each.

use std::path::{Component, Path, PathBuf};

use familiar_syntax::detect;
use familiar_syntax::languages::others;
use rayon::prelude::*;
use serde_json::{Map, Value};

use super::code::Code;
use super::entry::{Entries, EntriesError, Entry, RawProblem, RawSubmission, Sink};
use super::prepare::{is_accuracy, is_date};
use crate::language_name;
use crate::submission::Problem;
use crate::table::{RawRow, Table, text_of};

/// The columns by our names, each with other names that are common, the likeliest first.
const NAMES: [(&str, &[&str]); 14] = [
    ("submission_id", &["submission_id", "id", "run_id", "solution_id"]),
    ("problem_id", &["problem_id", "problem", "task_id", "task", "group"]),
    ("user_id", &["user_id", "user", "author", "student", "handle"]),
    ("date", &["date", "timestamp", "time", "submitted_at", "creation_time"]),
    ("language", &["language", "lang", "programming_language"]),
    ("original_language", &["original_language"]),
    ("filename_ext", &["filename_ext", "extension"]),
    ("status", &["status", "verdict", "result"]),
    ("cpu_time", &["cpu_time", "run_time", "time_ms", "runtime"]),
    ("memory", &["memory", "memory_kb"]),
    ("code_size", &["code_size", "size"]),
    ("accuracy", &["accuracy", "passed"]),
    ("code", &["code", "source_code", "source", "content", "text"]),
    ("file", &["file", "path", "filename"]),
];

/// Bytes of rows that are looked through together for the names of columns.
const CHECKED_BYTES: usize = 1 << 20;

/// The names of all columns that can be given others.
pub fn column_names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// The rows of a table as submissions.
pub(super) struct FromTable {
    table: Table,
    reader: RowReader,
}

/// Takes rows apart.
struct RowReader {
    name: String,
    /// Paths in the table start here.
    folder: PathBuf,
    columns: Vec<Column>,
}

/// A column by our name.
struct Column {
    name: &'static str,
    /// What it is called in the table, the likeliest first.
    names: Vec<String>,
    /// Whether the user says so.
    is_given: bool,
}

impl FromTable {
    /// `columns` are other names: ours, and the one in the table, which has to be there. No row may have more than `row_bytes` bytes.
    pub(super) fn open(
        path: &Path,
        columns: &[(String, String)],
        row_bytes: u64,
    ) -> Result<Self, EntriesError> {
        check_columns(path, columns, row_bytes)?;
        let columns = NAMES
            .iter()
            .map(|(name, common)| {
                let given = columns.iter().filter(|(ours, _)| ours == name);
                let mut names: Vec<String> = given.map(|(_, theirs)| theirs.clone()).collect();
                let is_given = !names.is_empty();
                if !is_given {
                    names = common.iter().map(|&name| name.to_owned()).collect();
                }
                Column { name, names, is_given }
            })
            .collect();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        Ok(Self {
            table: Table::open_within(path, &[], row_bytes)?,
            reader: RowReader { name, folder, columns },
        })
    }
}

/// Fails where no row has a column that the user names.
fn check_columns(path: &Path, columns: &[(String, String)], row_bytes: u64) -> Result<(), EntriesError> {
    if columns.is_empty() {
        return Ok(());
    }
    let mut missing: Vec<_> = columns.iter().collect();
    let mut table = Table::open_within(path, &[], row_bytes)?;
    let names = table.columns();
    if let Some(names) = &names {
        missing.retain(|(_, theirs)| !names.contains(theirs));
    }
    while names.is_none() && !missing.is_empty() {
        let rows = table.batch(CHECKED_BYTES)?;
        if rows.is_empty() {
            break;
        }
        for fields in rows.into_iter().filter_map(|row| row.fields().ok()) {
            missing.retain(|(_, theirs)| !fields.contains_key(theirs));
        }
    }
    match missing.first() {
        None => Ok(()),
        Some((name, column)) => {
            let (path, name, column) = (path.to_owned(), name.clone(), column.clone());
            Err(EntriesError::NoColumn { path, name, column })
        }
    }
}

impl RowReader {
    fn entry(&self, row: RawRow) -> Entry {
        let place = format!("{}:{}", self.name, row.number);
        let (fields, mut bytes) = match row.fields_and_bytes() {
            Ok(fields) => fields,
            Err(error) => return Entry::Skip { path: place, reason: error.to_string() },
        };
        let named = |name: &str| {
            let column = self.columns.iter().find(|column| column.name == name)?;
            column.names.iter().find_map(|theirs| {
                let text = text_of(&fields, &[theirs])?;
                (column.is_given || is_meant(name, theirs, &text)).then_some((theirs, text))
            })
        };
        let text = |name: &str| named(name).map(|(_, text)| text);
        let code = match (named("code"), text("file")) {
            // A text has the encoding that a file with the same bytes would have.
            (Some((column, code)), _) => Code::Bytes(bytes.remove(column).unwrap_or(code.into_bytes())),
            // An empty text is one.
            (None, _) if self.has(&fields, "code") => Code::Bytes(Vec::new()),
            (None, Some(file)) => match self.below(&file) {
                Some(path) => Code::File(path),
                None => {
                    return Entry::Skip {
                        path: place,
                        reason: format!("{file} does not lie below the table's folder"),
                    };
                }
            },
            (None, None) => Code::Missing,
        };
        let mut submission = RawSubmission::of(|name| text(name).unwrap_or_default());
        if submission.language.is_empty() && submission.original_language.is_empty() {
            submission.language =
                language(&submission.filename_ext, &text("file").unwrap_or_default(), &code);
        }
        Entry::Submission(Box::new(RawSubmission { place, code, ..submission }))
    }

    fn has(&self, fields: &Map<String, Value>, name: &str) -> bool {
        let columns = self.columns.iter().filter(|column| column.name == name);
        columns.flat_map(|column| &column.names).any(|name| fields.get(name).is_some_and(Value::is_string))
    }

    /// A path of a table's row, if it stays below the folder of the table, also where it leads through links.
    fn below(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path);
        if !path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return None;
        }
        let path = self.folder.join(path);
        // What is not there is told when it is read.
        let stays = path.canonicalize().map_or(true, |real| real.starts_with(&self.folder));
        stays.then_some(path)
    }
}

/// The language that the ending of a file shows, or of a path; empty where neither does.
fn language(ending: &str, path: &str, code: &Code) -> String {
    let by_ending = format!("code.{}", ending.trim_start_matches('.'));
    let text = if let Code::Bytes(bytes) = code { bytes.as_slice() } else { &[] };
    let mut shown = [by_ending.as_str(), path].into_iter().filter_map(|path| detect::language(path, text));
    shown.find(|&it| !others::is_data(it)).map_or_else(String::new, |it| language_name::of(it).0)
}

impl Entries for FromTable {
    fn read(&mut self, bytes: usize, sink: &mut Sink<'_>) -> Result<(), EntriesError> {
        let Self { table, reader } = self;
        read(table, bytes, &|row| reader.entry(row), sink)
    }
}

/// Whether a column with a name that others use for something else holds what we mean: `passed` may be true or false, and `time`
/// what a program took.
fn is_meant(name: &str, theirs: &str, text: &str) -> bool {
    match (name, theirs) {
        ("accuracy", "passed") => is_accuracy(text),
        ("date", "time") => is_date(text),
        _ => true,
    }
}

/// The rows of a table of problems. Beside the columns of a problem it may have `text`, `statement` or `html`, and `samples`: a list
/// of objects with `in` (or `input`) and `out` (or `output`), of which the first counts; or the columns `input` and `output`.
pub(super) struct ProblemsOfTable {
    name: String,
    table: Table,
}

impl ProblemsOfTable {
    pub(super) fn open(path: &Path, row_bytes: u64) -> Result<Self, EntriesError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, table: Table::open_within(path, &[], row_bytes)? })
    }
}

impl Entries for ProblemsOfTable {
    fn read(&mut self, bytes: usize, sink: &mut Sink<'_>) -> Result<(), EntriesError> {
        let Self { table, name } = self;
        let entry = |row: RawRow| {
            let path = format!("{name}:{}", row.number);
            let problem = row.fields().map_err(|error| error.to_string());
            match problem
                .and_then(|fields| problem_of(&fields).ok_or_else(|| "there is no problem_id".to_owned()))
            {
                Ok(problem) => Entry::Problem(Box::new(problem)),
                Err(reason) => Entry::Skip { path, reason },
            }
        };
        read(table, bytes, &entry, sink)
    }
}

/// Gives all rows of a table to `sink`.
fn read(
    table: &mut Table,
    bytes: usize,
    entry: &(dyn Fn(RawRow) -> Entry + Sync),
    sink: &mut Sink<'_>,
) -> Result<(), EntriesError> {
    loop {
        let rows = table.batch(bytes)?;
        if rows.is_empty() {
            return Ok(());
        }
        let entries: Vec<_> = rows.into_par_iter().map(entry).collect();
        if entries.into_iter().try_for_each(&mut *sink).is_break() {
            return Ok(());
        }
    }
}

fn problem_of(fields: &Map<String, Value>) -> Option<RawProblem> {
    let id = text_of(fields, &["problem_id", "id"])?;
    let field = |name: &str| text_of(fields, &[name]).unwrap_or_default();
    let sample = fields
        .get("samples")
        .and_then(Value::as_array)
        .and_then(|all| all.first())
        .and_then(Value::as_object);
    let bytes = |text: Option<String>| text.map(String::into_bytes);
    let of_sample = |names: &[&str]| {
        // A program may be given nothing.
        let is_empty = |sample: &Map<String, Value>| {
            names.iter().any(|name| sample.get(*name).and_then(Value::as_str) == Some(""))
        };
        sample
            .and_then(|sample| text_of(sample, names).or_else(|| is_empty(sample).then(String::new)))
            .or_else(|| text_of(fields, names))
    };
    Some(RawProblem {
        statement: bytes(text_of(fields, &["html", "statement", "text", "description"])),
        input: bytes(of_sample(&["input", "in"])),
        output: bytes(of_sample(&["output", "out"])),
        problem: Problem {
            id: id.clone(),
            name: text_of(fields, &["name", "title"]).unwrap_or_default(),
            dataset: field("dataset"),
            time_limit: field("time_limit"),
            memory_limit: field("memory_limit"),
            rating: field("rating"),
            tags: field("tags"),
            complexity: field("complexity"),
            source_id: id,
        },
    })
}
