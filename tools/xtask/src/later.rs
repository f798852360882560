//! What a rule says of later versions of a GNU license, by its own words. Some of ScanCode's rules say *or later* for a text that names
//! one version alone, and others name one version for a text that allows later ones.

use familiar_license::rules::{Flags, Words};

/// How texts name a license before its version, in short and in full.
const NAMES: [&str; 5] = ["gpl", "lgpl", "agpl", "gfdl", "fdl"];
const IN_FULL: [&str; 2] = ["license", "licence"];
/// The words that a family of licenses is named by.
const FAMILIES: [(&str, &[&str]); 4] = [
    ("AGPL", &["affero", "agpl"]),
    ("LGPL", &["lesser", "library", "lgpl"]),
    ("GFDL", &["documentation", "gfdl", "fdl"]),
    ("GPL", &["general", "gpl"]),
];
/// The farthest that they stand before the version, in words.
const NEAR: usize = 8;
/// Words before a number that is a version.
const VERSION: [&str; 3] = ["version", "v", "ver"];
/// Words by which texts speak of other versions than the one that they name.
const LATER: [&str; 14] = [
    "later",
    "latter",
    "newer",
    "greater",
    "higher",
    "above",
    "subsequent",
    "successiva",
    "plus",
    "future",
    "recent",
    "either",
    "option",
    "versions",
];
/// Of those, the ones that allow later versions after `or`.
const ALLOWED: [&str; 6] = ["later", "newer", "greater", "higher", "above", "subsequent"];
/// Words that may stand between a version and `or`, and between `or` and *later*.
const BETWEEN: [&str; 12] =
    ["of", "the", "gnu", "general", "public", "license", "licence", "at", "your", "option", "any", "version"];
/// Words after `or` for later versions, which stand in other places, too.
const MORE: [&str; 4] = ["more", "up", "over", "beyond"];
/// Words of a text that names one version only, quotes what others say, or leaves the choice to somebody.
const LIMITS: [&str; 6] = ["only", "specifically", "indicating", "specifies", "accepted", "approved"];
/// What sentences contain that speak of a license and grant nothing: of what it says, or of where its text is kept, as in Debian's folder.
const ABOUT: [&str; 6] =
    ["section ", "Section ", "requirements", "common-licenses", "complete text", "full text"];

/// The expression of a rule as its text has it. A version that is named alone is that version alone, and *or any later version* allows
/// later ones. Where the words leave it open, the rule's expression stays.
pub(crate) fn as_said(expression: String, flags: Flags, text: &str) -> String {
    let is_foreign = || text.chars().any(|c| c.is_alphabetic() && !c.is_ascii());
    if flags.has(Flags::TEXT) || !expression.contains("GPL-") && !expression.contains("GFDL-") || is_foreign()
    {
        return expression;
    }
    let words = words(&statements(text));
    let is_gnu = |id: &&str| id.contains("GPL-") || id.contains("GFDL-");
    let is_one = expression.split([' ', '(', ')']).filter(is_gnu).count() == 1;
    let speaks_of_later = speaks_of_later(text, &words);
    let allows_later = is_one && !words.iter().any(|word| LIMITS.contains(&word.as_str()));
    let said = |id: &str| -> Option<String> {
        let name = id.strip_suffix("-or-later").or_else(|| id.strip_suffix("-only"))?;
        let (family, version) = name.split_once('-')?;
        let version = version.split_once('-').map_or(version, |(version, _)| version);
        let version = <[&str; 2]>::from(version.split_once('.')?);
        let named = Named { words: &words, family, version };
        let ends: Vec<usize> = (0..words.len()).filter_map(|at| named.end_of_version(at)).collect();
        let is_later = |&end: &usize| goes_on_with_later(&words, end);
        let ending = if id.ends_with("-or-later") {
            (!speaks_of_later && !ends.is_empty()).then_some("only")
        } else {
            // A version that is named alone elsewhere leaves it open.
            let is_said = !ends.is_empty() && ends.iter().all(is_later);
            (allows_later && is_said).then_some("or-later")
        };
        Some(format!("{name}-{}", ending?))
    };
    let ids = expression.split(' ').map(|part| {
        let id = part.trim_matches(['(', ')']);
        match said(id).filter(|_| is_gnu(&id)) {
            Some(new) => part.replace(id, &new),
            None => part.to_owned(),
        }
    });
    ids.collect::<Vec<_>>().join(" ")
}

