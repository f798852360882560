//! `comparison-swap`: lets the sides of a comparison change places.
//!
//! # What it does
//!
//! `a < b` becomes `b > a`, and `a == b` becomes `b == a`.
//!
//! # Why behavior is kept
//!
//! One side is known to be a number, a text or `None` as Python makes them. Their comparisons leave all other types to the other side, in either
//! order. Neither side needs what computing the other one does.
//!
//! # Example
//!
//! `if x == 0:` becomes `if 0 == x:`.
//!
//! # Where it does not apply
//!
//! Comparisons of two values whose types are not known; chains; `in` and `is`; sides of which both may raise or act.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::sides;
use crate::program::Program;
use crate::python::effects::Effects;
use crate::python::{code, types, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "comparison-swap",
    summary: "lets the sides of a comparison change places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let comparisons = code::all(program, "comparison_operator");
    comparisons.filter(|it| sides(*it).is_some_and(|it| turned(it.1).is_some())).collect()
}

fn turned(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "==" => "==",
        "!=" => "!=",
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        _ => return None,
    })
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (left, sign, right) = sides(site).ok_or(Refusal("it is a chain"))?;
    let sign = turned(sign).ok_or(Refusal("its sign has no opposite direction"))?;
    if !types::of(program, left).is_frozen() && !types::of(program, right).is_frozen() {
        return Err(Refusal("the types of its sides are not known"));
    }
    if !Effects::of(program, left).is_independent_of(&Effects::of(program, right)) {
        return Err(Refusal("one of its sides may need what the other one does"));
    }
    let template = format!("{} {sign} {}", values::at(code::operand(right), 1), code::operand(left));
    Ok(vec![expression(site.range(), &template, &[left, right])])
}
