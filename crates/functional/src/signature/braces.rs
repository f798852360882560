//! Functions of Java, C, C++ and C#: a type, a name, parameters, and a body in braces.

use super::function::{Function, Parameter};
use crate::tokens::{Word, closing, joined, parts};
use crate::types::{Type, written};
use familiar_source::{Language, TokenClass};

/// Words that may stand before a type.
const MODIFIERS: [&str; 22] = [
    "public",
    "private",
    "protected",
    "static",
    "final",
    "abstract",
    "synchronized",
    "native",
    "strictfp",
    "default",
    "inline",
    "extern",
    "const",
    "virtual",
    "override",
    "async",
    "internal",
    "sealed",
    "constexpr",
    "unsafe",
    "explicit",
    "register",
];

/// What has a name and parentheses, and is no function.
const STATEMENTS: [&str; 12] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "new",
    "else",
    "synchronized",
    "foreach",
    "using",
    "lock",
];

pub(super) fn functions(words: &[Word<'_>], language: Language) -> Vec<Function> {
    let mut all = Vec::new();
    // The classes around the place, by the place of their closing brace.
    let mut around: Vec<(usize, String)> = Vec::new();
    let mut place = 0;
    while let Some(word) = words.get(place) {
        while around.last().is_some_and(|(end, _)| *end <= place) {
            around.pop();
        }
        let declares = ["class", "struct", "interface", "enum", "record", "namespace"].contains(&word.text);
        if let Some((name, open)) = declares.then(|| class(words, place)).flatten()
            && let Some(end) = closing(words, open)
        {
            {
                if word.is("namespace") && language == Language::CSharp {
                    // Its classes are found by their own names.
                    place = open + 1;
                } else if word.is("namespace") || around.is_empty() {
                    around.push((end, name));
                    place = open + 1;
                } else {
                    // Classes within classes hold no function to start from.
                    place = end + 1;
                }
                continue;
            }
        }
        if let Some((function, body)) = function(words, place, language, around.last().map(|(_, name)| name))
        {
            all.extend(function);
            let end = if words[body].is("=>") {
                words[body..].iter().position(|word| word.is(";")).map(|end| body + end)
            } else {
                closing(words, body)
            };
            place = end.map_or(words.len(), |end| end + 1);
            continue;
        }
        place += 1;
    }
    all
}

/// The name of a class, and the place of its opening brace.
fn class(words: &[Word<'_>], place: usize) -> Option<(String, usize)> {
    let name = words.get(place + 1).filter(|name| name.names())?;
    let rest = words[place + 2..].iter().position(|word| ["{", ";", "(", "=", ")"].contains(&word.text))?;
    let open = place + 2 + rest;
    words[open].is("{").then(|| (name.text.to_owned(), open))
}

/// A function whose name stands at `place`, and the place of its body. A constructor has a body only.
fn function(
    words: &[Word<'_>],
    place: usize,
    language: Language,
    owner: Option<&String>,
) -> Option<(Option<Function>, usize)> {
    let name = words[place];
    let is_csharp = language == Language::CSharp;
    let mut open = place + 1;
    let mut own_variables = Vec::new();
    if is_csharp && words.get(open).is_some_and(|word| word.is("<")) {
        let end = open + typed_end(&words[open..]);
        own_variables =
            parts(&words[open + 1..end - 1]).iter().filter_map(|it| it.first()).map(|it| it.text).collect();
        open = end;
    }
    if !name.names() || STATEMENTS.contains(&name.text) || !words.get(open)?.is("(") {
        return None;
    }
    let close = closing(words, open)?;
    let mut body = close + 1;
    let between = ["throws", "const", "noexcept", "override", ",", ".", "final"];
    let of_csharp: &[&str] =
        if is_csharp { &[":", "<", ">", "(", ")", "where", "class", "struct", "new"] } else { &[] };
    while words
        .get(body)
        .is_some_and(|word| between.contains(&word.text) || of_csharp.contains(&word.text) || word.names())
    {
        body += 1;
    }
    let begins = words.get(body)?;
    if !(begins.is("{") || is_csharp && begins.is("=>")) || body > close + if is_csharp { 40 } else { 12 } {
        return None;
    }
    let begin = words[..place]
        .iter()
        .rposition(|word| [";", "}", "{", ":"].contains(&word.text) || word.class == TokenClass::Import)
        .map_or(0, |end| end + 1);
    let before = &words[begin..place];
    if before.iter().any(|word| ["=", "new", "return", "(", "."].contains(&word.text) && !word.is("("))
        && !matches!(language, Language::Java | Language::CSharp)
    {
        return None;
    }
    if before.iter().any(|word| ["=", "new", "return"].contains(&word.text)) {
        return None;
    }
    let modifier = |text: &str| before.iter().any(|word| word.is(text));
    let mut typed: Vec<Word<'_>> =
        before.iter().filter(|word| !MODIFIERS.contains(&word.text)).copied().collect();
    // Attributes of C#.
    while is_csharp && typed.first().is_some_and(|word| word.is("[")) {
        let end = closing(&typed, 0).map_or(typed.len(), |end| end + 1);
        typed.drain(..end);
    }
    while let [at, _, rest @ ..] = typed.as_slice() {
        if !at.is("@") {
            break;
        }
        typed = rest.to_vec();
    }
    let mut variables = own_variables;
    if typed.first().is_some_and(|word| word.is("<")) {
        let end = typed_end(&typed);
        variables =
            parts(&typed[1..end - 1]).iter().filter_map(|part| part.first().map(|word| word.text)).collect();
        typed.drain(..end);
    } else if typed.first().is_some_and(|word| word.is("template")) {
        typed.drain(..=typed_end(&typed[1..]));
    }
    let constructs = typed.is_empty();
    if constructs && (owner.is_some() || language != Language::C) {
        return Some((None, body));
    }
    let parameters: Option<Vec<Parameter>> =
        parts(&words[open + 1..close]).iter().map(|part| parameter(part, language, &variables)).collect();
    let function = Function {
        name: name.text.to_owned(),
        owner: owner.cloned(),
        parameters: parameters?.into_iter().filter(|parameter| !parameter.name.is_empty()).collect(),
        rest: false,
        returns: if constructs { Type::Int } else { named(&joined(&typed), language, &variables) },
        fixed: modifier("static") || owner.is_none(),
        public: !modifier("private"),
    };
    Some((Some(function), body))
}

/// How many words a list in angle brackets has, with its brackets.
fn typed_end(words: &[Word<'_>]) -> usize {
    let mut depth = 0;
    for (place, word) in words.iter().enumerate() {
        depth += i32::from(word.is("<")) - i32::from(word.is(">"));
        if depth == 0 {
            return place + 1;
        }
    }
    words.len()
}

/// A type; a variable of types may be anything.
fn named(text: &str, language: Language, variables: &[&str]) -> Type {
    match written(text, language) {
        Type::Class(name) if variables.contains(&name.as_str()) => Type::Any,
        Type::List(of) => match *of {
            Type::Class(name) if variables.contains(&name.as_str()) => Type::list(Type::Any),
            of => Type::list(of),
        },
        kind => kind,
    }
}

/// A parameter: a type, and a name that stands last. An array may have its brackets behind the name.
fn parameter(part: &[Word<'_>], language: Language, variables: &[&str]) -> Option<Parameter> {
    let end = part.iter().position(|word| word.is("=")).unwrap_or(part.len());
    let optional = end < part.len();
    // Annotations and `final` say nothing of the values.
    let silent =
        |place: usize| part[place].is("final") || part[place].is("@") || place > 0 && part[place - 1].is("@");
    let mut part: Vec<Word<'_>> = (0..end).filter(|place| !silent(*place)).map(|place| part[place]).collect();
    let mut arrays = 0;
    while part.last().is_some_and(|word| word.is("]")) {
        let open = part.iter().rposition(|word| word.is("["))?;
        if open == 0 || !part[open - 1].names() || part[open - 1].class == TokenClass::Type {
            break;
        }
        part.truncate(open);
        arrays += 1;
        if part.len() < 2 {
            break;
        }
    }
    if let [only] = part.as_slice() {
        return only.is("void").then(|| Parameter {
            name: String::new(),
            written: String::new(),
            kind: Type::Nothing,
            optional,
        });
    }
    let name = part.pop().filter(Word::names)?;
    let text = joined(&part) + &"[]".repeat(arrays);
    let kind = named(&text, language, variables);
    Some(Parameter { name: name.text.to_owned(), written: text, kind, optional })
}
