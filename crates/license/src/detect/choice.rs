//! Licenses that a sentence offers as a choice: "either the Apache License 2.0 or the MIT license, at your option". No rule knows
//! all ways to say it, and matches that stand apart would mean that all of the licenses hold. What *and* alone joins becomes one
//! match, too, since the second name of `MIT AND GPL-2.0-only` is no mere reference beside the first.

use super::words::{floor, words};
use super::{LicenseMatch, MatchKind, Note, instead};
use crate::Expression;

/// Words that may stand between two licenses of one choice, beside *or* and *and*.
const FILLERS: [&str; 20] = [
    "a",
    "an",
    "any",
    "either",
    "both",
    "the",
    "these",
    "this",
    "under",
    "terms",
    "conditions",
    "of",
    "in",
    "license",
    "licence",
    "licenses",
    "licences",
    "licensed",
    "alternatively",
    "also",
];
/// What announces a choice before the first license.
const BEFORE: [&str; 20] = [
    "dual licensed",
    "dual licenced",
    "dual license",
    "dual licence",
    "dually licensed",
    "double licensed",
    "tri licensed",
    "triple licensed",
    "multi licensed",
    "multiple licensed",
    "either",
    "either of",
    "choose",
    "choose from",
    "choice of",
    "choice between",
    "any of the following",
    "any one of",
    "one of the following",
    "one of these",
];
/// What gives the choice after the last one.
const AFTER: [&str; 8] = [
    "at your option",
    "at your choice",
    "at your discretion",
    "at your own choice",
    "at your own option",
    "as you like",
    "whichever you",
    "your choice",
];
/// What a license is for, where others are for something else.
const PARTS: [&str; 18] = [
    "code",
    "source",
    "software",
    "library",
    "server",
    "client",
    "plugin",
    "plugins",
    "docs",
    "documentation",
    "content",
    "text",
    "data",
    "images",
    "icons",
    "fonts",
    "assets",
    "art",
];
/// Words for versions to come, which are no other license.
const LATER: [&str; 6] = ["later", "newer", "greater", "higher", "above", "subsequent"];
/// Longest text between two licenses of one choice, and before and after them, in bytes.
const BETWEEN: usize = 240;
const AROUND: usize = 90;

/// What stands between two licenses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Between {
    /// *or*: a choice.
    Or,
    /// *and* alone: both hold, where no choice is announced.
    And,
    /// *and*, a comma, the next item of a list: a choice where one is announced.
    List,
    /// Words of their own.
    Other,
}

/// Joins the licenses of each choice; `matches` are in the order of the text.
pub(super) fn joined(text: &str, matches: &[LicenseMatch]) -> Vec<LicenseMatch> {
    let mut all: Vec<LicenseMatch> = Vec::with_capacity(matches.len());
    let mut rest = matches;
    while !rest.is_empty() {
        let length = instead::extended(text, rest, length_of_choice, length_of_both);
        let both = if length > 1 { 0 } else { length_of_both(text, rest) };
        let (together, others) = rest.split_at(length.max(both));
        if together.iter().all(|found| found.expression == together[0].expression) {
            all.extend_from_slice(together);
        } else if both > 1 {
            all.push(LicenseMatch { note: together[0].note, ..one(together, Expression::and) });
        } else {
            all.push(one(together, Expression::or));
        }
        rest = others;
    }
    all
}

/// How many matches from the first on are one choice.
fn length_of_choice(text: &str, matches: &[LicenseMatch]) -> usize {
    let between = matches.windows(2).map(|pair| between(text, &pair[0], &pair[1]));
    let kinds: Vec<Between> = between.take_while(|kind| *kind != Between::Other).collect();
    // *and* is a choice only where one is announced.
    let ors = kinds.iter().take_while(|kind| **kind == Between::Or).count();
    let is_list =
        kinds.len() > ors && (is_announced(text, &matches[0]) || is_given_after(text, &matches[kinds.len()]));
    1 + if is_list { kinds.len() } else { ors }
}

/// How many matches from the first on hold together: *MIT and GPL-2.0*.
fn length_of_both(text: &str, matches: &[LicenseMatch]) -> usize {
    let between = matches.windows(2).map(|pair| between(text, &pair[0], &pair[1]));
    1 + between.take_while(|kind| *kind == Between::And).count()
}

