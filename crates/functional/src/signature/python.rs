//! Functions of Python: `def` at the margin, or in a class at the margin.

use super::function::{Function, Parameter};
use crate::tokens::{Word, closing, joined, parts};
use crate::types::{Type, written};
use familiar_source::Language::Python;

pub(super) fn functions(text: &str, words: &[Word<'_>]) -> Vec<Function> {
    let mut all = Vec::new();
    // The heads around the place: column and class. A function has no class.
    let mut around: Vec<(usize, Option<&str>)> = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let head = ["def", "class"].contains(&word.text);
        let Some(name) = words.get(place + 1).filter(|name| head && name.names()) else { continue };
        let column = column(text, word.start);
        while around.last().is_some_and(|(outer, _)| *outer >= column) {
            around.pop();
        }
        if word.is("class") {
            around.push((column, Some(name.text)));
            continue;
        }
        let owner = around.last().map(|(_, class)| *class);
        around.push((column, None));
        let open = place + 2;
        let inside_function = owner == Some(None);
        let Some(close) = closing(words, open).filter(|_| !inside_function && words[open].is("(")) else {
            continue;
        };
        let decorated = words[..place].iter().rev().take(3).any(|word| word.is("staticmethod"));
        let returns = match words.get(close + 1).filter(|word| word.is("->")) {
            Some(_) => {
                let end = words[close + 2..].iter().position(|word| word.is(":")).unwrap_or(0);
                match joined(&words[close + 2..close + 2 + end]).as_str() {
                    "None" => Type::Nothing,
                    text => written(text, Python),
                }
            }
            None => Type::Any,
        };
        all.push(Function {
            name: name.text.to_owned(),
            owner: owner.flatten().map(str::to_owned),
            parameters: parameters(&words[open + 1..close]),
            rest: parts(&words[open + 1..close]).iter().any(|part| part.len() > 1 && part[0].is("*")),
            returns,
            fixed: decorated,
            public: !name.text.starts_with('_'),
        });
    }
    all
}

/// How far from the margin a place stands. A tab counts as eight columns.
fn column(text: &str, place: usize) -> usize {
    let line = text[..place].rfind('\n').map_or(0, |end| end + 1);
    let indent = text[line..].chars().take_while(|letter| *letter == ' ' || *letter == '\t');
    indent.map(|letter| if letter == '\t' { 8 } else { 1 }).sum()
}

/// Those that have a name of their own: `*rest` is none.
fn parameters(words: &[Word<'_>]) -> Vec<Parameter> {
    let one = |part: &[Word<'_>]| {
        let name = part.first().filter(|name| name.names())?;
        let end = part.iter().position(|word| word.is("=")).unwrap_or(part.len());
        let text =
            if part.get(1).is_some_and(|word| word.is(":")) { joined(&part[2..end]) } else { String::new() };
        let kind = match written(&text, Python) {
            // Nothing is known of a class by its name alone.
            Type::Class(_) => Type::Any,
            kind => kind,
        };
        Some(Parameter { name: name.text.to_owned(), written: text, kind, optional: end < part.len() })
    };
    parts(words).into_iter().filter_map(one).collect()
}
