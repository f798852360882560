//! `conditional`: writes a condition in another way.
//!
//! # What it does
//!
//! `and` and `or` change places by De Morgan's laws. A comparison gets the opposite sign and a `not`. Any other
//! condition becomes a choice between `True` and `False`.
//!
//! # Why behavior is kept
//!
//! A condition is asked for its truth alone. The same operands are asked for their truth, in the same order, and
//! none that was not asked before. Signs are turned only where the types of both sides are known.
//!
//! # Example
//!
//! `if a and b:` becomes `if not (not a or not b):`.
//!
//! # Where it does not apply
//!
//! `while True`, `while 1` and other constants.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, negate};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "conditional",
    summary: "writes a condition in another way: De Morgan, the opposite sign, a choice of truth values",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let conditions = program.root().subtree().filter(|it| it.field() == Some("condition"));
    conditions.filter(|it| it.is_named()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let bare = code::bare(site);
    match bare.kind() {
        "true" | "false" | "integer" | "none" => Err(Refusal("the condition is a constant")),
        "boolean_operator" => Ok(vec![de_morgan(site, bare)?]),
        "comparison_operator" => Ok(vec![turned(program, site)]),
        _ => Ok(vec![expression(
            site.range(),
            &format!("(True if {} else False)", code::operand(site)),
            &[site],
        )]),
    }
}

fn de_morgan(site: Node<'_>, operator: Node<'_>) -> Result<Edit, Refusal> {
    let (Some(left), Some(right)) = (operator.child("left"), operator.child("right")) else {
        return Err(Refusal("it has no two sides"));
    };
    let sign = operator.child("operator").map_or("", Node::kind);
    let other = if sign == "and" { "or" } else { "and" };
    let (first, second) = (code::operand(left), code::operand(right).replace("$0", "$1"));
    Ok(expression(site.range(), &format!("not (not {first} {other} not {second})"), &[left, right]))
}

fn turned(program: &Program, site: Node<'_>) -> Edit {
    let (template, kept) = negate::negated(program, site);
    let template = match template.strip_prefix("not ") {
        Some(same) if kept.len() == 1 => format!("(True if {same} else False)"),
        _ => format!("not ({template})"),
    };
    expression(site.range(), &template, &kept)
}
