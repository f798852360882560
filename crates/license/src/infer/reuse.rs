//! `REUSE.toml`, version 1 of its format (REUSE 3.2 and later).

use toml::{Table, Value};

use super::conclude::AGGREGATE;
use super::glob::{Dialect, Glob};
use crate::{Expression, InvalidExpression, Layer, LayerKind};

/// What one `REUSE.toml` says of the files below its folder.
#[derive(Debug, Default)]
pub(super) struct ReuseToml {
    annotations: Vec<Annotation>,
}

#[derive(Debug)]
struct Annotation {
    paths: Vec<Glob>,
    precedence: Precedence,
    expression: Option<Expression>,
    evidence: String,
}

/// How an annotation goes together with what the file itself says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Precedence {
    /// It counts where the file says nothing.
    Closest,
    /// Both count.
    Aggregate,
    /// It counts alone.
    Override,
}

impl Precedence {
    const NAMES: [(&str, Self); 3] =
        [("closest", Self::Closest), (AGGREGATE, Self::Aggregate), ("override", Self::Override)];

    fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, known)| *known == self).map_or("closest", |&(name, _)| name)
    }
}

impl ReuseToml {
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
        if table.get("version").and_then(Value::as_integer) != Some(1) {
            wrong("`version` is not 1, the only one that is known".to_owned());
            return Self::default();
        }
        let rows = table.get("annotations").and_then(Value::as_array).into_iter().flatten();
        let mut annotations = Vec::new();
        for (number, row) in (1..).zip(rows) {
            match annotation(row, &mut wrong) {
                Ok(annotation) => annotations.push(annotation),
                Err(reason) => wrong(format!("annotation {number}: {reason}")),
            }
        }
        Self { annotations }
    }

    /// What it says of the file at `path` below its folder: its last annotation that names the file. `from` is its own path.
    pub(super) fn layer(&self, path: &str, from: &str) -> Option<Layer> {
        let names = |annotation: &&Annotation| annotation.paths.iter().any(|glob| glob.matches(path));
        let found = self.annotations.iter().rev().find(names)?;
        Some(Layer {
            kind: if found.precedence == Precedence::Override {
                LayerKind::ReuseOverride
            } else {
                LayerKind::Reuse
            },
            expression: found.expression.clone(),
            evidence: found.evidence.clone(),
            path: Some(from.to_owned()),
            lines: None,
            score: None,
            rule: Some(found.precedence.name().to_owned()),
        })
    }
}

/// Why an annotation cannot be read.
#[derive(Debug, thiserror::Error)]
enum AnnotationError {
    #[error("`path` is neither a text nor a list of texts")]
    Path,
    #[error("`precedence` is none of closest, aggregate, override")]
    Precedence,
    #[error("`SPDX-License-Identifier` is neither a text nor a list of texts")]
    License,
    #[error("`{0}`: {1}")]
    Expression(String, InvalidExpression),
}

fn annotation(row: &Value, wrong: &mut impl FnMut(String)) -> Result<Annotation, AnnotationError> {
    let written = texts(row.get("path")).ok_or(AnnotationError::Path)?;
    let glob = |text: &&str| Glob::parse(text, Dialect::Reuse);
    let paths: Vec<Glob> = written.iter().filter_map(glob).collect();
    if paths.len() < written.len() {
        wrong("a path of several thousand bytes".to_owned());
    }
    let precedence = match row.get("precedence") {
        None => Precedence::Closest,
        Some(value) => {
            let known = |name: &str| Precedence::NAMES.iter().find(|(known, _)| *known == name);
            value.as_str().and_then(known).ok_or(AnnotationError::Precedence)?.1
        }
    };
    let licenses = match row.get("SPDX-License-Identifier") {
        None => Vec::new(),
        value => texts(value).ok_or(AnnotationError::License)?,
    };
    let mut expression: Option<Expression> = None;
    for text in &licenses {
        match Expression::parse(text) {
            // All of them hold.
            Ok(one) => expression = Some(expression.map_or(one.clone(), |all| all.and(one))),
            Err(error) => {
                return Err(AnnotationError::Expression(super::shortened(text).into_owned(), error));
            }
        }
    }
    let evidence = match (&expression, precedence) {
        (None, _) => "an annotation without SPDX-License-Identifier".to_owned(),
        (_, Precedence::Aggregate) => "an annotation that adds to what the file says".to_owned(),
        (_, Precedence::Override) => "an annotation that counts before what the file says".to_owned(),
        _ => "an annotation".to_owned(),
    };
    Ok(Annotation { paths, precedence, expression, evidence })
}

/// A text, or a list of them.
pub(super) fn texts(value: Option<&Value>) -> Option<Vec<&str>> {
    match value? {
        Value::String(text) => Some(vec![text]),
        Value::Array(rows) => rows.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (ReuseToml, Vec<String>) {
        let mut reasons = Vec::new();
        let reuse = ReuseToml::read(text, |reason| reasons.push(reason));
        (reuse, reasons)
    }

    fn layer_of(reuse: &ReuseToml, path: &str) -> Option<(LayerKind, String)> {
        let layer = reuse.layer(path, "REUSE.toml")?;
        Some((layer.kind, layer.expression.map_or("-".to_owned(), |expression| expression.to_string())))
    }

    #[test]
    fn the_last_annotation_that_names_a_file_counts() {
        let (reuse, reasons) = read(
            "version = 1\n[[annotations]]\npath = '**'\nSPDX-License-Identifier = 'MIT'\n\
             [[annotations]]\npath = ['img/*.png', 'a.c']\nprecedence = 'override'\nSPDX-License-Identifier = ['CC0-1.0', 'ISC']\n\
             [[annotations]]\npath = 'odd.c'\nSPDX-FileCopyrightText = 'me'\n",
        );
        assert_eq!(reasons, [""; 0]);
        let both = "CC0-1.0 AND ISC".to_owned();
        assert_eq!(layer_of(&reuse, "b.c"), Some((LayerKind::Reuse, "MIT".to_owned())));
        assert_eq!(layer_of(&reuse, "img/a.png"), Some((LayerKind::ReuseOverride, both.clone())));
        assert_eq!(layer_of(&reuse, "img/b/a.png"), Some((LayerKind::Reuse, "MIT".to_owned())));
        assert_eq!(layer_of(&reuse, "a.c"), Some((LayerKind::ReuseOverride, both)));
        assert_eq!(layer_of(&reuse, "odd.c"), Some((LayerKind::Reuse, "-".to_owned())));
    }

    #[test]
    fn what_cannot_be_read_has_a_reason_and_the_rest_stays() {
        for (text, reason) in [
            ("version = 1\n[[annotations", "unclosed"),
            ("version = 2", "not 1"),
            ("version = 1\n[[annotations]]\npath = 3", "annotation 1: `path`"),
            ("version = 1\n[[annotations]]\npath = 'a'\nprecedence = 'first'", "none of closest"),
            ("version = 1\n[[annotations]]\npath = 'a'\nSPDX-License-Identifier = 'My own'", "`My own`"),
        ] {
            let (_, reasons) = read(text);
            assert!(reasons.len() == 1 && reasons[0].contains(reason), "{text}: {reasons:?}");
        }
        let (reuse, reasons) = read(
            "version = 1\n[[annotations]]\n[[annotations]]\npath = 'a'\nSPDX-License-Identifier = 'MIT'",
        );
        assert_eq!((reasons.len(), layer_of(&reuse, "a").is_some()), (1, true));
    }
}
