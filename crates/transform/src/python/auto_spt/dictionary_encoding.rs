//! `cumulative-state-mapping`: writes a text as a dictionary of its characters, whose keys are sums modulo a prime.
//!
//! # What it does
//!
//! Each character gets a key. The keys follow each other by a step modulo a prime, so they say the order.
//!
//! # Why behavior is kept
//!
//! A step below the prime reaches as many different keys as there are characters, and joining the characters in the
//! order of the keys gives the text.
//!
//! # Example
//!
//! `"ab"` becomes `"".join({4: "a", 2: "b"}[(4 + 5 * turn) % 7] for turn in range(2))`.
//!
//! # Where it does not apply
//!
//! Docstrings, f-strings, bytes, raw strings and escapes; texts that stand beside other texts; texts of one character
//! or of more than 60.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const MOST_CHARACTERS: usize = 60;

pub(crate) static RULE: Rule = Rule {
    name: "cumulative-state-mapping",
    summary: "writes a text as a dictionary of its characters, keyed by sums modulo a prime",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let is_alone = |it: &Node<'_>| it.parent().is_none_or(|it| it.kind() != "expression_statement");
    let strings = code::all(program, "string").filter(|it| values::is_value(*it) && is_alone(it));
    strings.filter(|it| characters(program, *it).is_some_and(|it| it.len() > 1)).collect()
}

/// The characters of a plain string without escapes.
fn characters(program: &Program, string: Node<'_>) -> Option<Vec<char>> {
    let text = program.of(string);
    let inner = text.strip_prefix('"').and_then(|it| it.strip_suffix('"'));
    let inner = inner.or_else(|| text.strip_prefix('\'')?.strip_suffix('\''))?;
    let plain = |c: char| !c.is_control() && !matches!(c, '\\' | '"' | '\'');
    inner.chars().all(plain).then(|| inner.chars().collect())
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let characters = characters(program, site).ok_or(Refusal("it has escapes"))?;
    if characters.len() > MOST_CHARACTERS {
        return Err(Refusal("it is too long"));
    }
    code::needs_builtins(program, &["range"])?;
    let is_prime = |number: &usize| {
        (2..*number).take_while(|it| it * it <= *number).all(|it| !number.is_multiple_of(it))
    };
    let prime = (characters.len().max(6) + 1..=61).find(is_prime).unwrap_or(61);
    let (first, step, turn) = (choices.below(prime), choices.below(prime - 2) + 2, choices.name());
    let entries: Vec<_> = characters
        .iter()
        .enumerate()
        .map(|(at, it)| format!("{}: \"{it}\"", (first + step * at) % prime))
        .collect();
    let text = format!(
        "\"\".join({{{}}}[({first} + {step} * {turn}) % {prime}] for {turn} in range({}))",
        entries.join(", "),
        characters.len()
    );
    Ok(vec![expression(site.range(), &text, &[])])
}
