//! Small faults: one token of a program becomes another one.

use std::ops::Range;

use familiar_source::{Language, Token, TokenClass};
use familiar_syntax::{Parser, Want};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::random::SplitMix;

/// What a fault changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// An operator becomes another one: `<` becomes `<=`, `+` becomes `-`, `and` becomes `or`.
    Operator,
    /// A whole number becomes one larger or one smaller.
    Number,
    /// True becomes false, or false true.
    Truth,
    /// One use of a variable becomes a use of another one.
    Variable,
}

impl FaultKind {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Operator => "operator",
            Self::Number => "number",
            Self::Truth => "truth",
            Self::Variable => "variable",
        }
    }
}

/// One token that becomes another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    bytes: Range<usize>,
    becomes: String,
}

/// What an operator, a word that is one, or a truth value may become.
const CHANGES: [(&str, &[&str]); 25] = [
    ("+", &["-"]),
    ("-", &["+"]),
    ("*", &["+", "-"]),
    ("/", &["*"]),
    ("//", &["*"]),
    ("%", &["+", "*"]),
    ("<", &["<=", ">"]),
    ("<=", &["<", ">="]),
    (">", &[">=", "<"]),
    (">=", &[">", "<="]),
    ("==", &["!="]),
    ("!=", &["=="]),
    ("===", &["!=="]),
    ("!==", &["==="]),
    ("&&", &["||"]),
    ("||", &["&&"]),
    ("+=", &["-="]),
    ("-=", &["+="]),
    ("*=", &["+="]),
    ("and", &["or"]),
    ("or", &["and"]),
    ("True", &["False"]),
    ("False", &["True"]),
    ("true", &["false"]),
    ("false", &["true"]),
];

/// Every place of a program at which a token may become another one, each with one change that `random` draws.
pub(super) fn places(
    parser: &mut Parser,
    language: Language,
    text: &[u8],
    random: &mut SplitMix,
) -> Vec<Fault> {
    let tokens = parser.parse(language, text, Want::default()).tokens;
    let written = |token: &Token| &text[token.start as usize..token.end as usize];
    let variables = variables(tokens, text);
    let mut names: Vec<&[u8]> = variables.iter().filter(|it| it.1.len() > 1).map(|it| *it.0).collect();
    names.sort_unstable();
    let is_variable: rustc_hash::FxHashSet<usize> = variables.values().flatten().copied().collect();
    let mut faults = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Ok(word) = std::str::from_utf8(written(token)) else { continue };
        let change = match token.class {
            TokenClass::Number => number(word, random).map(|to| (FaultKind::Number, to)),
            TokenClass::Identifier if is_variable.contains(&at) => {
                another(&names, written(token), random).map(|to| (FaultKind::Variable, to))
            }
            TokenClass::Operator | TokenClass::Keyword | TokenClass::Identifier => exchanged(word, random),
            _ => None,
        };
        if let Some((kind, becomes)) = change {
            faults.push(Fault { kind, bytes: token.start as usize..token.end as usize, becomes });
        }
    }
    faults
}

/// The text with some faults, which stand at different places.
pub(super) fn with(text: &[u8], faults: &[&Fault]) -> Vec<u8> {
    let mut faults = faults.to_vec();
    faults.sort_unstable_by_key(|fault| fault.bytes.start);
    let (mut made, mut from) = (Vec::with_capacity(text.len() + 8), 0);
    for fault in faults {
        made.extend_from_slice(&text[from..fault.bytes.start]);
        made.extend_from_slice(fault.becomes.as_bytes());
        from = fault.bytes.end;
    }
    made.extend_from_slice(&text[from..]);
    made
}

fn number(word: &str, random: &mut SplitMix) -> Option<String> {
    // Behind a leading zero the digits may be octal.
    let number = word.parse::<u64>().ok().filter(|_| word == "0" || !word.starts_with('0'))?;
    let less = number > 0 && random.below(2) == 1;
    Some(if less { number - 1 } else { number.checked_add(1)? }.to_string())
}

