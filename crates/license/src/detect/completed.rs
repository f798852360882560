//! What follows a license's name and belongs to no rule: its version, and whether later ones may be taken. Rules cannot know every
//! way to say it, and a name without its version stands for any.

use super::found::{Found, Scene};
use super::span::Span;
use crate::rules::Flags;
use crate::{Expression, License};

/// Words that may stand between a name and its version, and after `version 2 of`.
const BEFORE_VERSION: [&str; 16] = [
    "license",
    "licence",
    "public",
    "version",
    "versions",
    "ver",
    "v",
    "the",
    "as",
    "published",
    "by",
    "free",
    "software",
    "foundation",
    "fsf",
    "either",
];
const AFTER_VERSION: [&str; 4] = ["of", "the", "gnu", "license"];
/// Words for versions to come.
const LATER: [&str; 6] = ["later", "newer", "greater", "higher", "above", "subsequent"];
/// Farthest that a version stands from the name, and *later* from the version, in words.
const NEAR: u32 = 3;
const NEAR_AFTER: u32 = 8;
const PHRASE: u32 = 8;

/// A text, what was found in it, and what of it belongs to some match.
#[derive(Clone, Copy)]
pub(super) struct Completion<'a> {
    pub(super) scene: Scene<'a>,
    pub(super) text: &'a str,
    pub(super) covered: &'a Span,
}

/// A version that stands in the text, and where.
struct Version {
    number: String,
    or_later: bool,
    last: u32,
}

