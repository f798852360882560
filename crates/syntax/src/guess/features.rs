//! What a line shows that may tell a language: its words and signs, and which follow one another.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::lines::{Kind, Token};

/// Words that languages reserve and that their libraries own. All other names are alike, so that what code is about does not
/// count.
static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("words.txt").split_ascii_whitespace().collect());

/// Calls back with every feature of a line: one to three tokens in a row, with `^` and `$` for the line's ends.
pub fn of_line(tokens: &[Token<'_>], feature: &mut String, mut each: impl FnMut(&str)) {
    let at = |position: usize| match position {
        0 => Some("^"),
        _ if position <= tokens.len() => Some(class(&tokens[position - 1])),
        _ if position == tokens.len() + 1 => Some("$"),
        _ => None,
    };
    for start in 0..=tokens.len() {
        feature.clear();
        for (count, text) in (start..start + 3).map_while(at).enumerate() {
            if count > 0 {
                feature.push(' ');
            }
            feature.push_str(text);
            each(feature);
        }
    }
}

fn class<'s>(token: &Token<'s>) -> &'s str {
    match token.kind {
        Kind::Name if WORDS.contains(token.text) => token.text,
        Kind::Name => "NAME",
        Kind::Number => "0",
        Kind::String if token.text.starts_with('\'') => "'",
        Kind::String if token.text.starts_with('`') => "`",
        Kind::String => "\"",
        Kind::Sign => token.text,
    }
}
