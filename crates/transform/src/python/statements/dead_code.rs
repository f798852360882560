//! `dead-code`: puts a second copy of a statement where no one comes.
//!
//! # What it does
//!
//! A statement of the function stands a second time before itself, in a loop without a round or behind a condition that never
//! holds.
//!
//! # Why behavior is kept
//!
//! The copy never runs. It binds no name that the function does not bind anyway.
//!
//! # Example
//!
//! `total += x` becomes `while False: total += x` and `total += x`.
//!
//! # Where it does not apply
//!
//! Functions without assignments, calls and results on lines of their own; a `global` or `nonlocal` inside a block.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, memory};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "dead-code",
    summary: "puts a second copy of a statement where no one comes",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    memory::bodies(program).into_iter().filter(|it| !copied(program, *it).is_empty()).collect()
}

/// Statements that may stand twice.
fn copied<'p>(program: &Program, body: Node<'p>) -> Vec<Node<'p>> {
    let declares = |it: Node<'_>| {
        matches!(it.kind(), "global_statement" | "nonlocal_statement") && it.parent() != Some(body)
    };
    if code::own(body).any(declares) {
        return Vec::new();
    }
    let starts = memory::working(body).next().map_or(0, Node::number);
    let own = code::own(body).filter(|it| it.number() >= starts);
    let plain = own.filter(|it| matches!(it.kind(), "expression_statement" | "return_statement"));
    let plain = plain.filter(|it| it.named().next().is_some_and(|it| it.kind() != "string") && it.is_named());
    plain.filter(|it| code::indent(program, *it).is_ok() && code::may_add_names(*it).is_ok()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let copied = copied(program, site);
    let statement = copied[choices.below(copied.len())];
    let mut lines = code::lines(program, statement)?;
    let stretch = code::stretch_of(program, statement, statement)?;
    let head = match choices.below(4) {
        0 => "while False:".to_owned(),
        1 => "if not True:".to_owned(),
        2 => format!("for {} in ():", choices.name()),
        _ => format!("if {} < 0:", choices.below(90)),
    };
    lines.line(0, &head, &[]).stretch(1, &stretch).stretch(0, &stretch);
    Ok(vec![lines.edit(statement.range())])
}