impl Completion<'_> {
    /// What a match says together with the words beside it; none where they add nothing.
    pub(super) fn of(self, found: &Found, expression: &Expression) -> Option<Expression> {
        let Expression::License(license) = expression else { return None };
        let (name, is_only) = match (license.id.strip_suffix("-only"), license.id.strip_suffix("-or-later")) {
            (Some(name), _) => (name, true),
            (_, Some(name)) => (name, false),
            _ => return self.of_another_version(found, license),
        };
        let rules = self.scene.rules;
        if self.scene.is(found, Flags::TEXT) || found.rule as usize >= rules.rules.len() {
            return None;
        }
        let id = self.with_what_follows(found, name, is_only);
        let id = self.of_family_before(found.text.start(), id.unwrap_or_else(|| license.id.clone()));
        let is_known = rules.licenses.iter().any(|license| license.id == id);
        is_known
            .then(|| Expression::License(License { id, exception: license.exception.clone() }))
            .filter(|new| new != expression)
    }

    /// The license `name` in the version that stands beside it; none where nothing new does.
    fn with_what_follows(self, found: &Found, name: &str, is_only: bool) -> Option<String> {
        let own_words = self.words(found.text.start(), found.text.last() + 1);
        let has_version = own_words.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
        let (family, _) = name.rsplit_once('-')?;
        if let Some(version) = self.minor_after(found.text.last()) {
            return Some(self.with_version(family, &version));
        }
        if has_version {
            let says_later =
                own_words.iter().any(|word| LATER.contains(&word.as_str()) || word.ends_with('+'));
            let own_text = &self.text[self.scene.query.bytes(found.text.start(), found.text.last())];
            // R's way to say it: `GPL (>= 2)`.
            let follows = own_text.contains(">=") || self.goes_on_with_later(found.text.last());
            return (is_only && !says_later && follows).then(|| format!("{name}-or-later"));
        }
        let version = self
            .version_after(found.text.last(), family)
            .or_else(|| self.version_before(found.text.start()))?;
        Some(self.with_version(family, &version))
    }

    fn with_version(self, family: &str, version: &Version) -> String {
        let is_later = version.or_later || self.goes_on_with_later(version.last);
        let ending = if is_later { "or-later" } else { "only" };
        format!("{family}-{}-{ending}", version.number)
    }

    /// The same of the family that the word before the match names: *Library* of `GNU Library GPL, version 2`.
    fn of_family_before(self, start: u32, id: String) -> String {
        let Some(version) = id.strip_prefix("GPL-") else { return id };
        let Some(before) = start.checked_sub(1).filter(|&at| self.scene.query.unknown_after(at) == 0) else {
            return id;
        };
        let query = self.scene.query;
        let gap = &self.text[query.bytes(before, before).end..query.bytes(start, start).start];
        if !gap.chars().all(char::is_whitespace) {
            return id;
        }
        match self.word(before).as_str() {
            "library" | "lesser" => format!("LGPL-{version}"),
            "affero" => format!("AGPL-{version}"),
            _ => id,
        }
    }

    /// The version of which a match has the whole number as its last word, and the text goes on: `2` of `2.1`.
    fn minor_after(self, last: u32) -> Option<Version> {
        let version = self.version_at(last, &self.word(last)).filter(|version| version.last > last)?;
        let number = &self.text[self.scene.query.bytes(last, version.last)];
        (!number.contains(char::is_whitespace)).then_some(version)
    }

    /// A license of the same name, whose version follows a name that says none.
    fn of_another_version(self, found: &Found, license: &License) -> Option<Expression> {
        let (family, version) = license.id.rsplit_once('-')?;
        let rules = self.scene.rules;
        if !version.starts_with(|c: char| c.is_ascii_digit())
            || self.scene.is(found, Flags::TEXT)
            || found.rule as usize >= rules.rules.len()
        {
            return None;
        }
        let own_words = self.words(found.text.start(), found.text.last() + 1);
        if own_words.iter().any(|word| word.contains(|c: char| c.is_ascii_digit())) {
            return None;
        }
        let version = self.version_after(found.text.last(), family)?;
        let rest = &self.text[self.scene.query.bytes(version.last, version.last).end..];
        // `1.3c` and `2.0.1` are more than what was read of them.
        let goes_on = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric());
        if rest.strip_prefix('.').is_some_and(goes_on) {
            return None;
        }
        let id = format!("{family}-{}", version.number);
        let is_known = id != license.id && rules.licenses.iter().any(|license| license.id == id);
        let is_later = version.or_later || self.goes_on_with_later(version.last);
        let id = if is_later { format!("{id}+") } else { id };
        is_known.then(|| Expression::License(License { id, exception: license.exception.clone() }))
    }

    fn words(self, start: u32, end: u32) -> Vec<String> {
        (start..end).map(|at| self.word(at)).collect()
    }

    fn word(self, at: u32) -> String {
        self.text[self.scene.query.bytes(at, at)].to_lowercase()
    }

    /// Whether the token after `at` follows it without a foreign word and belongs to no match.
    fn is_free_after(self, at: u32) -> bool {
        at + 1 < self.scene.query.len()
            && self.scene.query.unknown_after(at) == 0
            && !self.covered.holds(at + 1)
    }

    /// `version 3`, `v3`, `2.1`, right after a name; `(GPL)` may stand between.
    fn version_after(self, last: u32, family: &str) -> Option<Version> {
        let mut at = last;
        for _ in 0..=NEAR_AFTER {
            if !self.is_free_after(at) {
                return None;
            }
            at += 1;
            let word = self.word(at);
            if let Some(version) = self.version_at(at, &word) {
                let before = &self.text[self.scene.query.bytes(at - 1, at)];
                return Some(Version { or_later: version.or_later || before.contains(">="), ..version });
            }
            if !BEFORE_VERSION.contains(&word.as_str()) && !word.eq_ignore_ascii_case(family) {
                return None;
            }
        }
        None
    }

    /// `version 3 of the`, right before a name.
    fn version_before(self, start: u32) -> Option<Version> {
        let mut at = start;
        for _ in 0..=NEAR + 1 {
            at = at.checked_sub(1)?;
            if self.covered.holds(at) || self.scene.query.unknown_after(at) > 0 {
                return None;
            }
            let word = self.word(at);
            if let Some(number) = major(&word) {
                let is_minor = self.word(at.checked_sub(1)?);
                return match major(&is_minor) {
                    Some(whole) => {
                        Some(Version { number: format!("{whole}.{number}"), or_later: false, last: at })
                    }
                    None if is_minor == "version" => {
                        Some(Version { number: format!("{number}.0"), or_later: false, last: at })
                    }
                    None => None,
                };
            }
            if !AFTER_VERSION.contains(&word.as_str()) {
                return None;
            }
        }
        None
    }

    fn version_at(self, at: u32, word: &str) -> Option<Version> {
        let or_later = word.ends_with('+');
        let number = major(word.trim_end_matches('+').trim_start_matches('v'))?;
        if !or_later && self.is_free_after(at) {
            let next = self.word(at + 1);
            let is_minor = self.text[self.scene.query.bytes(at, at + 1)].contains('.');
            if let Some(minor) = major(next.trim_end_matches('+')).filter(|_| is_minor) {
                let or_later = next.ends_with('+');
                return Some(Version { number: format!("{number}.{minor}"), or_later, last: at + 1 });
            }
        }
        Some(Version { number: format!("{number}.0"), or_later, last: at })
    }

    /// Whether `or (at your option) any later version` follows.
    fn goes_on_with_later(self, last: u32) -> bool {
        let mut at = last;
        // `version 2 of the License, or …`
        while at - last < NEAR && self.is_free_after(at) && AFTER_VERSION.contains(&&*self.word(at + 1)) {
            at += 1;
        }
        if !self.is_free_after(at) || !matches!(&*self.word(at + 1), "or" | "and") {
            return false;
        }
        let end = (at + 1 + PHRASE).min(self.scene.query.len());
        let rest = (at + 2..end).take_while(|&at| !self.covered.holds(at)).map(|at| self.word(at));
        rest.take_while(|word| !matches!(word.as_str(), "under" | "license" | "gpl"))
            .any(|word| LATER.contains(&word.as_str()))
    }
}

/// One digit: no license has more versions.
fn major(word: &str) -> Option<&str> {
    (word.len() == 1 && word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
}
