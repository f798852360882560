//! `probabilistic-control-flow`: chooses by a pseudo-random state between two forms of an `if`.
//!
//! # What it does
//!
//! The function gets a state that a linear congruence moves. Before each `if`, the state decides whether it runs as it is or with
//! its branches exchanged.
//!
//! # Why behavior is kept
//!
//! Both forms do the same ([`if-else-flip`](super::super::if_else_flip)). The state belongs to one call, so nothing else
//! changes.
//!
//! # Example
//!
//! `if a: b()` becomes `if dice & 64:` with `if a: b()` inside, and `else:` with `if not a: pass` and `else: b()`.
//!
//! # Where it does not apply
//!
//! `elif`; an `if` of more than ten statements, with a `global` or `nonlocal`, or inside another that is rewritten; modules that
//! others may import.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory;
use crate::python::{code, negate};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const MOST_STATEMENTS: usize = 10;

pub(crate) static RULE: Rule = Rule {
    name: "probabilistic-control-flow",
    summary: "chooses by a pseudo-random state between two forms of an if",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    memory::bodies(program).into_iter().filter(|it| !choices_of(program, *it).is_empty()).collect()
}

/// Short `if` statements of a body that are not inside each other.
fn choices_of<'p>(program: &'p Program, body: Node<'p>) -> Vec<Node<'p>> {
    let mut taken = 0;
    let own = code::own(body).filter(|it| it.kind() == "if_statement" && it.is_named());
    let short = own.filter(|it| {
        let size = it.subtree().filter(|it| code::is_statement(*it)).count();
        let branches = code::branches(*it);
        let plain = branches.len() == 1 || branches.len() == 2 && branches[1].condition.is_none();
        let fits = it.start() >= taken
            && plain
            && size <= MOST_STATEMENTS
            && code::indent(program, *it).is_ok()
            && code::declares_nothing(*it).is_ok();
        if fits {
            taken = it.end();
        }
        fits
    });
    short.collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let dice = choices.name();
    let mut edits =
        vec![memory::prologue(program, site, &format!("{dice} = {}", choices.below(9_000) + 100))?];
    for statement in choices_of(program, site) {
        let branches = code::branches(statement);
        let Some(condition) = branches[0].condition else { continue };
        let then = code::stretch(program, branches[0].body)?;
        let other = branches.get(1).map(|it| code::stretch(program, it.body)).transpose()?;
        let mut lines = code::lines(program, statement)?;
        lines.line(0, &format!("{dice} = ({dice} * 1103515245 + 12345) % 2147483648"), &[]);
        lines.line(0, &format!("if {dice} & {}:", 1 << (choices.below(10) + 12)), &[]);
        lines.line(1, "if $0:", &[condition]).stretch(2, &then);
        if let Some(other) = &other {
            lines.line(1, "else:", &[]).stretch(2, other);
        }
        let (template, kept) = negate::negated(program, condition);
        lines.line(0, "else:", &[]).line(1, &format!("if {template}:"), &kept);
        match &other {
            Some(other) => lines.stretch(2, other),
            None => lines.line(2, "pass", &[]),
        };
        lines.line(1, "else:", &[]).stretch(2, &then);
        edits.push(lines.edit(statement.range()));
    }
    Ok(edits)
}
