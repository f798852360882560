//! Sentences that deny a license: "This file is not licensed under the Apache License". Rules know the words behind *not* alone.

use super::words::floor;
use super::{LicenseMatch, MatchKind};

/// Words that deny what follows; *no* does so before *longer*.
const DENIALS: [&str; 10] =
    ["not", "never", "neither", "nor", "isn't", "aren't", "wasn't", "isn’t", "aren’t", "wasn’t"];
/// What may stand between such a word and the license.
const BETWEEN: &str = "a an any available be been being by covered currently distributed either governed has have in itself licensed \
    licenced license longer made of offered provided published released subject terms the to under version";
/// Words of which one stands there: it is said how the code is given.
const GIVEN: [&str; 11] = [
    "available",
    "covered",
    "distributed",
    "governed",
    "licensed",
    "licenced",
    "offered",
    "published",
    "released",
    "subject",
    "under",
];
/// Words after which the sentence gives what it seemed to deny.
const TURNS: [&str; 6] = ["unless", "until", "except", "only", "other", "solely"];
/// Most bytes of a sentence before a match and after it, and most of such a match.
const AROUND: usize = 200;
const SHORT: usize = 160;
/// Most words between the denial and the license.
const APART: usize = 8;

/// Takes out what is denied.
pub(super) fn split(text: &str, matches: Vec<LicenseMatch>) -> (Vec<LicenseMatch>, Vec<LicenseMatch>) {
    matches.into_iter().partition(|found| !is_denied(text, found))
}

fn is_denied(text: &str, found: &LicenseMatch) -> bool {
    let (start, end) = found.bytes;
    let is_short = end - start <= SHORT && matches!(found.kind, MatchKind::Notice | MatchKind::Reference);
    if !is_short {
        return false;
    }
    let before = sentence_before(&text[floor(text, start.saturating_sub(AROUND))..start]);
    let after = sentence_after(&text[end..floor(text, (end + AROUND).min(text.len()))]);
    let (before, own) = (spoken(before), spoken(&text[start..end]));
    let words: Vec<&str> = before.iter().chain(&own).map(String::as_str).collect();
    let is_denial =
        |at: usize| DENIALS.contains(&words[at]) || words[at] == "no" && words.get(at + 1) == Some(&"longer");
    // A rule that has such a word knows what it says.
    let Some(denial) = (0..before.len()).rev().find(|&at| is_denial(at)) else { return false };
    let behind = &words[denial + 1..];
    let joins = behind.iter().take_while(|word| BETWEEN.split_whitespace().any(|it| it == **word)).count();
    let is_given = behind[..joins].iter().any(|word| GIVEN.contains(word)) || words[denial] == "nor";
    let reaches = denial + 1 + joins >= before.len();
    let turns = words[denial..].iter().copied().any(|word| TURNS.contains(&word))
        || spoken(after).iter().any(|word| TURNS.contains(&word.as_str()));
    joins <= APART && is_given && reaches && !turns
}

/// The words of a stretch in lower case, with their apostrophes.
fn spoken(text: &str) -> Vec<String> {
    let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '\u{2019}');
    let words = text.split(|c| !is_of_word(c)).filter(|word| word.contains(char::is_alphanumeric));
    words.map(str::to_lowercase).collect()
}

/// What of a text stands in the sentence at its end.
fn sentence_before(text: &str) -> &str {
    ends(text).last().map_or(text, |end| &text[end..])
}

/// What of a text stands in the sentence at its beginning.
fn sentence_after(text: &str) -> &str {
    ends(text).next().map_or(text, |end| &text[..end])
}

/// Where sentences and paragraphs end.
fn ends(text: &str) -> impl Iterator<Item = usize> {
    let mut chars = text.char_indices().peekable();
    std::iter::from_fn(move || {
        while let Some((at, c)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let stops = matches!(c, '.' | '!' | '?' | ':') && next.is_none_or(char::is_whitespace);
            if stops || matches!(c, ';' | '(' | ')') || c == '\n' && is_blank(&text[at + 1..]) {
                return Some(at + c.len_utf8());
            }
        }
        None
    })
}

/// Whether the line at the beginning of a text has no words.
fn is_blank(text: &str) -> bool {
    !text.lines().next().unwrap_or_default().contains(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn what_a_sentence_denies_is_no_license() {
        for text in [
            "This software is not licensed under the Apache license.",
            "# This file is not licensed under the\n# Apache License, Version 2.0.",
            "This library is not under the GPL.",
            "The code isn't released under the MIT license.",
            "It is no longer licensed under the MIT license.",
            "This project is not distributed under the terms of the GNU General Public License version 2.",
            "neither licensed under the GPL nor the LGPL",
        ] {
            check(text, "");
        }
    }

    #[test]
    fn what_is_denied_elsewhere_is_given() {
        for (text, expected) in [
            ("It is not released under the Apache License 2.0 but under the MIT license.", "MIT"),
            ("It is not free of bugs. Licensed under the MIT license.", "MIT"),
            (
                "You may not use this file except in compliance with the Apache License, Version 2.0",
                "Apache-2.0",
            ),
            ("This file may not be distributed except under the terms of the MIT license.", "MIT"),
            ("This is not only licensed under the MIT license.", "MIT"),
            ("This is not a toy, and licensed under the MIT license.", "MIT"),
            ("We do not sell it (licensed under the MIT license).", "MIT"),
        ] {
            check(text, expected);
        }
    }
}
