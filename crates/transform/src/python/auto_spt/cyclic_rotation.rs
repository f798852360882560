//! `cyclic-variable-rotation`: rotates the variables and the values of a multiple assignment.
//!
//! # What it does
//!
//! The values are computed in their order and rotated by a function. The targets are rotated in the same way.
//!
//! # Why behavior is kept
//!
//! Each target gets the value that it got before. The targets are different names, so their order does not matter.
//!
//! # Example
//!
//! `a, b = x, y` becomes `b, a = (lambda *turn: turn[1:] + turn[:1])(x, y)`.
//!
//! # Where it does not apply
//!
//! Targets that are no different names; unpacking; `*values`; the body of a class, where the
//! order has a meaning.

use familiar_source::Language;
use familiar_syntax::tree::Node;
use rustc_hash::FxHashSet;

use crate::program::Program;
use crate::python::code;
use crate::python::values::{at as at_place, item};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "cyclic-variable-rotation",
    summary: "rotates the variables and the values of a multiple assignment",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "assignment").filter(|it| sides(*it).is_some()).collect()
}

/// Targets and values, where there are as many of both.
fn sides(assignment: Node<'_>) -> Option<(Vec<Node<'_>>, Vec<Node<'_>>)> {
    let left = assignment.child("left").filter(|it| matches!(it.kind(), "pattern_list" | "tuple_pattern"))?;
    let right = assignment.child("right").filter(|it| matches!(it.kind(), "expression_list" | "tuple"))?;
    let (left, right) = (items(left), items(right));
    let is_statement = assignment.parent().is_some_and(|it| it.kind() == "expression_statement");
    (is_statement && left.len() == right.len() && (2..=4).contains(&left.len())).then_some((left, right))
}

fn items(node: Node<'_>) -> Vec<Node<'_>> {
    node.named().filter(|it| it.kind() != "comment").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (targets, values) = sides(site).ok_or(Refusal("it has not as many values as targets"))?;
    let names: FxHashSet<_> = targets.iter().map(|it| program.of(*it)).collect();
    if names.len() != targets.len() || targets.iter().any(|it| it.kind() != "identifier") {
        return Err(Refusal("its targets are no different names"));
    }
    if code::in_class_body(site) {
        return Err(Refusal("the order in the body of a class has a meaning"));
    }
    if values.iter().any(|it| it.kind() == "list_splat") {
        return Err(Refusal("a value stands for several"));
    }
    let (turn, by) = (choices.name(), choices.below(targets.len() - 1) + 1);
    let mut left: Vec<_> = targets.iter().map(|it| program.of(*it)).collect();
    left.rotate_left(by);
    let arguments: Vec<_> = values.iter().enumerate().map(|(at, it)| at_place(item(*it), at)).collect();
    let rotated = format!("(lambda *{turn}: {turn}[{by}:] + {turn}[:{by}])");
    let new = format!("{} = {rotated}({})", left.join(", "), arguments.join(", "));
    Ok(vec![expression(site.range(), &new, &values)])
}
