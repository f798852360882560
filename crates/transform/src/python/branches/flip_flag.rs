//! `if-else-flip-flag`: keeps the opposite of a condition in a variable, and exchanges the branches.
//!
//! # What it does
//!
//! A variable gets the opposite truth of the condition. The `if` asks that variable, and each branch stands where the other
//! one stood.
//!
//! # Why behavior is kept
//!
//! The condition is asked once, right before. The variable has a name of its own.
//!
//! # Example
//!
//! `if a: x = 1` and `else: x = 2` become `flag = not a`, `if flag: x = 2`, `else: x = 1`.
//!
//! # Where it does not apply
//!
//! An `if` without a second branch; branches with a `global` or `nonlocal`; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_CONDITION, other_ways, two_ways as candidates};
use crate::program::Program;
use crate::python::{code, negate, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "if-else-flip-flag",
    summary: "keeps the opposite of a condition in a variable, and exchanges the branches",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::may_add_names(site)?;
    code::declares_nothing(site)?;
    let branches = code::branches(site);
    let condition = branches[0].condition.ok_or(NO_CONDITION)?;
    let flag = choices.name();
    let mut lines = code::lines(program, site)?;
    let (template, kept) = if values::is_asked_twice(program, condition) {
        (format!("False if {} else True", values::decided(condition)), vec![condition])
    } else {
        negate::negated(program, condition)
    };
    lines.line(0, &format!("{flag} = {template}"), &kept).line(0, &format!("if {flag}:"), &[]);
    other_ways(program, &mut lines, 1, &branches[1..])?;
    lines.line(0, "else:", &[]).stretch(1, &code::stretch(program, branches[0].body)?);
    Ok(vec![lines.edit(site.range())])
}
