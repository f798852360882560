//! Words that name a license without its version, beside a notice that says the version.

use super::words::{floor, words};
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

/// What a version stands beside.
const BEFORE_VERSION: [&str; 8] = ["version", "versions", "v", "license", "licence", "gpl", "lgpl", "agpl"];
/// What the rules for the foundation's postal address start with.
const ADDRESS: &str = "other-copyleft_fsf_address";

/// Takes out the paragraph on warranties, the one on the copy of the license and the foundation's address, that follow a notice for a
/// version of the same license: they are about the license that was given, and name no other one.
pub(super) fn split(text: &str, matches: Vec<LicenseMatch>) -> (Vec<LicenseMatch>, Vec<LicenseMatch>) {
    let belongs = |at| {
        belongs_to_notice(text, &matches, at) || is_beginning(text, &matches, at) || is_address(&matches, at)
    };
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
    let start = floor(text, found.bytes.0.saturating_sub(BEFORE));
    let end = floor(text, (found.bytes.1 + AFTER).min(text.len()));
    let joined = words(&text[start..end]).join(" ");
    !has_version(text, found) && PHRASES.iter().any(|phrase| joined.contains(phrase))
}

/// Whether the words of a match say a version: one beside *version*, *v* or the name. Other numbers are those of an address.
fn has_version(text: &str, found: &LicenseMatch) -> bool {
    let words = words(&text[found.bytes.0..found.bytes.1]);
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    // `v2`, `GPLv3`, `lgpl21`
    let is_versioned = |word: &str| {
        let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
        name.len() < word.len()
            && BEFORE_VERSION.contains(&name.strip_suffix('v').filter(|n| !n.is_empty()).unwrap_or(name))
    };
    words.iter().any(|word| is_versioned(word))
        || words.windows(2).any(|pair| BEFORE_VERSION.contains(&&*pair[0]) && is_number(&pair[1]))
}

/// Whether a match is the foundation's postal address, with which the notices of its licenses end.
fn is_address(matches: &[LicenseMatch], at: usize) -> bool {
    let found = &matches[at];
    let is_notice = |other: &LicenseMatch| {
        let licenses = other.expression.licenses();
        licenses.iter().any(|license| FAMILIES.iter().any(|family| license.id.starts_with(family.1)))
    };
    found.rule.starts_with(ADDRESS)
        && matches[..at]
            .iter()
            .rev()
            .take_while(|other| other.lines.1 + LINES >= found.lines.0)
            .any(is_notice)
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    const ADDRESS: &str = "if not, write to the Free Software Foundation, Inc., 51 Franklin Street,\nFifth Floor, Boston, MA 02110-1301 USA.";

    fn notice(name: &str, version: &str) -> String {
        format!(
            "This program is free software; you can redistribute it and/or modify\nit under the terms of the GNU {name} {version}.\n\n\
             You should have received a copy of the GNU {name}\nalong with this program; {ADDRESS}\n"
        )
    }

    #[test]
    fn the_address_of_the_foundation_is_no_version() {
        for (name, version, expected) in [
            ("General Public License", "version 2 only", "GPL-2.0-only"),
            ("General Public License", "version 3 or later", "GPL-3.0-or-later"),
            ("Lesser General Public License", "version 2.1 only", "LGPL-2.1-only"),
            ("Affero General Public License", "version 3", "AGPL-3.0-only"),
            ("Affero General Public License", "version 3 or later", "AGPL-3.0-or-later"),
        ] {
            check(&notice(name, version), expected);
        }
    }

    #[test]
    fn a_version_of_its_own_stays() {
        let copy = |license: &str| {
            format!(
                "This program is under the GNU General Public License version 3.\n\nYou should have received a copy of {license}\n\
                 along with this program; {ADDRESS}\n"
            )
        };
        check(&copy("the GNU General Public License"), "GPL-3.0-only");
        check(&copy("the GNU Lesser General Public License version 2"), "GPL-3.0-only AND LGPL-2.0-only");
    }
}
