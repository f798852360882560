//! `SPDX-License-Identifier: …` lines.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::Note;
use super::found::{Found, TagRule, Way};
use super::query::{Query, Tag};
use super::span::Span;
use crate::Expression;
use crate::rules::{Flags, Rule, Rules};

/// What stands for a name that no list of licenses has.
pub(super) const UNKNOWN: &str = "LicenseRef-scancode-unknown-spdx";
/// How a tag begins.
const TAG: &str = "spdx-license-identifier";
/// Longest expression of a tag, in bytes; more is no expression.
const LONGEST: usize = 2000;

/// The tags of a text, as matches of rules of their own.
pub(super) fn find(
    rules: &Rules,
    names: &FxHashMap<String, &str>,
    text: &str,
    query: &Query,
) -> (Vec<TagRule>, Vec<Found>) {
    let (mut tags, mut found) = (Vec::new(), Vec::new());
    for tag in &query.tags {
        let (start, mut end) = tag.tokens;
        let mut read = expression(names, &text_after(text, tag));
        let is_known = |(expression, _): &(Expression, _)| !expression.ids().iter().any(|id| id == UNKNOWN);
        if tag.lines > 1 && !read.as_ref().is_some_and(is_known) {
            // What follows on the next line is prose.
            read = expression(names, tag.lines(text).next().unwrap_or_default());
            end = (start..end).find(|&token| query.line(token) != tag.line).unwrap_or(end);
        }
        let Some((expression, note)) = read else { continue };
        let said = Said { name: "spdx-license-identifier", tokens: (start, end), expression, note };
        said.add(rules, query, (&mut tags, &mut found));
    }
    (tags, found)
}

/// An expression that stands in the text as such: what a rule of its own, called `name`, says of these tokens.
pub(super) struct Said {
    pub(super) name: &'static str,
    pub(super) tokens: (u32, u32),
    pub(super) expression: Expression,
    pub(super) note: Option<Note>,
}

impl Said {
    /// Adds it to the tags of a text, as the match of its rule.
    pub(super) fn add(
        self,
        rules: &Rules,
        query: &Query,
        (tags, found): (&mut Vec<TagRule>, &mut Vec<Found>),
    ) {
        let (start, end) = self.tokens;
        let tokens = &query.tokens[start as usize..end as usize];
        let legal = tokens.iter().filter(|&&token| token < rules.vocabulary.legal).count() as u32;
        found.push(Found {
            rule: (rules.rules.len() + tags.len()) as u32,
            way: Way::Tag,
            text: Span::of(start, end),
            inside: Span::of(0, end - start),
            legal,
        });
        let rule = Rule {
            name: self.name.to_owned(),
            flags: Flags::TAG,
            relevance: 100,
            minimum_coverage: 100,
            legal,
            ..Rule::default()
        };
        tags.push(TagRule { rule, expression: self.expression, length: end - start, note: self.note });
    }
}

/// What follows the tag on its line, and on the next ones as far as its expression goes on there. What closes a comment ends it.
fn text_after<'t>(text: &'t str, tag: &Tag) -> Cow<'t, str> {
    let mut lines = tag.lines(text);
    let first = lines.next().unwrap_or_default();
    if tag.lines == 1 {
        return Cow::Borrowed(first);
    }
    // A comment may begin anew on each line.
    let inside = |line: &'t str| line.trim_start_matches(|c: char| c != '(' && !c.is_alphanumeric());
    let lines = std::iter::once(first).chain(lines.map(inside));
    Cow::Owned(lines.map(str::trim_end).collect::<Vec<_>>().join(" "))
}

/// The expression that a tag's text says; none where it says nothing. Names without a word between them are a choice, as the boot
/// loader U-Boot wrote them before SPDX had expressions.
///
/// Tags that follow each other on one line hold together, as those of several lines do.
fn expression(names: &FxHashMap<String, &str>, text: &str) -> Option<(Expression, Option<Note>)> {
    if text.len() > LONGEST {
        return one_expression(names, text);
    }
    let lower = text.to_ascii_lowercase();
    let mut start = 0;
    let parts = lower.split(TAG).filter_map(|part| {
        let end = start + part.len();
        let read = one_expression(names, &text[start..end]);
        start = end + TAG.len();
        read
    });
    parts.reduce(|(all, note), (more, other)| (all.and(more), note.or(other)))
}

