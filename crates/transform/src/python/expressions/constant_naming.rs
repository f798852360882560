//! `constant-naming`: gives the numbers and texts of a function names.
//!
//! # What it does
//!
//! The function begins with an assignment for each different number and text that it has. The names stand where the literals stood.
//!
//! # Why behavior is kept
//!
//! A literal gives the same value each time, and nothing assigns to the new names.
//!
//! # Example
//!
//! `def f(x): return x * 100` becomes `def f(x):` with `bound = 100` and `return x * bound` inside.
//!
//! # Where it does not apply
//!
//! Annotations, patterns, f-strings and docstrings; inner functions and classes; modules that others may import.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_plain_value;
use crate::program::Program;
use crate::python::{code, memory};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// More constants stay as they are.
const MOST_CONSTANTS: usize = 12;

pub(crate) static RULE: Rule = Rule {
    name: "constant-naming",
    summary: "gives the numbers and texts of a function names",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    memory::bodies(program).into_iter().filter(|it| literals(*it).next().is_some()).collect()
}

fn literals(body: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let is_code = |it: &Node<'_>| !matches!(it.kind(), "function_definition" | "class_definition");
    let working = memory::working(body).filter(is_code).flat_map(code::own);
    working.filter(|it| {
        let text = it.kind() == "string" && !it.subtree().any(|it| it.kind() == "interpolation");
        (text || it.is_named() && matches!(it.kind(), "integer" | "float")) && is_plain_value(*it)
    })
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let mut names: Vec<(&str, String)> = Vec::new();
    let mut edits = Vec::new();
    for literal in literals(site) {
        let text = program.of(literal);
        if text.contains('\n') {
            continue;
        }
        if !names.iter().any(|it| it.0 == text) && names.len() < MOST_CONSTANTS {
            names.push((text, choices.name()));
        }
        let name = names.iter().find(|it| it.0 == text);
        edits.extend(name.map(|(_, name)| Edit::text(literal.range(), name.clone())));
    }
    let [texts, new]: [Vec<_>; 2] =
        [names.iter().map(|it| it.0).collect(), names.iter().map(|it| it.1.as_str()).collect()];
    if new.is_empty() {
        return Err(Refusal("its texts have several lines"));
    }
    edits.push(memory::prologue(program, site, &format!("{} = {}", new.join(", "), texts.join(", ")))?);
    Ok(edits)
}
