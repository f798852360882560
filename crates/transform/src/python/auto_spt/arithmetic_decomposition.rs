//! `arithmetic-expression-decomposition`: computes a sum, a difference or a product from quotients and remainders.
//!
//! # What it does
//!
//! Both operands are taken apart by a modulus. The operator works on the parts, and the parts of the result are put
//! together. Where the types are not known, only two whole numbers are treated so.
//!
//! # Why behavior is kept
//!
//! The rules of whole numbers: `a + b` is `(a // m + b // m) * m + (a % m + b % m)`, and so on. The operands are computed once,
//! from left to right, as arguments.
//!
//! # Example
//!
//! `a + b` becomes `(lambda p, q: (p // 9 + q // 9) * 9 + (p % 9 + q % 9) if type(p) is type(q) is int else p + q)(a, b)`.
//!
//! # Where it does not apply
//!
//! Operators other than `+`, `-` and `*`; operands that are known to be no whole numbers.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::types::{self, Type};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "arithmetic-expression-decomposition",
    summary: "computes sums, differences and products from quotients and remainders",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let operators = code::all(program, "binary_operator").filter(|it| sign(program, *it).is_some());
    operators.filter(|it| values::is_value(*it)).collect()
}

fn sign<'p>(program: &'p Program, operator: Node<'_>) -> Option<&'p str> {
    operator.child("operator").map(|it| program.of(it)).filter(|it| matches!(*it, "+" | "-" | "*"))
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(sign), Some(left), Some(right)) =
        (sign(program, site), site.child("left"), site.child("right"))
    else {
        return Err(Refusal("it has no two operands"));
    };
    let types = [types::of(program, left), types::of(program, right)];
    if types.iter().any(|it| *it != Type::Unknown && !it.is_whole()) {
        return Err(Refusal("an operand is no whole number"));
    }
    code::needs_builtins(program, &["type", "int"])?;
    let (m, p, q) = (choices.below(90) + 7, choices.name(), choices.name());
    let whole = match sign {
        "*" => format!("{p} * ({q} // {m}) * {m} + {p} * ({q} % {m})"),
        _ => format!("({p} // {m} {sign} {q} // {m}) * {m} + ({p} % {m} {sign} {q} % {m})"),
    };
    let guarded = if types.iter().all(|it| it.is_whole()) {
        whole
    } else {
        format!("{whole} if type({p}) is type({q}) is int else {p} {sign} {q}")
    };
    let arguments = format!("{}, {}", values::item(left), values::at(values::item(right), 1));
    Ok(vec![expression(site.range(), &format!("(lambda {p}, {q}: {guarded})({arguments})"), &[left, right])])
}
