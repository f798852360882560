//! `modular-state-accumulation`: lets results pass through a circular buffer.
//!
//! # What it does
//!
//! The function gets a buffer and a state that turns modulo its size. What a `return` gives and what an augmented
//! assignment changes are put into the cell of the state and taken out of it.
//!
//! # Why behavior is kept
//!
//! The state does not change between putting and taking. `cell += value` asks the old value for the same operation as
//! before, in the same order.
//!
//! # Example
//!
//! `return a` becomes `state = (state + 2) % 5`, `ring[state] = a`, `return ring[state]`.
//!
//! # Where it does not apply
//!
//! Attributes and items as targets; `return` without a value; the body of a class; modules that others may import.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "modular-state-accumulation",
    summary: "lets results and augmented assignments pass through a circular buffer",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// A result, or a variable that an operator changes.
enum Passing<'p> {
    Return { statement: Node<'p>, value: Node<'p> },
    Augmented { statement: Node<'p>, parts: [Node<'p>; 3] },
}

fn candidates(program: &Program) -> Vec<Node<'_>> {
    memory::bodies(program).into_iter().filter(|it| passing(program, *it).next().is_some()).collect()
}

fn passing<'p>(program: &'p Program, body: Node<'p>) -> impl Iterator<Item = Passing<'p>> {
    let statements = code::own(body).filter(|it| it.is_named() && code::indent(program, *it).is_ok());
    statements.filter_map(|statement| match statement.kind() {
        "return_statement" => {
            let value = statement.named().find(|it| it.kind() != "comment")?;
            Some(Passing::Return { statement, value })
        }
        "expression_statement" => {
            let change = statement.named().next().filter(|it| it.kind() == "augmented_assignment")?;
            let target = change.child("left").filter(|it| it.kind() == "identifier")?;
            Some(Passing::Augmented {
                statement,
                parts: [target, change.child("operator")?, change.child("right")?],
            })
        }
        _ => None,
    })
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (ring, state, size) = (choices.name(), choices.name(), choices.below(6) + 3);
    let mut edits = vec![memory::prologue(program, site, &format!("{ring}, {state} = [None] * {size}, 0"))?];
    for passing in passing(program, site) {
        let turn = format!("{state} = ({state} + {}) % {size}", choices.below(size - 1) + 1);
        match passing {
            Passing::Return { statement, value } => {
                let mut lines = code::lines(program, statement)?;
                lines.line(0, &turn, &[]).line(
                    0,
                    &format!("{ring}[{state}] = {}", values::item(value)),
                    &[value],
                );
                lines.line(0, &format!("return {ring}[{state}]"), &[]);
                edits.push(lines.edit(statement.range()));
            }
            Passing::Augmented { statement, parts: [target, operator, value] } => {
                let mut lines = code::lines(program, statement)?;
                lines.line(0, &turn, &[]).line(0, &format!("{ring}[{state}] = $0"), &[target]);
                lines.line(
                    0,
                    &format!("{ring}[{state}] $0 {}", values::at(values::item(value), 1)),
                    &[operator, value],
                );
                lines.line(0, &format!("$0 = {ring}[{state}]"), &[target]);
                edits.push(lines.edit(statement.range()));
            }
        }
    }
    Ok(edits)
}