fn exchanged(word: &str, random: &mut SplitMix) -> Option<(FaultKind, String)> {
    let (_, others) = CHANGES.iter().find(|(old, _)| *old == word)?;
    let is_truth = matches!(word, "True" | "False" | "true" | "false");
    let kind = if is_truth { FaultKind::Truth } else { FaultKind::Operator };
    Some((kind, others[random.below(others.len())].to_owned()))
}

/// One of `names` that is not `name`.
fn another(names: &[&[u8]], name: &[u8], random: &mut SplitMix) -> Option<String> {
    let others: Vec<&&[u8]> = names.iter().filter(|other| **other != name).collect();
    let other = others.get(random.below(others.len()))?;
    String::from_utf8(other.to_vec()).ok()
}

/// The uses of each name that is neither called, nor part of something, nor what a definition names.
fn variables<'t>(tokens: &[Token], text: &'t [u8]) -> FxHashMap<&'t [u8], Vec<usize>> {
    let written = |at: usize| tokens.get(at).map(|it| &text[it.start as usize..it.end as usize]);
    let mut uses: FxHashMap<&[u8], Vec<usize>> = FxHashMap::default();
    for (at, token) in tokens.iter().enumerate().filter(|(_, it)| it.class == TokenClass::Identifier) {
        let name = &text[token.start as usize..token.end as usize];
        let before = at.checked_sub(1).and_then(written).unwrap_or_default();
        let is_part = matches!(before, b"." | b"->" | b"::" | b"def" | b"class" | b"func" | b"function");
        let is_called = matches!(written(at + 1), Some(b"(" | b"::"));
        if !is_part && !is_called && !CHANGES.iter().any(|(word, _)| word.as_bytes() == name) {
            uses.entry(name).or_default().push(at);
        }
    }
    uses
}

#[cfg(test)]
mod tests {
    use super::*;

    const CODE: &str =
        "def f(a, b):\n    while a < b and True:\n        a = a + 7\n    return g.a(a) - len(b)\n";

    #[test]
    fn each_fault_changes_one_token_of_its_kind() {
        let mut kinds = Vec::new();
        for seed in 0..20 {
            for fault in
                places(&mut Parser::default(), Language::Python, CODE.as_bytes(), &mut SplitMix(seed))
            {
                let made = String::from_utf8(with(CODE.as_bytes(), &[&fault])).expect("it is text");
                let (old, new) = (&CODE[fault.bytes.clone()], &fault.becomes);
                assert_ne!(old, new);
                assert_eq!(made.len() + old.len(), CODE.len() + new.len());
                kinds.push((fault.kind, old.to_owned(), new.clone()));
            }
        }
        let is = |kind, old: &str, new: &str| kinds.contains(&(kind, old.to_owned(), new.to_owned()));
        assert!(is(FaultKind::Operator, "<", "<=") && is(FaultKind::Operator, "<", ">"));
        assert!(is(FaultKind::Operator, "and", "or") && is(FaultKind::Operator, "-", "+"));
        assert!(is(FaultKind::Number, "7", "8") && is(FaultKind::Number, "7", "6"));
        assert!(is(FaultKind::Truth, "True", "False") && is(FaultKind::Variable, "a", "b"));
        // What is called, and what belongs to something, is no variable; what something belongs to is one.
        let names: Vec<&str> = kinds.iter().map(|(_, old, _)| old.as_str()).collect();
        assert!(!names.contains(&"f") && !names.contains(&"len") && names.contains(&"g"));
    }

    #[test]
    fn several_faults_stand_in_one_mutant() {
        let faults = places(&mut Parser::default(), Language::Python, b"a = 1 + 2\n", &mut SplitMix(3));
        let all: Vec<&Fault> = faults.iter().rev().collect();
        let made = with(b"a = 1 + 2\n", &all);
        assert!(
            made == b"a = 2 - 3\n"
                || made == b"a = 0 - 1\n"
                || made == b"a = 2 - 1\n"
                || made == b"a = 0 - 3\n"
        );
    }
}
