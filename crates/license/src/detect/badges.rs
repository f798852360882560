//! Badges that name several licenses: `badge/license-Apache2.0/MIT-blue.svg`, `![Apache2/MIT licensed]`. They are a choice, or with
//! *and* hold together, and rules know parts of them only.

use rustc_hash::FxHashMap;

use super::Note;
use super::found::{Found, TagRule};
use super::query::Query;
use super::span::Span;
use super::tags::Said;
use super::words::floor;
use crate::Expression;
use crate::rules::Rules;

/// What stands before the label of a badge, in its address.
const ADDRESS: &str = "badge/";
const LABELS: [&str; 3] = ["license", "licence", "licenses"];
/// What ends an address.
const ENDS: [char; 9] = [')', ']', '>', '<', '"', '\'', '?', '#', '`'];
/// What stands before the text of a picture.
const PICTURE: &str = "![";
/// What may stand around the names in it.
const BEFORE: [&str; 3] = ["license: ", "licence: ", "license "];
const AFTER: [&str; 3] = [" licensed", " license", " licence"];
/// Longest name of a badge, in bytes.
const LONGEST: usize = 120;
/// How badges spell what their addresses may not hold.
const SPELLINGS: [(&str, &str); 6] =
    [("%20", " "), ("%2b", "+"), ("%2f", "/"), ("%7c", "|"), ("--", "-"), ("_", " ")];

/// Adds the badges of a text to its tags, as matches of rules of their own.
pub(super) fn add(
    rules: &Rules,
    names: &FxHashMap<String, &str>,
    text: &str,
    query: &Query,
    (tags, found): (&mut Vec<TagRule>, &mut Vec<Found>),
) {
    let tagged = Span::of_all(found.iter().map(|found| &found.text));
    let of_addresses = text.match_indices(ADDRESS).filter_map(|(at, _)| in_address(text, at + ADDRESS.len()));
    let of_pictures = text.match_indices(PICTURE).filter_map(|(at, _)| of_picture(text, at + PICTURE.len()));
    for (start, value) in of_addresses.chain(of_pictures) {
        let Some(expression) = several(names, value) else { continue };
        let end = value.as_ptr() as usize - text.as_ptr() as usize + value.len();
        let tokens = (query.tokens_before(start), query.tokens_before(end));
        if tokens.1 <= tokens.0 || (tokens.0..tokens.1).any(|token| tagged.holds(token)) {
            continue;
        }
        let note = matches!(expression, Expression::Or(..)).then_some(Note::Offered);
        let said = Said { name: "license-badge", tokens, expression, note };
        said.add(rules, query, (tags, found));
    }
}

/// Where the label of a badge begins, and what the badge says of licenses: between the label and the color.
fn in_address(text: &str, start: usize) -> Option<(usize, &str)> {
    let rest = &text[start..floor(text, (start + LONGEST + 1).min(text.len()))];
    let badge = rest.split(|c: char| c.is_whitespace() || ENDS.contains(&c)).next().unwrap_or(rest);
    let length = badge.find(['-', '/']).filter(|_| badge.len() <= LONGEST)?;
    let (label, mark, value) = (&badge[..length], &badge[length..=length], &badge[length + 1..]);
    LABELS.iter().find(|known| label.eq_ignore_ascii_case(known))?;
    Some((start, value.rsplit_once(mark).map_or(value, |(value, _)| value)))
}

/// The text of a picture, and where it begins.
fn of_picture(text: &str, start: usize) -> Option<(usize, &str)> {
    let rest = &text[start..floor(text, (start + LONGEST + 1).min(text.len()))];
    let (picture, _) = rest.split_once(']')?;
    // Names alone may be of anything.
    let behind = start + picture.len();
    let target = &text[behind..floor(text, (behind + LONGEST).min(text.len()))];
    let target = target.lines().next().unwrap_or_default().to_ascii_lowercase();
    let is_at = |at: usize, part: &str| {
        picture.get(at..at + part.len()).is_some_and(|found| found.eq_ignore_ascii_case(part))
    };
    let from = BEFORE.iter().find(|before| is_at(0, before)).map_or(0, |before| before.len());
    let ends = |after: &&&str| picture.len().checked_sub(after.len()).is_some_and(|at| is_at(at, after));
    let to = picture.len() - AFTER.iter().find(ends).map_or(0, |after| after.len());
    if from == 0 && to == picture.len() && !target.contains("licen") {
        return None;
    }
    Some((start, picture.get(from..to)?))
}

