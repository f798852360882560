//! `operand-swap`: lets the operands of a sum or a product change places.
//!
//! # What it does
//!
//! `a + b` becomes `b + a`. The same goes for `*`, `&`, `|` and `^`.
//!
//! # Why behavior is kept
//!
//! Both operands are known to be numbers, for which the order does not matter. Neither needs what computing the other one does.
//!
//! # Example
//!
//! `len(a) + 1` becomes `1 + len(a)`.
//!
//! # Where it does not apply
//!
//! Operands that are not known to be numbers, or of which both may raise or act.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::python::effects::Effects;
use crate::python::types::{self, Type};
use crate::python::values;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "operand-swap",
    summary: "lets the operands of a sum or a product change places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "binary_operator").filter(|it| commutes(program, *it)).collect()
}

fn commutes(program: &Program, node: Node<'_>) -> bool {
    node.child("operator").is_some_and(|it| matches!(program.of(it), "+" | "*" | "&" | "|" | "^"))
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(left), Some(right), Some(operator)) =
        (site.child("left"), site.child("right"), site.child("operator"))
    else {
        return Err(Refusal("it has no two sides"));
    };
    let numbers = [left, right]
        .iter()
        .all(|it| matches!(types::of(program, *it), Type::Int | Type::Bool | Type::Float));
    if !numbers {
        return Err(Refusal("its operands are not known to be numbers"));
    }
    if !Effects::of(program, left).is_independent_of(&Effects::of(program, right)) {
        return Err(Refusal("one of its operands may need what the other one does"));
    }
    let template = format!("{} $1 {}", values::at(code::operand(right), 2), code::operand(left));
    Ok(vec![expression(site.range(), &template, &[left, operator, right])])
}
