//! Functions of Go: the type stands behind the name, and may hold for several names.

use super::function::{Function, Parameter};
use crate::tokens::{Word, closing, joined, parts};
use crate::types::{Type, written};
use familiar_source::Language::Go;

pub(super) fn functions(words: &[Word<'_>]) -> Vec<Function> {
    let mut all = Vec::new();
    let mut place = 0;
    while place < words.len() {
        let begins = words[place].is("func");
        place += 1;
        if !begins {
            continue;
        }
        let mut name = place;
        let mut owner = None;
        if words.get(name).is_some_and(|word| word.is("(")) {
            let Some(close) = closing(words, name) else { continue };
            owner = words[name..close].iter().rfind(|word| word.names()).map(|word| word.text.to_owned());
            name = close + 1;
        }
        let Some(named) = words.get(name).filter(|named| named.names()) else { continue };
        let Some(close) = closing(words, name + 1).filter(|_| words[name + 1].is("(")) else { continue };
        let Some(body) = words[close..].iter().position(|word| word.is("{")).map(|rest| close + rest) else {
            continue;
        };
        let returned = &words[close + 1..body];
        let returns = match returned {
            [] => Type::Nothing,
            [open, ..] if open.is("(") => Type::Any,
            single => written(&joined(single), Go),
        };
        all.push(Function {
            name: named.text.to_owned(),
            owner,
            parameters: parameters(&words[name + 2..close]),
            rest: false,
            returns,
            fixed: true,
            public: true,
        });
        place = closing(words, body).map_or(words.len(), |end| end + 1);
    }
    all
}

fn parameters(words: &[Word<'_>]) -> Vec<Parameter> {
    let mut all = Vec::new();
    let mut text = String::new();
    for part in parts(words).iter().rev() {
        if part.len() > 1 {
            text = joined(&part[1..]);
        }
        let kind = written(&text, Go);
        all.push(Parameter { name: part[0].text.to_owned(), written: text.clone(), kind, optional: false });
    }
    all.reverse();
    all
}
