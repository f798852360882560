//! Exceptions that stand beside the license that they belong to: a notice of the GPL, and a paragraph below it that permits to link.

use super::{LicenseMatch, MatchKind, Note};
use crate::{Expression, License};

/// Most lines between a license and its exception.
const LINES: u32 = 12;

/// Joins each license with the exception after it; `matches` are in the order of the text.
pub(super) fn joined(text: &str, matches: Vec<LicenseMatch>) -> Vec<LicenseMatch> {
    let mut all: Vec<LicenseMatch> = Vec::with_capacity(matches.len());
    for found in matches {
        match all.last_mut().and_then(|last| Some((with(text, last, &found)?, last))) {
            Some((license, last)) => {
                last.expression = Expression::License(license);
                last.note = Some(Note::Excepted);
                last.score = last.score.min(found.score);
                last.lines.1 = last.lines.1.max(found.lines.1);
                last.bytes.1 = last.bytes.1.max(found.bytes.1);
            }
            None => all.push(found),
        }
    }
    all
}

/// The license of one match with the exception of the next one; none where they do not belong together.
fn with(text: &str, one: &LicenseMatch, next: &LicenseMatch) -> Option<License> {
    let (Expression::License(license), Expression::License(other)) = (&one.expression, &next.expression)
    else {
        return None;
    };
    // A tag says all that it means.
    let is_whole = license.exception.is_some() || one.kind == MatchKind::Text || next.kind == MatchKind::Tag;
    if is_whole || next.lines.0 > one.lines.1 + LINES {
        return None;
    }
    let exception = match (other.exception.as_deref(), Expression::lone_exception(&other.id)) {
        (Some(exception), _) if is_same_or_later(&license.id, &other.id) => exception,
        (None, Some(exception)) if is_of_gnu(&license.id) || is_with(text, one, next) => exception,
        _ => return None,
    };
    Some(License { id: license.id.clone(), exception: Some(exception.to_owned()) })
}

/// Whether *with* alone stands between two matches.
fn is_with(text: &str, one: &LicenseMatch, next: &LicenseMatch) -> bool {
    text.get(one.bytes.1..next.bytes.0).is_some_and(|gap| gap.trim().eq_ignore_ascii_case("with"))
}

/// Whether a license is that of a notice of its exception, which may know no more of the version than its own.
fn is_same_or_later(license: &str, of_exception: &str) -> bool {
    license == of_exception
        || license
            .strip_suffix("-or-later")
            .is_some_and(|name| of_exception.strip_suffix("-only") == Some(name))
}

fn is_of_gnu(id: &str) -> bool {
    ["GPL-", "LGPL-", "AGPL-"].iter().any(|name| id.starts_with(name))
}

#[cfg(test)]
mod tests {
    use crate::Detector;

    #[test]
    fn an_exception_belongs_to_the_license_before_it() {
        for (text, expected) in [
            (
                "Licensed under GPL-2.0-only WITH Classpath-exception-2.0",
                "GPL-2.0-only WITH Classpath-exception-2.0",
            ),
            (
                "This code is free software; you can redistribute it and/or modify it\nunder the terms of the GNU General Public \
                 License version 2 only, as\npublished by the Free Software Foundation. Foo designates this\nparticular file as \
                 subject to the \"Classpath\" exception as provided\nby Foo in the LICENSE file that accompanied this code.",
                "GPL-2.0-only WITH Classpath-exception-2.0",
            ),
            (
                "Foo is free software; you can redistribute it and/or modify it under the\nterms of the GNU General Public License \
                 as published by the Free Software\nFoundation; either version 3, or (at your option) any later version.\n\nUnder \
                 Section 7 of GPL version 3, you are granted additional\npermissions described in the GCC Runtime Library \
                 Exception, version\n3.1, as published by the Free Software Foundation.",
                "GPL-3.0-or-later WITH GCC-exception-3.1",
            ),
            (
                "This is under the MIT License.\n\nParts are licensed under Apache-2.0 WITH LLVM-exception",
                "MIT AND Apache-2.0 WITH LLVM-exception",
            ),
        ] {
            let found = Detector::embedded().detect(text).expression().map(|found| found.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
    }
}
