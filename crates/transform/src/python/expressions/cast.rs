//! `cast`: converts values to the type that they have.
//!
//! # What it does
//!
//! A condition is converted by `bool`, or by a choice of `True` and `False` where it has `and`, `or` or a chain. What is
//! known to be a whole number is converted by `int`, and what is known to be a text by `str`.
//!
//! # Why behavior is kept
//!
//! A condition is asked for its truth once, by `bool` as by `if`. Of `a and b`, `bool` would ask a part twice. `int` and `str` give back what is already of their type.
//!
//! # Example
//!
//! `if items:` becomes `if bool(items):`, and `len(a)` becomes `int(len(a))`.
//!
//! # Where it does not apply
//!
//! Conditions that are constants; values that may have another type, such as truth values; where `bool`, `int` or `str` mean something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_plain_value;
use crate::program::Program;
use crate::python::types::{self, Type};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "cast",
    summary: "converts values to the type that they have",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let nodes = program.root().subtree().filter(|it| it.is_named());
    nodes.filter(|it| is_condition(*it) || is_plain_value(*it) && call(program, *it).is_some()).collect()
}

fn is_condition(node: Node<'_>) -> bool {
    node.field() == Some("condition")
        && !matches!(code::bare(node).kind(), "true" | "false" | "integer" | "none")
}

/// The type of a call whose result has exactly that type.
fn call(program: &Program, node: Node<'_>) -> Option<&'static str> {
    let function = node.child("function").filter(|_| node.kind() == "call")?;
    let name = program.of(function);
    let exact = matches!(name, "len" | "ord" | "chr" | "repr" | "bin" | "hex" | "oct" | "input");
    let known = exact && program.scopes().is_builtin(program, function, name);
    match types::of(program, node) {
        Type::Int if known => Some("int"),
        Type::Str if known => Some("str"),
        _ => None,
    }
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if is_condition(site) {
        code::needs_builtins(program, &["bool"])?;
        return Ok(vec![expression(site.range(), &values::truth(program, site), &[site])]);
    }
    let name = call(program, site).ok_or(Refusal("its type is not known"))?;
    code::needs_builtins(program, &[name])?;
    Ok(vec![expression(site.range(), &format!("{name}({})", values::item(site)), &[site])])
}
