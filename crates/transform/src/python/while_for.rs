//! `while-for`: writes a `while` loop as a `for` loop.
//!
//! # What it does
//!
//! The loop runs over an iterator that never ends. Its body begins with the question whether the condition still holds.
//!
//! # Why behavior is kept
//!
//! `iter(int, 1)` calls `int()` for each round, which gives 0 and never 1. The condition is asked at the beginning of
//! each round, as before, and also after a `continue`. What stood behind `else` runs where the condition fails.
//!
//! # Example
//!
//! `while a < b:` becomes `for step in iter(int, 1):` with `if not a < b: break` inside.
//!
//! # Where it does not apply
//!
//! The body of a class; an `else` with a `break` or `continue` that belongs to a loop around; where `iter` or `int`
//! mean something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "while-for",
    summary: "writes a while loop as a for loop",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "while_statement").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(condition), Some(body)) = (site.child("condition"), site.child("body")) else {
        return Err(Refusal("it is no whole loop"));
    };
    code::may_add_names(site)?;
    code::needs_builtins(program, &["iter", "int"])?;
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("for {} in iter(int, 1):", choices.name()), &[]);
    let other = site.child("alternative").and_then(|it| it.child("body"));
    if code::bare(condition).kind() != "true" || other.is_some() {
        let (template, kept) = negate::negated(program, condition);
        lines.line(1, &format!("if {template}:"), &kept);
        if let Some(other) = other {
            if code::jumps(other, "break_statement")
                .chain(code::jumps(other, "continue_statement"))
                .next()
                .is_some()
            {
                return Err(Refusal("its `else` leaves a loop around it"));
            }
            // It comes to stand before the body.
            code::declares_nothing(site)?;
            lines.stretch(2, &code::stretch(program, other)?);
        }
        lines.line(2, "break", &[]);
    }
    lines.stretch(1, &code::stretch(program, body)?);
    Ok(vec![lines.edit(site.range())])
}
