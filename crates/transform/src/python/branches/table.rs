//! `conditional-table`: gives each branch of an `if` a number, and chooses the branch by it.
//!
//! # What it does
//!
//! The conditions give the number of the branch. The branches then stand in an order that the seed decides, each behind its
//! number.
//!
//! # Why behavior is kept
//!
//! The conditions are asked in their order, up to the first one that holds. The number is an integer of our own, so one branch at most runs.
//!
//! # Example
//!
//! `if a: x()` and `elif b: y()` become `way = 0 if a else 1 if b else 2`, `if way == 1: y()`, `elif way == 0: x()`.
//!
//! # Where it does not apply
//!
//! The body of a class; branches with a `global` or `nonlocal`; an `if` that shares its line with other code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::NO_CONDITION;
use crate::program::Program;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// More branches stay as they are.
const MOST_BRANCHES: usize = 9;

pub(crate) static RULE: Rule = Rule {
    name: "conditional-table",
    summary: "gives each branch a number, and chooses the branch by it",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "if_statement").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let branches = code::branches(site);
    code::may_add_names(site)?;
    code::declares_nothing(site)?;
    if branches.is_empty() || branches.len() > MOST_BRANCHES {
        return Err(Refusal("it has too many branches"));
    }
    let way = choices.name();
    let (mut numbers, mut kept) = (Vec::new(), Vec::new());
    for (at, condition) in branches.iter().filter_map(|it| it.condition).enumerate() {
        numbers.push(format!("{at} if {} else ", values::at(code::operand(condition), at)));
        kept.push(condition);
    }
    if kept.is_empty() {
        return Err(NO_CONDITION);
    }
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("{way} = {}{}", numbers.concat(), kept.len()), &kept);
    let turn = choices.below(branches.len());
    for step in 0..branches.len() {
        let at = (branches.len() - 1 - step + turn) % branches.len();
        let word = if step == 0 { "if" } else { "elif" };
        lines.line(0, &format!("{word} {way} == {at}:"), &[]);
        lines.stretch(1, &code::stretch(program, branches[at].body)?);
    }
    Ok(vec![lines.edit(site.range())])
}
