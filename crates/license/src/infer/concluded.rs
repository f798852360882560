//! What people concluded, as `familiar.toml` has it:
//!
//! ```toml
//! [[license.concluded]]
//! path = "vendor/tiny/**"
//! expression = "MIT"
//! reason = "asked the author, mail of 3 May"
//! ```

use toml::{Table, Value};

use super::glob::{Dialect, Glob};
use super::reuse::texts;
use super::shortened;
use crate::{Expression, InvalidExpression, Layer, LayerKind};

/// The conclusions of one `familiar.toml`.
#[derive(Debug, Default)]
pub(super) struct Conclusions {
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    paths: Vec<Glob>,
    expression: Expression,
    reason: String,
}

impl Conclusions {
    /// Reads the file; calls `wrong` with what of it cannot be read.
    pub(super) fn read(text: &str, mut wrong: impl FnMut(String)) -> Self {
        let table: Table = match text.parse() {
            Ok(table) => table,
            Err(error) => {
                let error: toml::de::Error = error;
                wrong(error.message().to_owned());
                return Self::default();
            }
        };
        let Some(license) = table.get("license") else { return Self::default() };
        let Some(license) = license.as_table() else {
            wrong("`license` has to be a table; write [[license.concluded]]".to_owned());
            return Self::default();
        };
        for key in license.keys().filter(|key| *key != "concluded") {
            wrong(format!(
                "there is no key `license.{}`; the one key is `license.concluded`",
                shortened(key)
            ));
        }
        let Some(rows) = license.get("concluded") else { return Self::default() };
        let Some(rows) = rows.as_array() else {
            wrong("`license.concluded` has to be a list of tables; write [[license.concluded]]".to_owned());
            return Self::default();
        };
        let mut conclusions = Self::default();
        for (number, value) in (1..).zip(rows) {
            match row(value) {
                Ok(row) => conclusions.rows.push(row),
                Err(reason) => wrong(format!("license.concluded {number}: {reason}")),
            }
        }
        conclusions
    }

    /// What is concluded of the file at `path` below the file's folder: the last row that names it. `from` is its own path.
    pub(super) fn layer(&self, path: &str, from: &str) -> Option<Layer> {
        let names = |row: &&Row| row.paths.iter().any(|glob| glob.matches(path));
        let row = self.rows.iter().rev().find(names)?;
        Some(Layer {
            kind: LayerKind::Concluded,
            expression: Some(row.expression.clone()),
            evidence: row.reason.clone(),
            path: Some(from.to_owned()),
            lines: None,
            score: None,
            rule: None,
        })
    }
}

/// The keys of a row.
const KEYS: [&str; 3] = ["path", "expression", "reason"];

/// Why a row cannot be read.
#[derive(Debug, thiserror::Error)]
enum ConclusionError {
    #[error("it has to be a table")]
    NotATable,
    #[error("there is no key `{0}`; the keys are {keys}", keys = KEYS.join(", "))]
    UnknownKey(String),
    #[error("`path` is neither a text nor a list of texts")]
    Path,
    #[error("a path of several thousand bytes")]
    LongPath,
    #[error("`expression` is missing")]
    NoExpression,
    #[error(transparent)]
    Expression(#[from] InvalidExpression),
    #[error("`reason` is missing; say how it was found out")]
    NoReason,
}

fn row(value: &Value) -> Result<Row, ConclusionError> {
    let table = value.as_table().ok_or(ConclusionError::NotATable)?;
    if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(ConclusionError::UnknownKey(shortened(key).into_owned()));
    }
    let written = texts(table.get("path")).ok_or(ConclusionError::Path)?;
    let mut paths = Vec::new();
    for text in written {
        // A folder stands for all that is in it.
        let text = text.strip_suffix('/').map_or(text.to_owned(), |folder| format!("{folder}/**"));
        paths.push(Glob::parse(&text, Dialect::Reuse).ok_or(ConclusionError::LongPath)?);
    }
    let text =
        |key: &str| table.get(key).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty());
    let expression = text("expression").ok_or(ConclusionError::NoExpression)?;
    let expression = Expression::parse(expression)?;
    let reason = text("reason").ok_or(ConclusionError::NoReason)?;
    Ok(Row { paths, expression, reason: shortened(reason).into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Conclusions, Vec<String>) {
        let mut reasons = Vec::new();
        let conclusions = Conclusions::read(text, |reason| reasons.push(reason));
        (conclusions, reasons)
    }

    #[test]
    fn the_last_row_that_names_a_file_counts() {
        let (conclusions, reasons) = read(
            "types = [1]\n[[license.concluded]]\npath = 'vendor/'\nexpression = 'MIT'\nreason = 'a'\n\
             [[license.concluded]]\npath = ['vendor/x/*.c']\nexpression = 'ISC'\nreason = 'b'\n",
        );
        assert_eq!(reasons, [""; 0]);
        let evidence_of = |path: &str| conclusions.layer(path, "familiar.toml").map(|layer| layer.evidence);
        assert_eq!(evidence_of("vendor/y/z.c").as_deref(), Some("a"));
        assert_eq!(evidence_of("vendor/x/z.c").as_deref(), Some("b"));
        assert_eq!(evidence_of("z.c"), None);
    }

    #[test]
    fn what_is_wrong_has_a_reason() {
        let row = |fields: &str| format!("[[license.concluded]]\n{fields}");
        for (text, reason) in [
            (row("path = 'a'\nexpression = 'My own'\nreason = 'x'"), "`My`"),
            (row("path = 'a'\nexpression = 'MIT'"), "`reason` is missing"),
            (row("expression = 'MIT'\nreason = 'x'"), "`path`"),
            (row("paths = 'a'"), "there is no key `paths`"),
            ("[license]\nconcluded = 1".to_owned(), "has to be a list of tables"),
            ("[license".to_owned(), "unclosed"),
            ("[license]\nother = 1".to_owned(), "there is no key `license.other`"),
            ("license = 1".to_owned(), "`license` has to be a table"),
        ] {
            let (_, reasons) = read(&text);
            assert!(reasons.len() == 1 && reasons[0].contains(reason), "{text}: {reasons:?}");
        }
        assert!(read("[license]\n[audit]\nlicense = 'MIT'").1.is_empty());
    }
}
