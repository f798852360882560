//! `comparison-swap`: lets the sides of a comparison change places.
//!
//! # What it does
//!
//! The sides of a comparison change places, and `<` turns into `>`.
//!
//! # Why behavior is kept
//!
//! One side always gives a value and changes nothing, and the other side does not change what it reads. In C++ both
//! sides have built-in types, and where JavaScript could convert an object, one side is known to be none.
//!
//! # Example
//!
//! `a < b` becomes `b > a`.
//!
//! # Where it does not apply
//!
//! Sides of which both could raise or change something; in C++, sides whose type is not known; in
//! Java, objects that become numbers before or behind what the other side does.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::types::{self, Type};
use super::super::{code, effects};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "comparison-swap",
    summary: "lets the sides of a comparison change places",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let is_known =
        |it: &Node<'_>| grammar::binary(*it).is_some_and(|(_, operator, _)| mirrored(operator).is_some());
    code::all(program, &["binary_expression"]).filter(is_known).collect()
}

fn mirrored(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "==" => "==",
        "!=" => "!=",
        "===" => "===",
        "!==" => "!==",
        "<" => ">",
        ">" => "<",
        "<=" => ">=",
        ">=" => "<=",
        _ => return None,
    })
}

/// Whether a `<` before `moved` would have a `>` behind it in the same statement: `f(b > a, c > (d))` would become a call of `a<b, c>`.
fn opens_types(program: &Program, site: Node<'_>, moved: Node<'_>) -> bool {
    let is_whole = |it: &Node<'_>| it.kind().ends_with("statement") || it.kind().ends_with("declaration");
    let end = site.ancestors().find(is_whole).map_or(program.text().len(), Node::end);
    program.of(moved).contains('>') || program.slice(site.end()..end).contains('>')
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (left, operator, right) = grammar::binary(site).ok_or(Refusal("it has no two sides"))?;
    let mirrored = mirrored(operator).ok_or(Refusal("it is no comparison"))?;
    let types = [left, right].map(|it| types::of(program, it));
    let known = match program.language() {
        Language::Cpp => types.iter().all(|it| it.is_primitive()),
        Language::JavaScript | Language::TypeScript => {
            operator.len() == 3 || types.iter().any(|it| it.is_primitive() || *it == Type::Text)
        }
        _ => true,
    };
    if !known {
        return Err(Refusal("its sides are not known to have built-in types"));
    }
    if program.language() == Language::Java && may_unbox(program, left, right) {
        return Err(Refusal("one of its sides may be an object without a number"));
    }
    if !effects::may_turn(program, left, right) {
        return Err(Refusal("its sides may need their order"));
    }
    if mirrored == "<" && program.language() == Language::TypeScript && opens_types(program, site, left) {
        return Err(Refusal("TypeScript would read it as arguments of a type"));
    }
    // The grammar of TypeScript takes `x < (-1)` for arguments of a type, and its compiler learns nothing of `x` from
    // `"string" === (typeof x)`.
    let is_bare = |it: Node<'_>| match grammar::unary(it) {
        Some(("typeof", _)) => true,
        Some(_) => it == left && it.child("argument").is_some_and(|it| it.kind() == "number"),
        None => false,
    };
    let side = |it, place| {
        if is_bare(it) { format!("${place}") } else { code::tight(program, it, place) }
    };
    let template = format!("{} {mirrored} {}", side(right, 1), side(left, 0));
    Ok(vec![expression(site.range(), &template, &[left, right])])
}

/// Whether a side that only gives a value may raise an exception of Java when it becomes a number, before or behind what the other side does.
fn may_unbox(program: &Program, left: Node<'_>, right: Node<'_>) -> bool {
    let sides = [left, right];
    let plain = sides.map(|it| effects::is_quiet(program, it));
    let is_object = |it: Node<'_>| {
        let kind = types::of(program, it);
        !kind.is_primitive() && kind != Type::Text && it.kind() != "null_literal"
    };
    plain.iter().any(|it| !it) && sides.iter().zip(plain).any(|(it, is_plain)| is_plain && is_object(*it))
}