/// The text without addresses, and without the sentences that grant nothing.
fn statements(text: &str) -> String {
    let ends = text.match_indices(['.', '\n']).filter(|(at, _)| {
        let rest = &text[at + 1..];
        rest.starts_with(['\n', ' ']) && !(text[*at..].starts_with('\n') && rest.starts_with(' '))
    });
    let (mut kept, mut from) = (String::new(), 0);
    for end in ends.map(|(at, _)| at + 1).chain([text.len()]) {
        let sentence = &text[from..end];
        let is_about = |part: &str| ABOUT.iter().any(|words| part.contains(words));
        let before = sentence.split("On Debian").next().unwrap_or_default();
        let said = if is_about(sentence) { before } else { sentence };
        if !is_about(said) {
            let is_address =
                |word: &&str| word.contains("://") || word.contains("www.") || word.contains("gnu.org");
            said.split_whitespace().filter(|word| !is_address(word)).for_each(|word| {
                kept.push_str(word);
                kept.push(' ');
            });
        }
        from = end;
    }
    kept
}

fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut all) = (Words::new(text), String::new(), Vec::new());
    while words.next_into(&mut word).is_some() {
        all.push(word.clone());
    }
    all
}

fn speaks_of_later(text: &str, words: &[String]) -> bool {
    let is_any_version = |at: usize| {
        words[at] == "any" && words.iter().skip(at + 1).take(3).any(|word| word.starts_with("version"))
    };
    let is_more =
        |at: usize| words[at] == "or" && words.get(at + 1).is_some_and(|word| MORE.contains(&word.as_str()));
    let is_later = |at: usize| {
        let word = words[at].as_str();
        LATER.contains(&word)
            || word.ends_with('+')
            || word.ends_with("plus")
            || is_any_version(at)
            || is_more(at)
    };
    // A `+` that belongs to no word: `[GPL-3.0]+`.
    let is_cut = || words.last().is_some_and(|word| word == "any" || word == "or");
    (0..words.len()).any(is_later) || is_cut() || text.contains("]+") || text.contains(")+")
}

/// The words of a text, and the license whose version is looked for in them.
struct Named<'a> {
    words: &'a [String],
    family: &'a str,
    version: [&'a str; 2],
}

impl Named<'_> {
    /// The place after the version, if it is named at `at`: `version 2`, `GPL-2.0`, `GPLv2`, `license v2`.
    fn end_of_version(&self, at: usize) -> Option<usize> {
        let word = self.words[at].trim_end_matches('+');
        let is_after = |before: &[&str]| at > 0 && before.contains(&self.words[at - 1].as_str());
        let after_v = || VERSION.iter().find_map(|prefix| number(word.strip_prefix(prefix)?));
        let (major, is_glued) = if let Some(digits) = number(word) {
            if !is_after(&VERSION) && !is_after(&NAMES) {
                return None;
            }
            (digits, false)
        } else if is_after(&NAMES) || is_after(&IN_FULL) {
            (after_v()?, false)
        } else {
            let digits = word.find(|c: char| c.is_ascii_digit())?;
            let name = word[..digits].trim_end_matches('v');
            (number(&word[digits..]).filter(|_| NAMES.contains(&name))?, true)
        };
        let next = self.words.get(at + 1).map(|word| word.trim_end_matches('+'));
        let minor = next.filter(|word| word.len() == 1 && number(word).is_some());
        let end = at + 1 + usize::from(minor.is_some());
        let fits = [major, minor.unwrap_or("0")] == self.version;
        (fits && self.is_of_family(at + usize::from(is_glued), end)).then_some(end)
    }

    /// Whether the words before a version name the family, and no other one.
    fn is_of_family(&self, at: usize, end: usize) -> bool {
        let before = &self.words[at.saturating_sub(NEAR)..at];
        let ends = |word: &String| matches!(word.as_str(), "or" | "and") || number(word).is_some();
        let start = before.iter().rposition(ends).map_or(0, |last| last + 1);
        if let Some((named, _)) = FAMILIES.iter().find(|(_, names)| are_named(&before[start..], names)) {
            return *named == self.family;
        }
        // `version 2 of the License`, `as published by the Free Software Foundation, version 2`
        let of_the_license = self.words[end..].iter().take(3).any(|word| IN_FULL.contains(&word.as_str()));
        let mut own = FAMILIES.iter().filter(|(family, _)| *family == self.family);
        (of_the_license || before.iter().any(|word| word == "foundation"))
            && own.any(|(_, names)| are_named(self.words, names))
    }
}

