//! `modular-arithmetic-distribution`: distributes a number over its quotient and its remainder.
//!
//! # What it does
//!
//! An operand of `+`, `-` or `*` is taken apart by a modulus and put together again. Where its type is not known, only
//! whole numbers are taken apart.
//!
//! # Why behavior is kept
//!
//! `v // m * m + v % m` is `v` for all whole numbers. The operand is computed once, as an argument.
//!
//! # Example
//!
//! `a + b` becomes `(lambda v: v // 7 * 7 + v % 7 if type(v) is int else v)(a) + b`.
//!
//! # Where it does not apply
//!
//! Literals; operands that are known to be no whole numbers.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::types::{self, Type};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "modular-arithmetic-distribution",
    summary: "distributes operands over quotient and remainder",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let operations = program.root().subtree().filter(|it| {
        let sign = it.child("operator").map_or("", |it| program.of(it));
        matches!(it.kind(), "binary_operator" | "augmented_assignment")
            && matches!(sign.trim_end_matches('='), "+" | "-" | "*")
    });
    let operands = operations.flat_map(|it| {
        let left = it.child("left").filter(|_| it.kind() == "binary_operator");
        left.into_iter().chain(it.child("right"))
    });
    let literal = |it: &Node<'_>| {
        matches!(
            code::bare(*it).kind(),
            "integer" | "float" | "string" | "concatenated_string" | "list" | "tuple"
        )
    };
    operands.filter(|it| !literal(it) && values::is_value(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let kind = types::of(program, site);
    if kind != Type::Unknown && !kind.is_whole() {
        return Err(Refusal("it is no whole number"));
    }
    code::needs_builtins(program, &["type", "int"])?;
    let (modulus, value) = (choices.below(90) + 7, choices.name());
    let whole = format!("{value} // {modulus} * {modulus} + {value} % {modulus}");
    let guarded =
        if kind.is_whole() { whole } else { format!("{whole} if type({value}) is int else {value}") };
    Ok(vec![expression(
        site.range(),
        &format!("(lambda {value}: {guarded})({})", values::item(site)),
        &[site],
    )])
}
