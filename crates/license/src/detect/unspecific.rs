//! Words that name a license without its version, beside a notice that says the version.

use super::{LicenseMatch, MatchKind};
use crate::Expression;

/// Licenses that rules give for a name without a version, with what the identifiers of the family start with.
const FAMILIES: [(&str, &str); 4] = [
    ("GPL-1.0-or-later", "GPL-"),
    ("LGPL-2.0-or-later", "LGPL-"),
    ("LGPL-2.1-or-later", "LGPL-"),
    ("AGPL-3.0-or-later", "AGPL-"),
];
/// Most lines between a notice and the words that belong to it.
const LINES: u32 = 12;
/// Farthest that the start of its sentence stands before a match, in bytes.
const BEFORE: usize = 80;
/// Most bytes after it that still belong to its sentence: *for more details*.
const AFTER: usize = 24;
/// What the paragraphs after the grant of a notice say.
const PHRASES: [&str; 4] =
    ["without any warranty", "should have received a copy", "for more details", "along with this"];

/// Takes out the paragraph on warranties, and the one on the copy of the license, that follow a notice for a version of the same
/// license: they are about the license that was given, and name no other one.
pub(super) fn split(text: &str, matches: Vec<LicenseMatch>) -> (Vec<LicenseMatch>, Vec<LicenseMatch>) {
    let belongs = |at| belongs_to_notice(text, &matches, at) || is_beginning(text, &matches, at);
    let belongs: Vec<bool> = (0..matches.len()).map(belongs).collect();
    let (mut left, mut taken) = (Vec::new(), Vec::new());
    for (found, belongs) in std::iter::zip(matches, belongs) {
        if belongs { taken.push(found) } else { left.push(found) }
    }
    (left, taken)
}

fn belongs_to_notice(text: &str, matches: &[LicenseMatch], at: usize) -> bool {
    let found = &matches[at];
    let Some(family) = unspecific(&found.expression) else { return false };
    if found.kind == MatchKind::Text || !is_of_notice(text, found) {
        return false;
    }
    let names_version = |other: &LicenseMatch| {
        let Expression::License(license) = &other.expression else { return false };
        license.id.starts_with(family)
            && (unspecific(&other.expression).is_none() || has_version(text, other))
    };
    matches[..at].iter().rev().take_while(|other| other.lines.1 + LINES >= found.lines.0).any(names_version)
}

/// Whether a name is the beginning of the next one, which says the version: *GNU Lesser* of *GNU Lesser GPL, version 3*, and *GNU Lesser
/// General Public License* of *GNU Lesser General Public License (LGPL) version 3*.
fn is_beginning(text: &str, matches: &[LicenseMatch], at: usize) -> bool {
    let (found, Some(next)) = (&matches[at], matches.get(at + 1)) else { return false };
    let Some(family) = unspecific(&found.expression) else { return false };
    let gap = text.get(found.bytes.1..next.bytes.0.max(found.bytes.1)).unwrap_or_default();
    !has_version(text, found)
        && gap.chars().all(|c| c.is_whitespace() || c == '(')
        && matches!(&next.expression, Expression::License(license) if license.id.starts_with(family))
}

/// What the identifiers of its family start with, if an expression stands for any version of it.
fn unspecific(expression: &Expression) -> Option<&'static str> {
    let Expression::License(license) = expression else { return None };
    FAMILIES
        .iter()
        .find(|family| license.id == family.0 && license.exception.is_none())
        .map(|family| family.1)
}

/// Whether the words of a match, or those right beside it, are those of such a paragraph; a version among its own words counts.
fn is_of_notice(text: &str, found: &LicenseMatch) -> bool {
    let mut start = found.bytes.0.saturating_sub(BEFORE);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = (found.bytes.1 + AFTER).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let words: Vec<String> = text[start..end]
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let joined = words.join(" ");
    !has_version(text, found) && PHRASES.iter().any(|phrase| joined.contains(phrase))
}

fn has_version(text: &str, found: &LicenseMatch) -> bool {
    text[found.bytes.0..found.bytes.1].contains(|c: char| c.is_ascii_digit())
}
