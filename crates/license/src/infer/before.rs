//! What the words before a license's name do with it: *licensed under the GPL* puts something under it, *not under the GPL* does not.

use crate::detect::LicenseMatch;

/// Farthest that such words stand before the name, in bytes and in words.
const NEAR: usize = 120;
const WORDS: usize = 8;
/// Words that put something under a license.
const PUTS: [&str; 7] = ["under", "licensed", "licenced", "released", "distributed", "terms", "covered"];
/// Words that deny it.
const DENIES: [&str; 11] =
    ["not", "doesn't", "don't", "isn't", "aren't", "never", "neither", "nor", "none", "unlike", "longer"];
/// How near a word that denies stands to a notice, which has sentences of its own.
const NEAR_NOTICE: usize = 5;

/// Whether the words before a match, or its own first ones, put something under the license and do not deny it.
pub(super) fn puts_under(text: &str, found: &LicenseMatch) -> bool {
    let own = text.get(found.bytes.0..found.bytes.1).unwrap_or_default();
    let own = own.split_whitespace().take(WORDS).map(bare);
    let does = |word: String| PUTS.contains(&word.as_str());
    (words_before(text, found).into_iter().rev().take(WORDS / 2).any(does) || own.into_iter().any(does))
        && !is_denied(text, found)
}

/// Whether the words before a match say that nothing stands under the license. *If not, see the GPL* denies nothing.
pub(super) fn is_denied(text: &str, found: &LicenseMatch) -> bool {
    denies(&words_before(text, found))
}

/// Whether a short notice stands right behind words that deny it: *this file is not licensed under the GPL*.
pub(super) fn is_denied_notice(text: &str, found: &LicenseMatch) -> bool {
    let words = words_before(text, found);
    found.lines.0 == found.lines.1 && denies(&words[words.len().saturating_sub(NEAR_NOTICE)..])
}

fn denies(words: &[String]) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| words.get(at)).map_or("", String::as_str);
    let denies = |at: usize| {
        let (before, this, next) = (word(at.checked_sub(1)), word(Some(at)), word(Some(at + 1)));
        match this {
            // *No longer under the GPL*, but *any longer text*.
            "longer" => before == "no",
            // *If not, see the GPL*; *not only under the GPL*.
            _ => DENIES.contains(&this) && before != "if" && next != "only",
        }
    };
    (0..words.len()).any(denies)
}

/// The last words of the sentence that a match goes on with, in lower case.
fn words_before(text: &str, found: &LicenseMatch) -> Vec<String> {
    let end = found.bytes.0.min(text.len());
    let start = (end.saturating_sub(NEAR)..end).find(|&at| text.is_char_boundary(at)).unwrap_or(end);
    let before = text.get(start..end).unwrap_or_default();
    let sentence = [". ", ".\n", "; ", "\n\n", "*/"]
        .iter()
        .filter_map(|mark| before.rfind(mark).map(|at| at + mark.len()));
    let before = &before[sentence.max().unwrap_or(0)..];
    let words: Vec<String> = before.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    words[words.len().saturating_sub(WORDS)..].to_vec()
}

/// A word in lower case, without punctuation around it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase().replace('\u{2019}', "'")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::MatchKind;
    use crate::infer::testing::found;

    #[test]
    fn words_before_a_name_say_what_it_is_there_for() {
        for (text, under, denied) in [
            ("This file is under the |GPL", true, false),
            ("/* Licensed (mostly) under the terms of the |GPL", true, false),
            ("|under the GPL", true, false),
            ("compatible with the |GPL", false, false),
            ("GPL-compatible doesn\u{2019}t mean that we distribute it under the |GPL", false, true),
            ("This is not under the |GPL", false, true),
            ("Not all of it is ours. Released under the |GPL", true, false),
            ("If not, it is under the |GPL", true, false),
            ("None of this code is under the |GPL", false, true),
            ("It is no longer under the |GPL", false, true),
            ("It is not only under the |GPL", true, false),
            ("|GPL", false, false),
            ("\u{e9}|GPL", false, false),
        ] {
            let at = text.find('|').expect("a mark");
            let text = text.replace('|', "");
            let name = LicenseMatch {
                bytes: (at, text.len()),
                ..found(MatchKind::Reference, "GPL-1.0-or-later", (1, 1))
            };
            assert_eq!((puts_under(&text, &name), is_denied(&text, &name)), (under, denied), "{text}");
        }
    }
}
