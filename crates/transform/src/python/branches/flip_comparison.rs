//! `if-else-flip-comparison`: compares the truth of a condition with `False`, and exchanges the branches.
//!
//! # What it does
//!
//! The `if` asks whether the truth of its condition is `False`. Each branch stands where the other one stood.
//!
//! # Why behavior is kept
//!
//! `bool` asks the condition for its truth, as `if` does, and gives `True` or `False`.
//!
//! # Example
//!
//! `if a < b: x = 1` and `else: x = 2` become `if bool(a < b) is False: x = 2` and `else: x = 1`.
//!
//! # Where it does not apply
//!
//! An `if` without a second branch; branches with a `global` or `nonlocal`; where `bool` means something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_CONDITION, other_ways, two_ways as candidates};
use crate::program::Program;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "if-else-flip-comparison",
    summary: "compares the truth of a condition with False, and exchanges the branches",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::needs_builtins(program, &["bool"])?;
    code::declares_nothing(site)?;
    let branches = code::branches(site);
    let condition = branches[0].condition.ok_or(NO_CONDITION)?;
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("if {} is False:", values::truth(program, condition)), &[condition]);
    other_ways(program, &mut lines, 1, &branches[1..])?;
    lines.line(0, "else:", &[]).stretch(1, &code::stretch(program, branches[0].body)?);
    Ok(vec![lines.edit(site.range())])
}
