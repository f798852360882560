//! Labelled data: files of JSON lines, whose rows have code and say what it does.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use familiar_source::Language;
use serde_json::Value;

use crate::TrainError;
use crate::problem;
use crate::recipe::{ApartRecipe, SourceRecipe};
use crate::row::Row;

/// The rows of the file at `path` that `source` wants.
pub(crate) fn rows(source: &SourceRecipe, path: &Path) -> Result<Vec<Row>, TrainError> {
    let mut rows = Vec::new();
    for_each_value(path, |line, value| {
        let row_error = |reason| TrainError::Row { path: path.to_owned(), line, reason };
        let field = |name: &str| value.get(name).and_then(Value::as_str);
        let wanted = source.only.iter().all(|filter| {
            field(&filter.field).is_some_and(|value| filter.values.iter().any(|wanted| wanted == value))
        });
        let group = field(&source.group).ok_or_else(|| row_error(format!("it has no {}", source.group)))?;
        let group = problem::canonical(group);
        if !wanted || source.without_groups.iter().any(|start| group.starts_with(start.as_str())) {
            return Ok(());
        }
        let (language, code) = code_of(value, "lang", "code").map_err(row_error)?;
        let author = (source.groups_of_author > 0).then(|| field("author").map(str::to_owned)).flatten();
        rows.push(Row { group: group.into_owned(), language, code: code.to_owned(), author });
        Ok(())
    })?;
    Ok(rows)
}

/// All code in a file of benchmarks below `folder`.
pub(crate) fn code_apart(apart: &ApartRecipe, folder: &Path) -> Result<Vec<(Language, String)>, TrainError> {
    let path = folder.join(&apart.file);
    let mut codes = Vec::new();
    for_each_value(&path, |line, value| {
        for (language, code) in &apart.code {
            let (language, code) = code_of(value, language, code).map_err(|reason| TrainError::Row {
                path: path.clone(),
                line,
                reason,
            })?;
            codes.push((language, code.to_owned()));
        }
        Ok(())
    })?;
    Ok(codes)
}

/// Calls `take` with each line of the JSON lines at `path` and its number.
fn for_each_value(
    path: &Path,
    mut take: impl FnMut(usize, &Value) -> Result<(), TrainError>,
) -> Result<(), TrainError> {
    let read_error = |source| TrainError::Read { path: path.to_owned(), source };
    let file = std::fs::File::open(path).map_err(read_error)?;
    let content: Box<dyn Read> = if path.extension().is_some_and(|ending| ending == "zst") {
        Box::new(zstd::Decoder::new(file).map_err(read_error)?)
    } else {
        Box::new(file)
    };
    for (line, text) in (1..).zip(BufReader::new(content).lines()) {
        let value = serde_json::from_str(&text.map_err(read_error)?).map_err(|error| TrainError::Row {
            path: path.to_owned(),
            line,
            reason: error.to_string(),
        })?;
        take(line, &value)?;
    }
    Ok(())
}

/// A row's code and its language, by the names of their fields.
fn code_of<'v>(value: &'v Value, language: &str, code: &str) -> Result<(Language, &'v str), String> {
    let field = |name: &str| value.get(name).and_then(Value::as_str);
    let found = field(language).and_then(Language::from_name);
    let found = found.ok_or_else(|| format!("its field {language} does not name a known language"))?;
    Ok((found, field(code).ok_or_else(|| format!("it has no {code}"))?))
}
