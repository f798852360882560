//! `constant-inlining`: writes the value of a variable that never changes wherever the variable is used.
//!
//! # What it does
//!
//! The assignment of a literal goes away. The literal stands wherever the variable was read.
//!
//! # Why behavior is kept
//!
//! Nothing else binds the variable, and each place that reads it stands behind the assignment.
//!
//! # Example
//!
//! `limit = 10` and `return x < limit` become `return x < 10`.
//!
//! # Where it does not apply
//!
//! Variables that are bound twice, or that other code sees; f-strings; an assignment that nothing follows.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_private;
use crate::program::Program;
use crate::python::memory::Assignment;
use crate::python::{code, effects};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "constant-inlining",
    summary: "writes the value of a variable that never changes wherever the variable is used",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "expression_statement").filter(|it| constant(program, *it).is_some()).collect()
}

fn constant<'p>(program: &'p Program, statement: Node<'p>) -> Option<(Assignment<'p>, Vec<Node<'p>>)> {
    let assignment = Assignment::of(program, statement)?;
    let variable =
        program.scopes().variable(assignment.target).filter(|it| is_private(it) && it.bindings.len() == 1)?;
    let literal =
        matches!(assignment.value.kind(), "integer" | "float" | "true" | "false" | "none" | "string")
            && !assignment.value.subtree().any(|it| it.kind() == "interpolation")
            && !program.of(assignment.value).contains('\n');
    let uses =
        variable.places.iter().filter(|it| !variable.bindings.contains(it)).map(|&it| program.node(it));
    let uses: Vec<_> = uses.collect();
    (literal && !uses.is_empty() && !variable.is_parameter).then_some((assignment, uses))
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (assignment, uses) = constant(program, site).ok_or(Refusal("it is no constant"))?;
    let bindings = [assignment.target.number()];
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    let mut edits = vec![code::deleted(program, site)?];
    for place in uses {
        let in_text = place.ancestors().any(|it| it.kind() == "interpolation");
        if in_text || !effects::is_bound_before(place, &bindings) {
            return Err(Refusal("it may be read where it has no value"));
        }
        let value = program.of(assignment.value);
        let tight = place.parent().is_some_and(|it| {
            matches!(it.kind(), "attribute" | "concatenated_string" | "subscript" | "call")
        });
        edits.push(Edit::text(
            place.range(),
            if tight && place.field().is_some() { format!("({value})") } else { value.to_owned() },
        ));
    }
    Ok(edits)
}
