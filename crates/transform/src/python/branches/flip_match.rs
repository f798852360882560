//! `if-else-flip-match`: asks for the truth of a condition by `match`, the false one first.
//!
//! # What it does
//!
//! The `if` becomes a `match` of the truth of its condition. The case `False` has the code of the second branch.
//!
//! # Why behavior is kept
//!
//! `bool` asks the condition for its truth, as `if` does, and gives `True` or `False`.
//!
//! # Example
//!
//! `if a: x = 1` and `else: x = 2` become `match bool(a):` with `case False: x = 2` and `case _: x = 1` inside.
//!
//! # Where it does not apply
//!
//! An `if` without a second branch; branches with a `global` or `nonlocal`; conditions of several lines; where `bool` means
//! something else. The result needs Python 3.10.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_CONDITION, other_ways, two_ways as candidates};
use crate::program::Program;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "if-else-flip-match",
    summary: "asks for the truth of a condition by match, the false one first",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::needs_builtins(program, &["bool"])?;
    code::declares_nothing(site)?;
    let branches = code::branches(site);
    let condition = branches[0].condition.ok_or(NO_CONDITION)?;
    if branches.iter().filter_map(|it| it.condition).any(|it| program.of(it).contains('\n')) {
        return Err(Refusal("a condition of it has several lines"));
    }
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("match {}:", values::truth(program, condition)), &[condition]);
    lines.line(1, "case False:", &[]);
    other_ways(program, &mut lines, 2, &branches[1..])?;
    lines.line(1, "case _:", &[]).stretch(2, &code::stretch(program, branches[0].body)?);
    Ok(vec![lines.edit(site.range())])
}
