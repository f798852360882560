//! Functions of JavaScript: declarations, arrows and methods of classes.

use super::function::{Function, Parameter};
use crate::tokens::{Word, closing, parts};
use crate::types::Type;

pub(super) fn functions(words: &[Word<'_>]) -> Vec<Function> {
    let mut all = Vec::new();
    let mut class: Option<(usize, &str)> = None;
    let mut place = 0;
    while let Some(word) = words.get(place) {
        if class.is_some_and(|(end, _)| end <= place) {
            class = None;
        }
        if word.is("class") {
            let open = words[place..].iter().position(|word| word.is("{")).map(|rest| place + rest);
            if let Some((open, end)) = open.and_then(|open| Some((open, closing(words, open)?))) {
                class = words.get(place + 1).map(|name| (end, name.text));
                place = open + 1;
                continue;
            }
        }
        if let Some((name, from, to, behind)) = head(words, place, class.is_some()) {
            let fixed = place > 0 && words[place - 1].is("static");
            if name != "constructor" {
                all.push(Function {
                    name: name.to_owned(),
                    owner: class.map(|(_, name)| name.to_owned()),
                    parameters: parts(&words[from..to]).into_iter().filter_map(parameter).collect(),
                    rest: parts(&words[from..to]).iter().any(|part| part[0].is("...")),
                    returns: Type::Any,
                    fixed: fixed || class.is_none(),
                    public: !name.starts_with(['_', '#']),
                });
            }
            place = body_end(words, behind);
            continue;
        }
        place += 1;
    }
    all
}

/// The name of a function, the range of its parameters, and what stands behind them.
fn head<'t>(words: &[Word<'t>], place: usize, in_class: bool) -> Option<(&'t str, usize, usize, usize)> {
    let at = |place: usize| words.get(place).map_or("", |word| word.text);
    let listed = |name: &'t str, open: usize| {
        let close = closing(words, open)?;
        Some((name, open + 1, close, close + 1))
    };
    if at(place) == "function" {
        let name = place + 1 + usize::from(at(place + 1) == "*");
        let named = words.get(name).filter(|name| name.names())?;
        return (at(name + 1) == "(").then(|| listed(named.text, name + 1)).flatten();
    }
    let name = words.get(place).filter(|name| name.names())?;
    if at(place + 1) == "=" {
        let mut from = place + 2 + usize::from(at(place + 2) == "async");
        if at(from) == "function" {
            from += 1;
            from += usize::from(words.get(from).is_some_and(Word::names));
            return (at(from) == "(").then(|| listed(name.text, from)).flatten();
        }
        if at(from) == "(" {
            return listed(name.text, from).filter(|(.., behind)| at(*behind) == "=>");
        }
        return (at(from + 1) == "=>" && words[from].names()).then(|| (name.text, from, from + 1, from + 1));
    }
    let statement = ["if", "for", "while", "switch", "catch"].contains(&name.text);
    if in_class && !statement && at(place + 1) == "(" {
        return listed(name.text, place + 1).filter(|(.., behind)| at(*behind) == "{");
    }
    None
}

fn body_end(words: &[Word<'_>], behind: usize) -> usize {
    let open = behind + usize::from(words.get(behind).is_some_and(|word| word.is("=>")));
    match words.get(open) {
        Some(brace) if brace.is("{") => closing(words, open).map_or(words.len(), |end| end + 1),
        _ => open,
    }
}

/// `...rest` is none: it has no name of its own.
fn parameter(part: &[Word<'_>]) -> Option<Parameter> {
    let first = part.first().filter(|word| !word.is("..."))?;
    let name = if first.names() { first.text.to_owned() } else { String::new() };
    let optional = part.iter().any(|word| word.is("="));
    Some(Parameter { name, written: String::new(), kind: Type::Any, optional })
}
