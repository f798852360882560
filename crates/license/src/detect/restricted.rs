//! Sentences beside a free license that take away what it gives: "Commercial use requires written permission." No rule knows all ways to
//! say it, and the license alone would permit too much.

use std::sync::LazyLock;

use super::{LicenseMatch, MatchKind, Note};
use crate::Expression;

/// What is said of such a sentence, as rules do of those that they know.
const RESTRICTED: &str = "LicenseRef-scancode-proprietary-license";
/// Farthest that a sentence stands from a license that it restricts, in lines.
const LINES: u32 = 12;
/// Licenses of these categories restrict by themselves.
const RESTRICTING: [&str; 4] = ["Commercial", "Free Restricted", "Proprietary Free", "Source-available"];
/// Longest sentence, in words; more is no sentence.
const LONGEST: usize = 200;

/// What restricts, as words in their order: `a|b` is one of them, `a?` may be missing, and `..4` stands for up to four words.
const PATTERNS: [&str; 24] = [
    "for|to|in ..3 noncommercial|noncommercially",
    "for|to|in ..3 non commercial|commercially",
    "mit|bsd|isc|zlib|apache ..2 noncommercial",
    "mit|bsd|isc|zlib|apache ..2 non commercial",
    "noncommercial use|uses|usage|purpose|purposes|projects only",
    "non commercial use|uses|usage|purpose|purposes|projects only",
    "for ..4 personal|evaluation|academic|educational|research|hobby \
     use|uses|usage|purpose|purposes only",
    "only|solely|exclusively for ..3 personal|evaluation|academic|educational|research|hobby \
     ..2 use|uses|usage|purpose|purposes",
    "commercial use|uses|usage|purpose|purposes|exploitation|redistribution|distribution|products|applications|entities|users ..4 \
     prohibited|forbidden|disallowed|excluded",
    "commercial use|uses|usage|purpose|purposes|exploitation|redistribution|distribution|products|applications|entities|users ..4 \
     is|are not permitted|allowed|granted|included",
    "commercial use|uses|usage|exploitation|redistribution|distribution|products|applications|entities|users ..3 \
     require|requires|need|needs|must",
    "military|weapon|weapons|nuclear ..5 prohibited|forbidden",
    "no commercial use|usage|exploitation|redistribution",
    "may|must|shall|can|should|will not be? used|sold|resold|licensed|offered|deployed ..5 \
     commercial|commercially|profit|military|weapon|weapons|company|companies|corporation|corporations|government|governments|compete|\
     competes|competing|competitor|competitors",
    "cannot be? used|sold|resold|licensed|offered|deployed ..5 \
     commercial|commercially|profit|military|weapon|weapons|company|companies|corporation|corporations|government|governments|compete|\
     competes|competing|competitor|competitors",
    "may|must|shall|can|should not use|sell|resell|offer|redistribute ..5 \
     commercial|commercially|profit|military|weapon|weapons|fee|compete|competes|competing",
    "software|program|code|library|package|work|it may|must|shall|can not be sold|resold|redistributed",
    "you may|must|shall|can not sell|resell|redistribute|rent it|this|the ..2 software|program|code|library|package|work",
    "you may|must|shall|can not sell|resell|redistribute|rent it",
    "does|do not grant|include ..5 sell|resell|commercial",
    "license|licence|permission|grant does not apply to ..3 company|companies|corporations|businesses|commercial",
    "not licensed|allowed|permitted|authorized|authorised|free|intended for ..3 commercial",
    "software|program|file|package|work may|shall only be used|run|executed with|on|together",
    "company|companies|business|businesses|corporations|organizations|organisations|enterprises ..6 must|need|require ..3 \
     commercial|paid|separate license|licence",
];
/// The patterns, word by word.
static PATTERN_WORDS: LazyLock<Vec<Vec<&str>>> =
    LazyLock::new(|| PATTERNS.iter().map(|pattern| pattern.split_whitespace().collect()).collect());
/// Words after which a sentence says something else.
const TURNS: [&str; 6] = ["but", "however", "unless", "except", "if", "nor"];

