//! `conditional-ternary`: makes an expression of an `if` statement, and the other way round.
//!
//! # What it does
//!
//! Where both branches only assign to the same variable, or only return, the `if` becomes a conditional expression.
//! Where a statement only assigns or returns a conditional expression, it becomes an `if`.
//!
//! # Why behavior is kept
//!
//! The condition comes first in both forms, and then the same one of the two values. The target is a plain variable,
//! so naming it does nothing.
//!
//! # Example
//!
//! `if a: x = 1` and `else: x = 2` become `x = 1 if a else 2`.
//!
//! # Where it does not apply
//!
//! Branches with more than one statement or with a comment, targets that are no names, `elif`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::code::{self, Branch};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const NO_VALUES: Refusal = Refusal("its branches are more than one value each for the same target");

pub(crate) static RULE: Rule = Rule {
    name: "conditional-ternary",
    summary: "makes a conditional expression of an if, and the other way round",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = program.root().descendants().filter(|it| code::is_statement(*it));
    statements.filter(|it| values(program, *it).is_some() || choice(*it).is_some()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if let Some((head, [condition, then, other])) = values(program, site) {
        code::indent(program, site)?;
        let kept = [then, condition, other];
        let [then, condition, other] =
            [0, 1, 2].map(|at| code::operand(kept[at]).replace('0', &at.to_string()));
        return Ok(vec![expression(
            site.range(),
            &format!("{head}{then} if {condition} else {other}"),
            &kept,
        )]);
    }
    let (head, choice) = choice(site).ok_or(NO_VALUES)?;
    let ways: Vec<_> = choice.named().filter(|it| it.kind() != "comment").collect();
    let [then, condition, other] = ways[..] else { return Err(NO_VALUES) };
    let head = program.slice(head);
    if head.contains('\n') {
        return Err(Refusal("its target stands on several lines"));
    }
    let mut lines = code::lines(program, site)?;
    lines.line(0, "if $0:", &[condition]);
    lines.line(1, &format!("{head}$0"), &[then]);
    lines.line(0, "else:", &[]);
    lines.line(1, &format!("{head}$0"), &[other]);
    Ok(vec![lines.edit(site.range())])
}

/// What stands before the value, and the condition with both values, where an `if` only chooses a value.
fn values<'p>(program: &Program, statement: Node<'p>) -> Option<(String, [Node<'p>; 3])> {
    if statement.kind() != "if_statement" {
        return None;
    }
    let branches = code::branches(statement);
    let [Branch { condition: Some(condition), body }, Branch { condition: None, body: other }] = branches[..]
    else {
        return None;
    };
    let [then, other] = [only(body)?, only(other)?];
    if then.kind() == "return_statement" && other.kind() == "return_statement" {
        return Some(("return ".to_owned(), [condition, then.named().next()?, other.named().next()?]))
            .filter(is_single);
    }
    let [first, second] = [assignment(then)?, assignment(other)?];
    let target = first.child("left").filter(|it| it.kind() == "identifier")?;
    let same = second.child("left").is_some_and(|it| program.of(it) == program.of(target));
    let values = [condition, first.child("right")?, second.child("right")?];
    same.then(|| (format!("{} = ", program.of(target)), values)).filter(is_single)
}

/// Whether all of them may stand in a conditional expression.
fn is_single((_, nodes): &(String, [Node<'_>; 3])) -> bool {
    nodes
        .iter()
        .all(|it| !matches!(it.kind(), "expression_list" | "yield" | "assignment" | "list_splat" | "comment"))
}

fn only(body: Node<'_>) -> Option<Node<'_>> {
    let mut nodes = body.named();
    nodes.next().filter(|_| nodes.next().is_none())
}

fn assignment(statement: Node<'_>) -> Option<Node<'_>> {
    let assignment = only(statement)
        .filter(|it| it.kind() == "assignment" && statement.kind() == "expression_statement")?;
    assignment.child("type").is_none().then_some(assignment)
}

/// Where the code before the value stands, and the value, where a statement only assigns or returns a conditional expression.
fn choice(statement: Node<'_>) -> Option<(std::ops::Range<usize>, Node<'_>)> {
    let value = if statement.kind() == "return_statement" {
        only(statement)?
    } else {
        let assignment = assignment(statement)?;
        assignment.child("left").filter(|it| it.kind() == "identifier")?;
        assignment.child("right")?
    };
    let choice = code::bare(value);
    (choice.kind() == "conditional_expression").then(|| (statement.start()..value.start(), choice))
}
