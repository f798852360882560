//! Detections as tests make them.

use super::Declarations;
use super::read::read;
use crate::detect::{Detected, LicenseMatch, MatchKind};
use crate::{Expression, Layer};

/// The expression that `text` is.
pub(crate) fn expression(text: &str) -> Expression {
    Expression::parse(text).expect(text)
}

/// A match on these lines.
pub(crate) fn found(kind: MatchKind, text: &str, lines: (u32, u32)) -> LicenseMatch {
    LicenseMatch {
        kind,
        expression: expression(text),
        rule: format!("{text}.RULE"),
        score: 1.0,
        lines,
        bytes: (0, 0),
        note: None,
    }
}

/// Matches on one line each.
pub(crate) fn detected(matches: &[(MatchKind, &str)]) -> Detected {
    let on = |(at, (kind, text)): (usize, &(MatchKind, &str))| {
        let line = at as u32 + 1;
        found(*kind, text, (line, line))
    };
    Detected { matches: matches.iter().enumerate().map(on).collect(), mentions: Vec::new() }
}

/// Finds `SPDX-License-Identifier: X` and lines `TEXT X`, `NOTICE X` and `REFERENCE X`.
pub(crate) fn detect(text: &str) -> Detected {
    let kinds = [
        ("SPDX-License-Identifier:", MatchKind::Tag),
        ("TEXT ", MatchKind::Text),
        ("NOTICE ", MatchKind::Notice),
        ("REFERENCE ", MatchKind::Reference),
    ];
    let mut matches = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for (word, kind) in kinds {
            if let Some((_, name)) = line.split_once(word)
                && let Ok(expression) = Expression::parse(name)
            {
                let rule = "test.RULE".to_owned();
                matches.push(LicenseMatch {
                    kind,
                    expression,
                    rule,
                    score: 1.0,
                    lines: (number, number),
                    bytes: (0, 0),
                    note: None,
                });
            }
        }
    }
    Detected { matches, mentions: Vec::new() }
}

/// What files say by their paths and texts.
pub(crate) fn declarations(files: &[(impl AsRef<str>, impl AsRef<str>)]) -> Declarations {
    let read =
        |(path, text): &(_, _)| read(AsRef::as_ref(path), AsRef::<str>::as_ref(text).as_bytes(), &detect);
    Declarations::with(files.iter().map(read), &detect)
}

/// What is said of a file, as `layer expression path`.
pub(crate) fn layers_as_text(files: &[(&str, &str)], path: &str) -> Vec<String> {
    let line = |layer: &Layer| {
        let expression = layer.expression.as_ref().map_or("-".to_owned(), ToString::to_string);
        format!("{} {expression} {}", layer.kind.name(), layer.path.as_deref().unwrap_or_default())
    };
    declarations(files).layers(path).iter().map(line).collect()
}