/// A word of a text in lower case, and where it stands.
struct Spoken {
    word: String,
    bytes: (usize, usize),
    line: u32,
}

/// The sentences that restrict a free license beside them; `is_read` says whether what stands at a byte belongs to a license already.
pub(super) fn sentences(
    text: &str,
    matches: &[LicenseMatch],
    category: impl Fn(&str) -> Option<&'static str>,
    is_read: impl Fn(usize) -> bool,
) -> Vec<LicenseMatch> {
    let restricts = |found: &LicenseMatch| {
        let is = |id: &String| category(id).is_some_and(|category| RESTRICTING.contains(&category));
        found.expression.ids().iter().any(is)
    };
    let is_near = |sentence: &[Spoken]| {
        let (first, last) = (sentence[0].line, sentence[sentence.len() - 1].line);
        let mut near = matches
            .iter()
            .filter(|found| first <= found.lines.1 + LINES && found.lines.0 <= last + LINES)
            .peekable();
        near.peek().is_some() && !near.any(restricts)
    };
    let mut found = Vec::new();
    for sentence in spoken(text, matches) {
        let words: Vec<&str> = sentence.iter().map(|spoken| spoken.word.as_str()).collect();
        let is_new = |(first, last): (usize, usize)| {
            !sentence[first..=last].iter().all(|spoken| is_read(spoken.bytes.0))
        };
        if is_near(&sentence) && restriction(&words).is_some_and(is_new) {
            found.push(restricting(&sentence));
        }
    }
    found
}

/// The sentences near the matches, word by word.
fn spoken(text: &str, matches: &[LicenseMatch]) -> Vec<Vec<Spoken>> {
    let mut near: Vec<(u32, u32)> =
        matches.iter().map(|found| (found.lines.0.saturating_sub(LINES), found.lines.1 + LINES)).collect();
    near.sort_unstable();
    let (mut sentences, mut sentence) = (Vec::new(), Vec::new());
    let (mut windows, mut start) = (near.into_iter().peekable(), 0);
    for (line, number) in text.split_inclusive('\n').zip(1u32..) {
        while windows.next_if(|window| window.1 < number).is_some() {}
        let Some(window) = windows.peek() else { break };
        let is_blank = !line.contains(|c: char| c.is_ascii_alphanumeric());
        if window.0 > number || is_blank {
            sentences.push(std::mem::take(&mut sentence));
        } else {
            of_line(line, start, number, &mut sentence, &mut sentences);
        }
        start += line.len();
    }
    sentences.push(sentence);
    sentences.retain(|words| !words.is_empty() && words.len() <= LONGEST);
    sentences
}

/// Adds the words of a line, which stands at `start`; a full stop or a semicolon ends a sentence.
fn of_line(
    line: &str,
    start: usize,
    number: u32,
    sentence: &mut Vec<Spoken>,
    sentences: &mut Vec<Vec<Spoken>>,
) {
    let is_of_word = |c: char| c.is_alphanumeric();
    let mut at = 0;
    while let Some(first) = line[at..].find(is_of_word).map(|first| at + first) {
        let end = line[first..].find(|c| !is_of_word(c)).map_or(line.len(), |end| first + end);
        let word = line[first..end].to_lowercase();
        sentence.push(Spoken { word, bytes: (start + first, start + end), line: number });
        let mut after = line[end..].chars();
        let ends = match after.next() {
            Some('.' | '!' | '?') => after.next().is_none_or(|c| c.is_whitespace() || "\"')".contains(c)),
            Some(c) => c == ';',
            None => false,
        };
        if ends {
            sentences.push(std::mem::take(sentence));
        }
        at = end;
    }
}

