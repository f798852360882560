//! `redundant-code`: assigns again what is assigned already.
//!
//! # What it does
//!
//! Behind an assignment, the variable is assigned to itself, or to another one that nobody reads.
//!
//! # Why behavior is kept
//!
//! The variable has just got its value, and an assignment to a local name does nothing else.
//!
//! # Example
//!
//! `total = 0` becomes `total = 0` and `total = total`.
//!
//! # Where it does not apply
//!
//! Attributes and items; the body of a class; modules that others may import.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::Piece;
use crate::program::Program;
use crate::python::{code, memory};
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "redundant-code",
    summary: "assigns again what is assigned already",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let bodies = memory::bodies(program).into_iter();
    bodies.flat_map(|it| memory::assignments(program, it).map(|it| it.statement)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let assignment = memory::Assignment::of(program, site).ok_or(Refusal("it is no assignment"))?;
    code::may_add_names(site)?;
    let name = program.of(assignment.target);
    let target = if choices.below(2) == 0 { name.to_owned() } else { choices.name() };
    let again = format!("{}{}{target} = {name}", newline(program), code::indent(program, site)?);
    Ok(vec![Edit { range: site.range(), pieces: vec![Piece::Keep(site.range()), Piece::Text(again)] }])
}
