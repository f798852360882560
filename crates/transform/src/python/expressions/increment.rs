//! `increment-rewrite`: adds the opposite number with the opposite sign.
//!
//! # What it does
//!
//! `x += n` becomes `x -= -n`, and `x -= n` becomes `x += -n`. An operator that is no statement is treated in the same way.
//!
//! # Why behavior is kept
//!
//! For whole numbers and for floating-point ones, both give the same number.
//!
//! # Example
//!
//! `count += 1` becomes `count -= -1`, and `x - 1` becomes `x + -1`.
//!
//! # Where it does not apply
//!
//! What is not known to be a number; second operands that are no written numbers, or zero.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::types::{self, Type};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "increment-rewrite",
    summary: "adds the opposite number with the opposite sign",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let changes =
        program.root().subtree().filter(|it| matches!(it.kind(), "augmented_assignment" | "binary_operator"));
    changes.filter(|it| opposite(program, *it).is_some()).collect()
}

/// The opposite sign, where the second operand is a written number.
fn opposite(program: &Program, node: Node<'_>) -> Option<&'static str> {
    let number = node.child("right").filter(|it| matches!(it.kind(), "integer" | "float"))?;
    // Zero has no opposite: `-0.0 + 0` is 0.0, and `-0.0 - -0` is -0.0.
    let digits = program.of(number);
    let plain = digits.bytes().all(|it| it.is_ascii_digit() || it == b'.')
        && digits.contains(|it| ('1'..='9').contains(&it));
    match node.child("operator").filter(|_| plain).map(|it| program.of(it))? {
        "+=" => Some("-="),
        "-=" => Some("+="),
        "+" => Some("-"),
        "-" => Some("+"),
        _ => None,
    }
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let sign = opposite(program, site).ok_or(Refusal("its second operand is no number"))?;
    let (Some(left), Some(right)) = (site.child("left"), site.child("right")) else {
        return Err(Refusal("it has no two sides"));
    };
    let kind = types::of(program, left);
    if !kind.is_whole() && kind != Type::Float {
        return Err(Refusal("it is not known to be a number"));
    }
    Ok(vec![expression(site.range(), &format!("$0 {sign} -$1"), &[left, right])])
}