pub(super) fn one_expression(
    names: &FxHashMap<String, &str>,
    text: &str,
) -> Option<(Expression, Option<Note>)> {
    let text = without_markup(text);
    if text.is_empty() || text.len() > LONGEST {
        return None;
    }
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let known = |word: &str| match word.to_ascii_uppercase().as_str() {
        "AND" | "OR" | "WITH" | "(" | ")" => word.to_ascii_uppercase(),
        _ if word.starts_with("LicenseRef-") && !word.starts_with("LicenseRef-scancode-") => word.to_owned(),
        _ => match names.get(&word.to_ascii_lowercase()) {
            Some(id) => (*id).to_owned(),
            // Names that SPDX has replaced, versions with a plus, and references to other documents.
            None if Expression::parse(word).is_ok() => word.to_owned(),
            None => UNKNOWN.to_owned(),
        },
    };
    let words: Vec<String> = spaced.split_whitespace().map(known).collect();
    if let Ok(expression) = Expression::parse(&words.join(" ")) {
        return Some((expression, None));
    }
    let is_name = |word: &&str| !matches!(*word, "AND" | "OR" | "WITH" | "(" | ")");
    let mut ids: Vec<&str> = words.iter().map(String::as_str).filter(is_name).collect();
    // An exception is no license by itself.
    ids.retain(|id| Expression::parse(id).is_ok());
    if ids.len() == words.len() && !ids.contains(&UNKNOWN) {
        return Some((joined(&ids, " OR "), Some(Note::Choice)));
    }
    // What is no expression still names licenses.
    ids.retain(|id| *id != UNKNOWN);
    ids.push(UNKNOWN);
    ids.dedup();
    Some((joined(&ids, " AND "), None))
}

fn joined(ids: &[&str], word: &str) -> Expression {
    Expression::parse(&ids.join(word)).unwrap_or_else(|_| Expression::no_assertion())
}

/// The text without what closes a comment or an element, and without punctuation around it.
pub(super) fn without_markup(text: &str) -> &str {
    let end =
        ["*/", "-->", "</", "\\n", "\">", "\"", "#}", "'''"].iter().filter_map(|mark| text.find(mark)).min();
    let text = text[..end.unwrap_or(text.len())].trim();
    let text = text.trim_start_matches(|c: char| c.is_ascii_punctuation() && c != '(' || c.is_whitespace());
    let text = text
        .trim_end_matches(|c: char| c.is_ascii_punctuation() && c != ')' && c != '+' || c.is_whitespace());
    let count = |c| text.matches(c).count();
    match (count('('), count(')')) {
        (1, 0) => text.trim_start_matches('('),
        (0, 1) => text.trim_end_matches(')'),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::cases::check;

    #[test]
    fn tags_know_the_names_that_spdx_replaced() {
        for (name, expected) in [
            ("GPL-2.0-with-classpath-exception", "GPL-2.0-only WITH Classpath-exception-2.0"),
            ("Apache-2.0+", "Apache-2.0+"),
            ("DocumentRef-x:LicenseRef-y", "DocumentRef-x:LicenseRef-y"),
            (
                "GPL-2.0 with Linux-syscall-note exception",
                "GPL-2.0-only AND LicenseRef-scancode-unknown-spdx",
            ),
        ] {
            check(&["SPDX-License", "-Identifier: ", name].concat(), expected);
        }
    }

    #[test]
    fn a_tag_goes_on_where_its_expression_does() {
        let tag = ["SPDX-License", "-Identifier: "].concat();
        for (text, expected) in [
            (
                format!("/* {tag}GPL-2.0-only WITH\n * Classpath-exception-2.0\n */"),
                "GPL-2.0-only WITH Classpath-exception-2.0",
            ),
            (format!("# {tag}(MIT OR\n#   Apache-2.0)\nx = 1"), "MIT OR Apache-2.0"),
            (format!("# {tag}(MIT\n#  OR Apache-2.0\n#  OR ISC)"), "MIT OR Apache-2.0 OR ISC"),
            (format!("// {tag}MIT {tag}Apache-2.0"), "MIT AND Apache-2.0"),
            (
                format!("// {tag}MIT OR\n// {tag}Apache-2.0"),
                "MIT AND LicenseRef-scancode-unknown-spdx AND Apache-2.0",
            ),
            // What follows is prose, and says something of its own.
            (
                format!("// {tag}MIT (see\n// GPL-2.0-only for the rest)"),
                "MIT AND LicenseRef-scancode-unknown-spdx AND GPL-2.0-only",
            ),
        ] {
            check(&text, expected);
        }
    }

    #[test]
    fn a_line_of_many_tags_is_read_to_its_end() {
        check(&["SPDX-License", "-Identifier: MIT "].concat().repeat(40_000), "MIT");
    }
}
