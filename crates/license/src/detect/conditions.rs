//! Words that would say that a work is in the public domain, were they not what is asked: *whether the type is in the public domain*.

use super::LicenseMatch;
use super::words::{floor, words};

const PUBLIC_DOMAIN: &str = "LicenseRef-scancode-public-domain";
/// What ends a clause.
const CLAUSE_ENDS: [char; 11] = ['.', ',', ';', ':', '!', '?', '(', ')', '*', '#', '—'];
/// Most words between *if* and the match, and words that give a reason there.
const MOST_WORDS: usize = 6;
const REASONS: [&str; 3] = ["because", "since", "as"];
/// Farthest that they stand before a match, and most bytes of such a match.
const BEFORE: usize = 80;
const SHORT: usize = 60;

/// Takes out what is no statement.
pub(super) fn split(text: &str, matches: Vec<LicenseMatch>) -> (Vec<LicenseMatch>, Vec<LicenseMatch>) {
    matches.into_iter().partition(|found| !is_condition(text, found))
}

/// Whether a match goes on with what a word such as *whether* begins. A comma ends that: "If you ask, this is in the public domain".
/// So does whatever ends a sentence, a paragraph or a comment, and a reason: "even if you sell it, because it is in the public domain".
fn is_condition(text: &str, found: &LicenseMatch) -> bool {
    let (start, end) = found.bytes;
    if end - start > SHORT || found.expression.to_string() != PUBLIC_DOMAIN {
        return false;
    }
    let before = words(clause(&text[floor(text, start.saturating_sub(BEFORE))..start]));
    let word = |at: usize| before.get(at).map_or("", String::as_str);
    (0..before.len()).any(|at| match word(at) {
        "whether" => true,
        "if" => {
            let rest = &before[at + 1..];
            (at == 0 || word(at - 1) != "even")
                && rest.len() <= MOST_WORDS
                && !rest.iter().any(|word| REASONS.contains(&word.as_str()))
        }
        _ => false,
    })
}

/// The end of a text as far as it is one clause. A line that begins in small letters goes on with the one above it.
fn clause(text: &str) -> &str {
    let clause = text.rsplit(CLAUSE_ENDS).next().unwrap_or(text);
    let clause = clause.rsplit(" - ").next().unwrap_or(clause);
    let mut from = clause.len();
    loop {
        let line = clause[..from].rfind('\n').map_or(0, |at| at + 1);
        let first = clause[line..].chars().find(|c| c.is_alphanumeric());
        if line == 0 || !first.is_some_and(char::is_lowercase) || clause[line..from].trim().is_empty() {
            return &clause[line..];
        }
        from = line - 1;
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn what_is_asked_is_no_statement() {
        let domain = "LicenseRef-scancode-public-domain";
        for (text, expected) in [
            ("/// Whether or not the type is in the public domain.\npub is_public: bool,", ""),
            ("Returns true if the work is in the public domain.", ""),
            ("This work is in the public domain.", domain),
            ("If you ask, this work is in the public domain.", domain),
            ("Use it if you like. This work is in the public domain.", domain),
            ("#if defined(_WIN32)\n/* This file is in the public domain. */", domain),
            ("#if X\n#define A_H\n#include <a>\n/* This file is in the public domain. */", domain),
            ("Use this if you want\n\nThis work is in the public domain.", domain),
            ("// Do what you want if you want\n// This code is in the public domain.", domain),
            ("You may use this even if modified because it is in the public domain.", domain),
            ("Everything is allowed even if you sell it — this work is in the public domain.", domain),
        ] {
            check(text, expected);
        }
    }
}
