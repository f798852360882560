//! `operand-swap`: lets the operands of a sum or a product change places.
//!
//! # What it does
//!
//! The sides of `+`, `*`, `&`, `|` and `^` change places.
//!
//! # Why behavior is kept
//!
//! The types of both sides are known to be numbers, for which the operators are commutative, overflow and rounding
//! included. One side always gives a value and changes nothing, and the other side does not change what it reads.
//!
//! # Example
//!
//! `a + b * c` becomes `(b * c) + a`.
//!
//! # Where it does not apply
//!
//! Texts; operands whose type is not known; calls on both sides.

use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, effects, types};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "operand-swap",
    summary: "lets the operands of a sum or a product change places",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let is_known = |it: &Node<'_>| matches!(grammar::binary(*it), Some((_, "+" | "*" | "&" | "|" | "^", _)));
    code::all(program, &["binary_expression"]).filter(is_known).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (left, operator, right) = grammar::binary(site).ok_or(Refusal("it has no two operands"))?;
    if ![left, right].iter().all(|it| types::of(program, *it).is_number()) {
        return Err(Refusal("its operands are not known to be numbers"));
    }
    if !effects::may_turn(program, left, right) {
        return Err(Refusal("its operands may need their order"));
    }
    let template = format!("{} {operator} {}", code::tight(program, right, 1), code::tight(program, left, 0));
    Ok(vec![expression(site.range(), &template, &[left, right])])
}
