//! `comparison-rewrite`: writes a comparison by other comparisons.
//!
//! # What it does
//!
//! A comparison of numbers becomes two comparisons. `a != b` does so for whole numbers only.
//!
//! # Why behavior is kept
//!
//! Both sides have known types, always give a value and change nothing, so they may be computed twice. For a NaN
//! both forms are false.
//!
//! # Example
//!
//! `a <= b` becomes `(a < b || a == b)`.
//!
//! # Where it does not apply
//!
//! Sides with calls or with a type that is not known; in TypeScript, two constants.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, effects, types, wide};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "comparison-rewrite",
    summary: "writes a comparison by other comparisons",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let is_known =
        |it: &Node<'_>| matches!(grammar::binary(*it), Some((_, "<" | "<=" | ">" | ">=" | "!=" | "!==", _)));
    code::all(program, &["binary_expression"]).filter(is_known).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (left, operator, right) = grammar::binary(site).ok_or(Refusal("it has no two sides"))?;
    let types = [left, right].map(|it| types::of(program, it));
    if !types.iter().all(|it| it.is_number()) {
        return Err(Refusal("its sides are not known to be numbers"));
    }
    if !effects::is_quiet(program, left) || !effects::is_quiet(program, right) {
        return Err(Refusal("computing its sides twice may do something"));
    }
    let is_wide = || [left, right].iter().any(|it| wide::is_wide(program, *it));
    if program.language() == Language::TypeScript && !is_wide() {
        return Err(Refusal("its sides may be constants that are known to differ"));
    }
    let [first, second] = [(left, 0), (right, 1)].map(|(it, place)| code::tight(program, it, place));
    let is_script = grammar::is_script(program.language());
    let (equal, differs) = if is_script { ("===", "!==") } else { ("==", "!=") };
    let template = match operator {
        "<=" => format!("({first} < {second} || {first} {equal} {second})"),
        ">=" => format!("({first} > {second} || {first} {equal} {second})"),
        "<" => format!("({first} <= {second} && {first} {differs} {second})"),
        ">" => format!("({first} >= {second} && {first} {differs} {second})"),
        _ if types.iter().all(|it| it.is_integer()) => format!("({first} < {second} || {first} > {second})"),
        _ => return Err(Refusal("its sides may be no numbers that have an order")),
    };
    Ok(vec![expression(site.range(), &template, &[left, right])])
}
