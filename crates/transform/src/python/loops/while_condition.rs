//! `while-condition-inside`: moves the condition of a loop into its body.
//!
//! # What it does
//!
//! The loop has no end of its own. Its body begins with the question whether the condition still holds, and leaves it
//! otherwise.
//!
//! # Why behavior is kept
//!
//! The condition is asked at the beginning of each round, also after a `continue`. What stood behind `else` runs where it fails.
//!
//! # Example
//!
//! `while a < b:` becomes `while True:` with `if not a < b: break` inside.
//!
//! # Where it does not apply
//!
//! Conditions that are constants; an `else` that leaves a loop around.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_LOOP, add_end};
use crate::program::Program;
use crate::python::{code, negate};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "while-condition-inside",
    summary: "moves the condition of a loop into its body",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops = code::all(program, "while_statement");
    loops
        .filter(|it| {
            it.child("condition").is_some_and(|it| !matches!(code::bare(it).kind(), "true" | "integer"))
        })
        .collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(condition), Some(body)) = (site.child("condition"), site.child("body")) else {
        return Err(NO_LOOP);
    };
    let mut lines = code::lines(program, site)?;
    let (template, kept) = negate::negated(program, condition);
    lines.line(0, "while True:", &[]).line(1, &format!("if {template}:"), &kept);
    add_end(program, &mut lines, site)?;
    lines.stretch(1, &code::stretch(program, body)?);
    Ok(vec![lines.edit(site.range())])
}
