//! Fields with an expression, which no rule has as a whole: `License: MIT OR GPL-3.0-only`, `"license": "Apache-2.0 AND MIT"`,
//! `@license MIT OR ISC`.

use rustc_hash::FxHashMap;

use super::found::{Found, TagRule};
use super::query::Query;
use super::span::Span;
use super::tags::{Said, UNKNOWN, one_expression, without_markup};
use super::words::floor;
use crate::Expression;
use crate::rules::{Known, Rules, Word};

/// Words that name the field.
const NAMES: [&str; 2] = ["license", "licence"];
/// Longest text between the start of a line and the name of the field, in bytes.
const BEFORE: usize = 40;
/// Longest field, in bytes.
const LONGEST: usize = 500;
/// What parts the name of the field and its value.
const MARKS: [&str; 5] = [":=", "=>", ":", "=", ">"];
/// What may stand around names and values.
const QUOTES: [char; 3] = ['"', '\'', '`'];

/// Adds the fields of a text to its tags, as matches of rules of their own. `words` are those of the rules.
pub(super) fn add(
    rules: &Rules,
    names: &FxHashMap<String, &str>,
    words: &FxHashMap<&str, Known>,
    text: &str,
    query: &Query,
    (tags, found): (&mut Vec<TagRule>, &mut Vec<Found>),
) {
    let of_fields: Vec<Word> = NAMES
        .iter()
        .filter_map(|name| match words.get(name) {
            Some(Known::Word(word)) => Some(*word),
            _ => None,
        })
        .collect();
    let tagged = Span::of_all(found.iter().map(|found| &found.text));
    for (start, _) in (0..).zip(&query.tokens).filter(|(_, token)| of_fields.contains(token)) {
        let name = query.bytes(start, start);
        let Some(value) = value(text, (name.start, name.end)) else { continue };
        let Some(expression) = joined(names, value) else { continue };
        let end = query.tokens_before(value.as_ptr() as usize - text.as_ptr() as usize + value.len());
        if end <= start + 1 || (start..end).any(|token| tagged.holds(token)) {
            continue;
        }
        let said = Said { name: "license-field", tokens: (start, end), expression, note: None };
        said.add(rules, query, (tags, found));
    }
}

/// What the field says whose name stands at these bytes; none where it is no field. The name stands in quotes, or at the start of a
/// line.
fn value(text: &str, (start, end): (usize, usize)) -> Option<&str> {
    let from = floor(text, start.saturating_sub(BEFORE));
    let before = &text[from..start];
    let line = before.rsplit('\n').next().unwrap_or(before);
    let is_first = (line.len() < before.len() || from == 0) && !line.contains(char::is_alphanumeric);
    let is_quoted = line.ends_with(['"', '\'']) && text[end..].starts_with(['"', '\'']);
    if !is_first && !is_quoted {
        return None;
    }
    let rest = &text[end..floor(text, end.saturating_add(LONGEST).min(text.len()))];
    let rest = rest.split(['\n', '\r']).next().unwrap_or(rest);
    let name_goes_on = ["-expression", "_expression", "expression"]
        .into_iter()
        .find(|more| rest.get(..more.len()).is_some_and(|found| found.eq_ignore_ascii_case(more)));
    let rest = &rest[name_goes_on.map_or(0, str::len)..];
    let after =
        rest.trim_start_matches(|c: char| c == '*' || c == '_' || c.is_whitespace() || QUOTES.contains(&c));
    let after = after.strip_prefix("type=\"expression\"").unwrap_or(after);
    let value = match MARKS.iter().find_map(|mark| after.strip_prefix(mark)) {
        Some(value) => value.trim_start(),
        None if line.ends_with('@') && rest.starts_with([' ', '\t']) => after,
        None => return None,
    };
    match value.chars().next().filter(|c| QUOTES.contains(c)) {
        Some(quote) => value[quote.len_utf8()..].split_once(quote).map(|(value, _)| value.trim()),
        None => Some(without_markup(value)),
    }
}

/// The expression that `text` is, if it joins several names, all of which are known.
fn joined(names: &FxHashMap<String, &str>, text: &str) -> Option<Expression> {
    let is_operator = |word: &str| ["AND", "OR", "WITH"].iter().any(|name| word.eq_ignore_ascii_case(name));
    if !text.split_whitespace().any(is_operator) {
        return None;
    }
    let (expression, note) = one_expression(names, text)?;
    let is_known = !expression.is_no_assertion() && !expression.to_string().contains(UNKNOWN);
    (note.is_none() && is_known).then_some(expression)
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn a_field_is_read_as_the_expression_that_it_is() {
        for (text, expected) in [
            ("License: MIT OR GPL-3.0-only", "MIT OR GPL-3.0-only"),
            ("License: GPL-2.0-only OR MIT", "GPL-2.0-only OR MIT"),
            ("License: GPL-3.0-or-later OR MIT", "GPL-3.0-or-later OR MIT"),
            ("License: Apache-2.0 AND MIT", "Apache-2.0 AND MIT"),
            ("License: BSD-3-Clause AND MIT", "BSD-3-Clause AND MIT"),
            ("{\n  \"license\": \"MIT OR GPL-3.0-or-later\",\n", "MIT OR GPL-3.0-or-later"),
            ("{\"name\": \"a\", \"license\": \"(MIT AND GPL-2.0-only)\"}", "MIT AND GPL-2.0-only"),
            ("// @license MIT OR GPL-3.0-only", "MIT OR GPL-3.0-only"),
            ("<!-- License: MIT OR GPL-3.0-only -->", "MIT OR GPL-3.0-only"),
            ("**License:** MIT or GPL-3.0-only.", "MIT OR GPL-3.0-only"),
            ("license = 'GPL-2.0-only OR MIT'  # any of them", "GPL-2.0-only OR MIT"),
            (
                "License-Expression: MIT AND (Apache-2.0 OR BSD-2-Clause)",
                "MIT AND (Apache-2.0 OR BSD-2-Clause)",
            ),
            (
                "  <license type=\"expression\">Apache-2.0 WITH LLVM-exception OR MIT</license>",
                "Apache-2.0 WITH LLVM-exception OR MIT",
            ),
            ("é\n# \u{a9} license: MIT OR GPL-3.0-only\n", "MIT OR GPL-3.0-only"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn what_names_no_licenses_alone_is_left_to_the_rules() {
        for (text, expected) in [
            ("License: MIT", "MIT"),
            ("License: GPL-2 with Linux-syscall-note exception", "GPL-2.0-only WITH Linux-syscall-note"),
            ("License: GPL-2+ or Artistic", "GPL-2.0-or-later OR Artistic-1.0-Perl"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn a_line_of_many_fields_is_read_to_its_end() {
        check(&"\"license\": \"MIT OR ISC\", ".repeat(1_000), "MIT OR ISC");
    }
}
