//! `augmented-assignment`: writes `x += y` without its sign, and `x = x + y` with it.
//!
//! # What it does
//!
//! `x += y` becomes `x = x + (y)`, and `x = x + y` becomes `x += y`.
//!
//! # Why behavior is kept
//!
//! The target is a plain variable, so naming it twice does nothing, and all of these languages read it before they
//! compute the right side. In Java the sum has the type of the variable, so that nothing is narrowed. In C++ both
//! sides have built-in types. C and C++ may compute the sides of a sum in another order, so there the right side changes
//! nothing that the left one reads.
//!
//! # Example
//!
//! `total += a * b;` becomes `total = total + (a * b);`.
//!
//! # Where it does not apply
//!
//! Targets that are no plain names; `&&=` and the like; in C, what another thread may change in between (`volatile`,
//! atomic and unknown types); in Java, narrower targets; in Go, right sides with calls,
//! whose order Go leaves open; in C and C++, calls that may change the target.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar::{self, LANGUAGES};
use super::super::names::Variable;
use super::super::types::{self, Type};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "augmented-assignment",
    summary: "writes `x += y` without its sign, and `x = x + y` with it",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let kinds = &["assignment_expression", "augmented_assignment_expression", "assignment_statement"];
    code::all(program, kinds).filter(|it| grammar::assignment(*it).is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let it = grammar::assignment(site).ok_or(Refusal("it has several targets"))?;
    if it.left.kind() != "identifier" || program.names().number(it.left).is_none() {
        return Err(Refusal("its target is no plain variable"));
    }
    if it.operator == "=" {
        let (left, operator, right) = grammar::binary(it.right)
            .filter(|parts| is_arithmetic(parts.1))
            .ok_or(Refusal("it has no sign"))?;
        let same =
            left.kind() == "identifier" && program.names().number(left) == program.names().number(it.left);
        if !same || !is_known(program, it.left, operator, right) {
            return Err(Refusal("it does not change its target by a value of the same type"));
        }
        return Ok(vec![expression(site.range(), &format!("$0 {operator}= $1"), &[it.left, right])]);
    }
    let operator = it.operator.trim_end_matches('=');
    if !is_arithmetic(operator) || !is_known(program, it.left, operator, it.right) {
        return Err(Refusal("its sides are not known to have fitting types"));
    }
    let right = code::tight(program, it.right, 1);
    Ok(vec![expression(site.range(), &format!("$0 = $0 {operator} {right}"), &[it.left, it.right])])
}

fn is_arithmetic(operator: &str) -> bool {
    matches!(operator, "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | ">>>" | "&^")
}

/// Whether both forms mean the same for these types.
fn is_known(program: &Program, target: Node<'_>, operator: &str, value: Node<'_>) -> bool {
    // What only this function knows, no other thread changes in between.
    let is_own = program.names().variable(target).is_some_and(Variable::is_private);
    if grammar::is_c(program.language()) && may_change(program, target, value, is_own) {
        return false;
    }
    let (target, other) = (types::of(program, target), types::of(program, value));
    match program.language() {
        Language::JavaScript | Language::TypeScript => true,
        Language::C => is_own || target != Type::Unknown,
        Language::Cpp => target.is_primitive() && other.is_primitive(),
        Language::Go => {
            !value.subtree().any(|it| it.kind() == "call_expression" || it.kind() == "func_literal")
        }
        _ => match (target, operator) {
            (Type::Text, "+") => true,
            (Type::Int, "<<" | ">>" | ">>>") | (Type::Long, _) => other.is_integer(),
            (Type::Bool, _) => other == Type::Bool,
            (Type::Int, _) => matches!(other, Type::Int | Type::Narrow),
            (Type::Float, _) => other.is_integer() || other == Type::Float,
            (Type::Double, _) => other.is_number(),
            _ => false,
        },
    }
}

/// Whether computing a value may change a variable, which C and C++ read before or behind it.
fn may_change(program: &Program, target: Node<'_>, value: Node<'_>, is_own: bool) -> bool {
    let acts =
        |it: Node<'_>| matches!(it.kind(), "call_expression" | "assignment_expression" | "update_expression");
    let names = program.names();
    names.number(target).is_some_and(|it| names.written(value).contains(&it))
        || !is_own && value.subtree().any(acts)
}