fn are_named(words: &[String], names: &[&str]) -> bool {
    let is_digit_or_v = |c: char| c.is_ascii_digit() || matches!(c, 'v' | '+');
    words.iter().any(|word| names.contains(&word.trim_end_matches(is_digit_or_v)))
}

fn number(word: &str) -> Option<&str> {
    (!word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())).then_some(word)
}

/// Whether *or any later version* follows a version, or it ends in `+`.
fn goes_on_with_later(words: &[String], end: usize) -> bool {
    let mut rest = words[end..].iter().map(String::as_str).skip_while(|word| BETWEEN.contains(word));
    words[end - 1].ends_with('+')
        || rest.next() == Some("or")
            && rest.find(|word| !BETWEEN.contains(word)).is_some_and(|word| ALLOWED.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_alone_is_that_version_and_later_ones_are_allowed_where_they_are_said() {
        let kept = "On Debian systems, the text of the GNU General Public License version 2 is in /usr/share/common-licenses/GPL-2.";
        let proviso = "GPL version 3 or any later version accepted by the membership of the pony club";
        let quoted = "where the language says GPLv2 or any later version, Pony uses only the GPLv2";
        for (expression, text, expected) in [
            (
                "LGPL-2.0-or-later",
                "under the {{GNU Lesser General Public License version 2}}. WITHOUT ANY WARRANTY.",
                "LGPL-2.0-only",
            ),
            ("LGPL-2.1-or-later", "the GNU Lesser General Public License, version 2.1", "LGPL-2.1-only"),
            ("LGPL-2.0-or-later", "the GNU Lesser General Public License, version 2.1", "LGPL-2.0-or-later"),
            ("GPL-2.0-or-later", "under the GPLv2", "GPL-2.0-only"),
            (
                "GPL-2.0-or-later",
                "the GNU General Public License as published by the FSF; version 2 of the License.",
                "GPL-2.0-only",
            ),
            ("GPL-2.0-or-later", "LICENSE GPL-2.0 https://spdx.org/licenses/GPL-2.0", "GPL-2.0-only"),
            (
                "GPL-2.0-or-later WITH Pony-exception OR MIT",
                "GPL v2 with the exception, or MIT",
                "GPL-2.0-only WITH Pony-exception OR MIT",
            ),
            ("GPL-2.0-or-later", "GPL2_OR_LATER", "GPL-2.0-or-later"),
            ("GPL-2.0-or-later", "GPL version 2 or any version after it", "GPL-2.0-or-later"),
            ("GPL-2.0-or-later", kept, "GPL-2.0-or-later"),
            ("GPL-2.0-or-later", "see gnu.org/licenses/gpl-2.0.html", "GPL-2.0-or-later"),
            (
                "GPL-1.0-or-later",
                "under the GNU General Public License, WITHOUT ANY WARRANTY",
                "GPL-1.0-or-later",
            ),
            (
                "GPL-3.0-only",
                "the GNU General Public License as published by the FSF, either version 3 of the Licence, or (at your option) any later version",
                "GPL-3.0-or-later",
            ),
            ("AGPL-3.0-only", "GNU AGPL v3+", "AGPL-3.0-or-later"),
            ("GPL-2.0-only", "GPL v2 and no later version", "GPL-2.0-only"),
            ("GPL-2.0-only", quoted, "GPL-2.0-only"),
            (
                "GPL-2.0-or-later WITH eCos-exception-2.0",
                "eCos license version 2.0",
                "GPL-2.0-or-later WITH eCos-exception-2.0",
            ),
            (
                "LGPL-2.0-or-later OR AFL-3.0",
                "the LGPL, and the Academic Free License, version 2.0",
                "LGPL-2.0-or-later OR AFL-3.0",
            ),
            ("GPL-3.0-or-later", "licensed under the GNU [GPL-3.0]+ license", "GPL-3.0-or-later"),
            (
                "GPL-3.0-or-later",
                "Additional permission under GNU GPL version 3 section 7",
                "GPL-3.0-or-later",
            ),
            ("GPL-3.0-only", proviso, "GPL-3.0-only"),
        ] {
            assert_eq!(as_said(expression.to_owned(), Flags::default(), text), expected, "{text}");
        }
    }
}
