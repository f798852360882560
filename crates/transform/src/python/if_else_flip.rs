//! `if-else-flip`: lets the branches of an `if` change places.
//!
//! # What it does
//!
//! The condition is negated, and each branch stands where the other one stood. Where there is no `else`, the first
//! branch does nothing. What follows an `elif` moves into the first branch.
//!
//! # Why behavior is kept
//!
//! The condition is asked once in both forms, and its truth chooses the same code.
//!
//! # Example
//!
//! `if a: x = 1` and `else: x = 2` become `if not a: x = 2` and `else: x = 1`.
//!
//! # Where it does not apply
//!
//! An `if` that shares its line with other code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "if-else-flip",
    summary: "lets the branches of an if change places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "if_statement").filter(|it| code::branches(*it).len() > 1).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let branches = code::branches(site);
    let [first, others @ ..] = &branches[..] else { return Err(Refusal("it has no branches")) };
    let condition = first.condition.ok_or(Refusal("it has no condition"))?;
    let mut lines = code::lines(program, site)?;
    let (template, kept) = negate::negated(program, condition);
    lines.line(0, &format!("if {template}:"), &kept);
    for (number, branch) in others.iter().enumerate() {
        let body = code::stretch(program, branch.body)?;
        match branch.condition {
            Some(condition) => {
                lines
                    .line(1, if number == 0 { "if $0:" } else { "elif $0:" }, &[condition])
                    .stretch(2, &body);
            }
            None if number == 0 => {
                lines.stretch(1, &body);
            }
            None => {
                lines.line(1, "else:", &[]).stretch(2, &body);
            }
        }
    }
    lines.line(0, "else:", &[]).stretch(1, &code::stretch(program, first.body)?);
    Ok(vec![lines.edit(site.range())])
}