/// The licenses that a badge names side by side or with *and*, if all of them are known.
fn several(names: &FxHashMap<String, &str>, value: &str) -> Option<Expression> {
    let spelled = |value: String, (from, to): &(&str, &str)| value.replace(from, to);
    let value = SPELLINGS.iter().fold(value.to_ascii_lowercase(), spelled).replace(" or ", "/");
    let together = |offer: &str| {
        let licenses = offer.split(" and ").map(|name| license(names, name.trim()));
        licenses.collect::<Option<Vec<Expression>>>()?.into_iter().reduce(Expression::and)
    };
    let offered = value.split(['/', '|']).map(together).collect::<Option<Vec<Expression>>>()?;
    let all = offered.into_iter().reduce(Expression::or).map(Expression::simplified);
    all.filter(|_| value.contains(['/', '|']) || value.contains(" and "))
}

fn license(names: &FxHashMap<String, &str>, name: &str) -> Option<Expression> {
    let id = match name.replace([' ', '-', 'v'], "").as_str() {
        "apache" | "apache2" | "apache2.0" => "Apache-2.0",
        // As rules read a badge with this alone.
        "bsd" => "BSD-3-Clause",
        plain => match gnu(plain) {
            Some(expression) => return Some(expression),
            None => names.get(name).or_else(|| names.get(&name.replace(' ', "-")))?,
        },
    };
    Expression::parse(id).ok()
}

/// The families of GNU licenses, with the versions that there are.
const GNU: [(&str, &[&str]); 3] =
    [("agpl", &["1.0", "3.0"]), ("lgpl", &["2.0", "2.1", "3.0"]), ("gpl", &["1.0", "2.0", "3.0"])];

/// A license of GNU without signs between its parts: `gpl2`, `lgpl3+`, `lgpl2.1`.
fn gnu(plain: &str) -> Option<Expression> {
    let (family, versions) = GNU.iter().find(|(family, _)| plain.starts_with(family))?;
    let version = &plain[family.len()..];
    let (version, or_later) = version.strip_suffix('+').map_or((version, "only"), |it| (it, "or-later"));
    let version = if version.contains('.') { version.to_owned() } else { format!("{version}.0") };
    let is_known = versions.contains(&version.as_str());
    is_known.then(|| Expression::parse(&format!("{family}-{version}-{or_later}")).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::{check, check_all};

    #[test]
    fn a_badge_with_several_licenses_is_a_choice() {
        check_all(&[
            ("![Apache2/MIT licensed][license-image]", "Apache-2.0 OR MIT"),
            (
                "[license-image]: https://img.shields.io/badge/license-Apache2.0/MIT-blue.svg",
                "Apache-2.0 OR MIT",
            ),
            (
                "[![MIT/Apache 2.0](https://img.shields.io/badge/license-MIT%2FApache-blue.svg)](#license)",
                "MIT OR Apache-2.0",
            ),
            (
                "https://img.shields.io/badge/license-MIT%2FApache%2FZlib-blue.svg",
                "MIT OR Apache-2.0 OR Zlib",
            ),
            (
                "https://img.shields.io/badge/license-Apache--2.0_OR_MIT-blue.svg?style=flat",
                "Apache-2.0 OR MIT",
            ),
            (
                "https://img.shields.io/badge/license/Zlib%20OR%20Apache-2.0%20OR%20MIT/blue",
                "Zlib OR Apache-2.0 OR MIT",
            ),
            (
                "https://img.shields.io/badge/license-GPLv2%20/%20LGPLv3-blue.svg",
                "GPL-2.0-only OR LGPL-3.0-only",
            ),
            ("https://img.shields.io/badge/license-GPL--3.0+/MIT-blue.svg", "GPL-3.0-or-later OR MIT"),
            ("https://img.shields.io/badge/license-BSD/MIT-blue.svg", "BSD-3-Clause OR MIT"),
            ("https://img.shields.io/badge/license-MIT%20AND%20Apache--2.0-blue.svg", "MIT AND Apache-2.0"),
            ("https://img.shields.io/badge/licence-MIT%20/%20Apache%202.0-blue.svg", "MIT OR Apache-2.0"),
        ]);
    }

    #[test]
    fn a_badge_with_one_license_is_left_to_the_rules() {
        check("https://img.shields.io/badge/license-MIT-blue.svg", "MIT");
        check("https://img.shields.io/badge/license-Apache%202.0-blue.svg", "Apache-2.0");
        check("![MIT licensed](https://img.shields.io/badge/license-MIT-blue.svg)", "MIT");
        check("![pony/apple](badge/color-red/green)", "");
        check("![zlib/libpng](bench.png)", "");
    }
}
