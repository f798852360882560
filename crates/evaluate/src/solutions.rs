//! Files of solutions: rows of code that belong together if they solve the same problem.

use std::collections::HashMap;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::Path;

use familiar_corpus::row;
use familiar_engine::verify::RowTests;
use familiar_source::{Language, language_named};
use familiar_syntax::decode;
use rayon::prelude::*;
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::json_lines::JsonLines;
use crate::names::Names;
use crate::row_error::{CodeError, RowError};
use crate::{EvaluateError, SkippedRow};

/// Rows that are read together.
const BATCH: usize = 2048;

/// Which rows of a file of solutions take part. A row that is not among them is no skipped row.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The field that names the problem.
    pub group: String,
    /// The field that names the problem of rows without that one.
    pub group_otherwise: Option<String>,
    /// All where empty.
    pub languages: Vec<Language>,
    /// Fields and the values they must have.
    pub filters: Vec<(String, String)>,
    /// Only so many rows of a group in each language, the first.
    pub max_per_group: Option<NonZeroUsize>,
    /// One group in so many, chosen by the XXH3 hash of its name.
    pub one_of: Option<NonZeroU64>,
    /// All groups but those that `one_of` with this number takes.
    pub but_one_of: Option<NonZeroU64>,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            group: "problem_id".to_owned(),
            group_otherwise: None,
            languages: Vec::new(),
            filters: Vec::new(),
            max_per_group: None,
            one_of: None,
            but_one_of: None,
        }
    }
}

/// A row that takes part.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Line of the file, from 1.
    pub row: u64,
    /// Number of its group, in the order of first appearance.
    pub group: u32,
    pub language: Language,
    /// Decoded text.
    pub text: Vec<u8>,
    /// What the row says of how the program is tested.
    pub tests: Option<Box<RowTests>>,
}

/// All rows of a file that take part, and those that cannot be used.
pub fn solutions(
    path: &Path,
    selection: &Selection,
) -> Result<(Vec<Solution>, Vec<SkippedRow>), EvaluateError> {
    let mut solutions = Solutions::open(path, selection)?;
    let mut all = Vec::new();
    while let Some(batch) = solutions.batch()? {
        all.extend(batch);
    }
    Ok((all, solutions.skipped))
}

/// The rows of a file, batch after batch.
pub(crate) struct Solutions<'s> {
    selection: &'s Selection,
    lines: JsonLines,
    groups: Names,
    taken: HashMap<(u32, Language), usize>,
    pub(crate) skipped: Vec<SkippedRow>,
}

impl<'s> Solutions<'s> {
    pub(crate) fn open(path: &Path, selection: &'s Selection) -> Result<Self, EvaluateError> {
        let lines = JsonLines::open(path)?;
        Ok(Self { selection, lines, groups: Names::default(), taken: HashMap::new(), skipped: Vec::new() })
    }

    /// The next rows that take part, which may be none; `None` at the end of the file.
    pub(crate) fn batch(&mut self) -> Result<Option<Vec<Solution>>, EvaluateError> {
        let lines = self.lines.batch(BATCH)?;
        if lines.is_empty() {
            return Ok(None);
        }
        let read: Vec<_> = lines.par_iter().map(|(_, line)| read(line, self.selection)).collect();
        let mut solutions = Vec::new();
        for (read, (row, _)) in read.into_iter().zip(lines) {
            match read {
                Ok(None) => {}
                Ok(Some(Read { group, language, text, tests })) => {
                    let group = self.groups.number(group);
                    if self.takes(group, language) {
                        solutions.push(Solution { row, group, language, text, tests });
                    }
                }
                Err(error) => {
                    self.skipped.push(SkippedRow { file: "solutions", row, reason: error.to_string() });
                }
            }
        }
        Ok(Some(solutions))
    }

    fn takes(&mut self, group: u32, language: Language) -> bool {
        let Some(most) = self.selection.max_per_group else { return true };
        let taken = self.taken.entry((group, language)).or_default();
        *taken += 1;
        *taken <= most.get()
    }
}

/// What a row says.
struct Read {
    group: String,
    language: Language,
    text: Vec<u8>,
    tests: Option<Box<RowTests>>,
}

/// What a row says; nothing where it is not selected.
fn read(line: &[u8], selection: &Selection) -> Result<Option<Read>, RowError> {
    let mut row = row::fields(line)?;
    let is = |(field, value): &(String, String)| row.get(field).and_then(written).as_ref() == Some(value);
    if !selection.filters.iter().all(is) {
        return Ok(None);
    }
    let missing = |field: &str| RowError::Field(field.to_owned());
    let group = row
        .get(&selection.group)
        .or_else(|| row.get(selection.group_otherwise.as_ref()?))
        .and_then(written)
        .filter(|group| !group.is_empty())
        .ok_or_else(|| missing(&selection.group))?;
    let is_one_of = |parts: NonZeroU64| xxh3_64(group.as_bytes()).is_multiple_of(parts.get());
    if selection.one_of.is_some_and(|parts| !is_one_of(parts)) || selection.but_one_of.is_some_and(is_one_of)
    {
        return Ok(None);
    }
    let name = row.get("lang").and_then(Value::as_str).ok_or_else(|| missing("lang"))?;
    let language = language_named(name).ok_or_else(|| CodeError::Language(name.to_owned()))?;
    if !selection.languages.is_empty() && !selection.languages.contains(&language) {
        return Ok(None);
    }
    let Some(Value::String(code)) = row.remove("code") else { return Err(missing("code")) };
    let text = decode::decode(code.as_bytes()).map_err(CodeError::NotText)?.text.into_owned();
    let tests = RowTests::of_row(&row).map(Box::new);
    Ok(Some(Read { group, language, text, tests }))
}

/// A value as it is written in a condition: text, a number, true or false.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}
