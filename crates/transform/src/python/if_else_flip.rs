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
//! An `if` that shares its line with other code; branches with a `global` or `nonlocal`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::branches::{NO_CONDITION, other_ways, two_ways as candidates};
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

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let branches = code::branches(site);
    let [first, others @ ..] = &branches[..] else { return Err(NO_CONDITION) };
    let condition = first.condition.ok_or(NO_CONDITION)?;
    code::declares_nothing(site)?;
    let mut lines = code::lines(program, site)?;
    let (template, kept) = negate::negated(program, condition);
    lines.line(0, &format!("if {template}:"), &kept);
    other_ways(program, &mut lines, 1, others)?;
    lines.line(0, "else:", &[]).stretch(1, &code::stretch(program, first.body)?);
    Ok(vec![lines.edit(site.range())])
}
