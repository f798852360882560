//! `parameter-copy`: lets a function work with copies of its parameters under other names.
//!
//! # What it does
//!
//! The function begins by giving each parameter to a variable with another name, and the rest of its body names that one.
//! Callers see the old names.
//!
//! # Why behavior is kept
//!
//! Both names mean the same object, and nothing behind the first line names the parameter.
//!
//! # Example
//!
//! `def f(items): return len(items)` becomes `def f(items):` with `bucket = items` and `return len(bucket)` inside.
//!
//! # Where it does not apply
//!
//! Functions that name no parameter; functions with `super` or `__class__`; programs that see names as text; bodies that share
//! a line with other code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::python::memory;
use crate::python::scopes::Variable;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "parameter-copy",
    summary: "lets a function work with copies of its parameters under other names",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let functions = code::all(program, "function_definition");
    functions.filter(|it| used(program, *it).next().is_some()).collect()
}

/// The parameters that the body names.
fn used<'p>(program: &'p Program, function: Node<'p>) -> impl Iterator<Item = &'p Variable> {
    let own = program.scopes().variables().iter();
    own.filter(move |it| it.scope == function.number() && it.is_parameter && it.places.len() > 1)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if site.subtree().any(|it| matches!(program.of(it), "super" | "__class__") && it.kind() == "identifier") {
        return Err(Refusal("`super` looks for the first parameter"));
    }
    let body = site.child("body").ok_or(Refusal("it has no body"))?;
    let mut edits = Vec::new();
    let (mut names, mut copies) = (Vec::new(), Vec::new());
    for parameter in used(program, site).filter(|it| !it.is_fixed && !it.name.starts_with("__")) {
        let copy = choices.name();
        for place in parameter.places.iter().map(|&place| program.node(place)).filter(|it| body.holds(*it)) {
            edits.push(Edit::text(place.range(), copy.clone()));
        }
        names.push(parameter.name.clone());
        copies.push(copy);
    }
    if edits.is_empty() {
        return Err(Refusal("its parameters have a meaning outside"));
    }
    edits.push(memory::prologue(program, body, &format!("{} = {}", copies.join(", "), names.join(", ")))?);
    Ok(edits)
}
