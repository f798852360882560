//! `state-variable-accumulation`: lets assigned values pass through a memory whose keys are bits of a state.
//!
//! # What it does
//!
//! The function gets a state and a memory. Each assignment turns a bit of the state, puts the value into the memory under the state,
//! and takes it out again.
//!
//! # Why behavior is kept
//!
//! Nothing changes the state between putting and taking. A memory belongs to one call.
//!
//! # Example
//!
//! `x = a` becomes `mask ^= 4`, `memory[mask] = a`, `x = memory.pop(mask)`.
//!
//! # Where it does not apply
//!
//! Assignments to several names, to attributes or to items; the body of a class; modules that others may import.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "state-variable-accumulation",
    summary: "lets assigned values pass through a memory whose keys are bits of a state",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let bodies = memory::bodies(program).into_iter();
    bodies.filter(|it| memory::assignments(program, *it).next().is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (mask, store) = (choices.name(), choices.name());
    let mut edits =
        vec![memory::prologue(program, site, &format!("{mask}, {store} = {}, {{}}", choices.below(64)))?];
    for assignment in memory::assignments(program, site) {
        let mut lines = code::lines(program, assignment.statement)?;
        lines.line(0, &format!("{mask} ^= {}", 1 << choices.below(8)), &[]);
        lines.line(0, &format!("{store}[{mask}] = {}", values::item(assignment.value)), &[assignment.value]);
        lines.line(0, &format!("$0 = {store}.pop({mask})"), &[assignment.target]);
        edits.push(lines.edit(assignment.statement.range()));
    }
    Ok(edits)
}