/// The first and the last word of what restricts in a sentence.
fn restriction(words: &[&str]) -> Option<(usize, usize)> {
    // Who permits both takes nothing away.
    let is = |at: Option<usize>, all: &[&str]| {
        at.and_then(|at| words.get(at)).is_some_and(|word| all.contains(word))
    };
    let is_of_both = |at: usize| match words[at] {
        "non" => is(at.checked_sub(1), &["and", "or"]) && is(at.checked_sub(2), &["commercial"]),
        "noncommercial" => is(at.checked_sub(2), &["commercial"]) || is(at.checked_add(2), &["commercial"]),
        "commercial" => is(at.checked_add(1), &["and", "or"]) && is(at.checked_add(2), &["commercial"]),
        _ => false,
    };
    let found = PATTERN_WORDS.iter().filter_map(|pattern| {
        (0..words.len()).find_map(|first| Some((first, first + length(pattern, &words[first..])? - 1)))
    });
    found.filter(|&(first, last)| !(first..=last).any(is_of_both)).min()
}

/// How many words from the first on are as a pattern says.
fn length(pattern: &[&str], words: &[&str]) -> Option<usize> {
    let Some((&next, rest)) = pattern.split_first() else { return Some(0) };
    if let Some(most) = next.strip_prefix("..").and_then(|most| most.parse::<usize>().ok()) {
        let gap = words.iter().take(most).take_while(|word| !TURNS.contains(word)).count();
        return (0..=gap).find_map(|skipped| Some(skipped + length(rest, &words[skipped..])?));
    }
    let is_here = |choice: &str| words.first().is_some_and(|word| choice.split('|').any(|one| one == *word));
    match next.strip_suffix('?') {
        Some(may) if is_here(may) => Some(1 + length(rest, &words[1..])?),
        Some(_) => length(rest, words),
        None if is_here(next) => Some(1 + length(rest, &words[1..])?),
        None => None,
    }
}

fn restricting(sentence: &[Spoken]) -> LicenseMatch {
    let (first, last) = (&sentence[0], &sentence[sentence.len() - 1]);
    LicenseMatch {
        kind: MatchKind::Notice,
        expression: Expression::parse(RESTRICTED).unwrap_or_else(|_| Expression::no_assertion()),
        rule: "restriction".to_owned(),
        score: 1.0,
        lines: (first.line, last.line),
        bytes: (first.bytes.0, last.bytes.1),
        note: Some(Note::Restricted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::cases::{MIT, check};

    fn restricts(sentence: &str) -> bool {
        let lower = sentence.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        restriction(&words).is_some()
    }

    #[test]
    fn sentences_that_take_rights_away_are_told_from_those_that_do_not() {
        for sentence in [
            "The Software may not be used for commercial purposes without permission",
            "The Software shall not be used by any company with more than ten employees",
            "Commercial use requires written permission of the author",
            "This software may not be used in military systems",
            "Free for personal and non-commercial use",
            "to deal in the Software for evaluation purposes only",
            "This may be used for noncommercial purposes only",
            "You may not sell this software",
            "In addition, this file may only be used with Foo hardware",
            "MIT for individuals, companies need a commercial license",
            "the License does not grant to you, the right to Sell the Software",
            "It is not free for commercial use",
            "license: MIT (non-commercial)",
        ] {
            assert!(restricts(sentence), "{sentence}");
        }
        for sentence in [
            "You may use it for commercial and non-commercial purposes",
            "for any purpose, commercial or non-commercial, and by any means",
            "You may use it commercially, but you may not remove this notice",
            "Neither the name of the author may be used to endorse or promote products",
            "you may not use this file except in compliance with the License",
            "Licensees holding valid commercial licenses may use this file",
            "This header must not be included by users",
            "This class is for internal use only, and for testing purposes only",
            "If you need a commercial license, write to us",
            "It does not restrict commercial use",
        ] {
            assert!(!restricts(sentence), "{sentence}");
        }
    }

    #[test]
    fn a_license_with_a_restriction_is_not_that_license_alone() {
        let restricted = "MIT AND LicenseRef-scancode-proprietary-license";
        let without = |words: &str| MIT.replacen(words, "", 1);
        check(&format!("{MIT}\nThe Software may not be used for commercial purposes.\n"), restricted);
        check(&without(", sublicense, and/or sell"), "MIT AND LicenseRef-scancode-unknown");
        check("Released under the MIT License, but commercial use is prohibited.", restricted);
        check(
            "Released under the MIT License. You may use it commercially, but you may not remove this notice.",
            "MIT",
        );
    }
}