/// One match of all that make a choice, or that hold together.
fn one(choice: &[LicenseMatch], join: fn(Expression, Expression) -> Expression) -> LicenseMatch {
    let (first, last) = (&choice[0], &choice[choice.len() - 1]);
    let offered = choice.iter().map(|found| found.expression.clone());
    LicenseMatch {
        kind: choice.iter().map(|found| found.kind).min().unwrap_or(first.kind),
        expression: offered.reduce(join).map_or_else(Expression::no_assertion, Expression::simplified),
        score: choice.iter().map(|found| found.score).fold(1.0, f32::min),
        lines: (first.lines.0, last.lines.1),
        bytes: (first.bytes.0, last.bytes.1),
        note: Some(Note::Offered),
        ..first.clone()
    }
}

fn between(text: &str, one: &LicenseMatch, next: &LicenseMatch) -> Between {
    let can_be_offered = |found: &LicenseMatch| found.kind != MatchKind::Text && !found.is_lone_exception();
    let gap = text.get(one.bytes.1..next.bytes.0).filter(|gap| gap.len() <= BETWEEN);
    let Some(gap) = gap.filter(|_| can_be_offered(one) && can_be_offered(next)) else {
        return Between::Other;
    };
    // R writes a choice so: `License: GPL-2 | GPL-3`.
    if gap.trim() == "|" && is_field(text, one.bytes.1) {
        return Between::Or;
    }
    // `MIT (code) and CC-BY-4.0 (documentation)`: each is for a part of its own.
    if asides(gap).iter().any(|word| PARTS.contains(&word.as_str())) {
        return Between::Other;
    }
    let gap = without_asides(gap);
    // Another sentence begins.
    if gap.split(['.', '!', '?']).skip(1).any(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
    {
        return Between::Other;
    }
    let words = words(&gap);
    let mut words = words.iter().map(String::as_str).filter(|word| word.len() > 1 || *word == "a");
    let (mut or, mut and) = (false, false);
    let only_fillers = words.all(|word| {
        or |= word == "or";
        and |= word == "and";
        FILLERS.contains(&word) || matches!(word, "or" | "and")
    });
    match (only_fillers, or, and) {
        (true, true, false) => Between::Or,
        (true, false, true) if gap.split_whitespace().count() == 1 => Between::And,
        (true, false, _) => Between::List,
        _ => Between::Other,
    }
}

/// Whether the line up to `at` begins with the name of a field for licenses.
fn is_field(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    line.trim_start().to_ascii_lowercase().starts_with("license:")
}

/// The words that stand in parentheses.
fn asides(gap: &str) -> Vec<String> {
    gap.split('(')
        .skip(1)
        .filter_map(|rest| rest.split_once(')'))
        .flat_map(|(aside, _)| words(aside))
        .collect()
}

/// A stretch without what stands in parentheses or brackets of any kind.
fn without_asides(gap: &str) -> String {
    let (mut depth, mut kept) = (0u32, String::with_capacity(gap.len()));
    for c in gap.chars() {
        match c {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// Whether the words before a license, or its own first ones, announce a choice.
fn is_announced(text: &str, first: &LicenseMatch) -> bool {
    let start = floor(text, first.bytes.0.saturating_sub(AROUND));
    let before = &text[start..first.bytes.0];
    let own = &text[first.bytes.0..floor(text, (first.bytes.0 + AROUND).min(first.bytes.1))];
    // What another sentence says is of other things.
    let sentence = before.rsplit(". ").next().unwrap_or(before);
    let phrase_text = format!(" {} {} ", words(sentence).join(" "), words(own).join(" "));
    BEFORE.iter().any(|phrase| phrase_text.contains(&format!(" {phrase} ")))
}

/// Whether the words after a license give the choice: *at your option*, but not *at your option any later version*.
fn is_given_after(text: &str, last: &LicenseMatch) -> bool {
    let end = floor(text, last.bytes.1.saturating_add(AROUND).min(text.len()));
    let after = words(&without_asides(&text[last.bytes.1..end]));
    let after: Vec<&str> =
        after.iter().map(String::as_str).skip_while(|word| FILLERS.contains(word)).collect();
    let phrase_text = after.join(" ");
    AFTER.iter().any(|phrase| phrase_text.starts_with(phrase))
        && !after.iter().take(7).any(|word| LATER.contains(word))
}
