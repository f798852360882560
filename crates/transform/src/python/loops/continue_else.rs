//! `continue-else`: writes what `continue` skips behind an `else`, and the other way round.
//!
//! # What it does
//!
//! Where an `if` of a loop ends with `continue`, the rest of the body moves behind its `else`. Where the body ends with an `if`
//! without `else`, the opposite condition gets a `continue`, and what stood inside follows.
//!
//! # Why behavior is kept
//!
//! After `continue`, and at the end of the body, the next round begins.
//!
//! # Example
//!
//! `if a: continue` and `b()` become `if not a: b()`.
//!
//! # Where it does not apply
//!
//! An `if` with more branches; statements that share a line.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::negate;
use crate::program::Program;
use crate::python::code;
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "continue-else",
    summary: "writes what continue skips behind an else, and the other way round",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = code::all(program, "if_statement").filter(|it| code::branches(*it).len() == 1);
    statements.filter(|it| in_loop(*it) && (skips(*it) || behind(*it).is_empty())).collect()
}

/// Whether it stands in the body of a loop itself.
fn in_loop(statement: Node<'_>) -> bool {
    let block = statement.parent().filter(|it| it.kind() == "block" && it.field() == Some("body"));
    block.and_then(Node::parent).is_some_and(|it| matches!(it.kind(), "for_statement" | "while_statement"))
}

/// Whether the branch ends with `continue`, and something stands behind.
fn skips(statement: Node<'_>) -> bool {
    let last = statement.child("consequence").and_then(|it| code::statements(it).last());
    last.is_some_and(|it| it.kind() == "continue_statement") && !behind(statement).is_empty()
}

fn behind(statement: Node<'_>) -> Vec<Node<'_>> {
    let block = statement.parent().into_iter().flat_map(|it| code::statements(it));
    block.filter(|it| it.number() > statement.number()).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(condition), Some(body)) = (site.child("condition"), site.child("consequence")) else {
        return Err(Refusal("it has no condition"));
    };
    let mut lines = code::lines(program, site)?;
    let (template, kept) = negate::negated(program, condition);
    if !skips(site) {
        let ends = code::ends_elsewhere(body);
        if ends && code::statements(body).last().is_some_and(|it| it.kind() == "continue_statement") {
            return Err(Refusal("it ends with `continue`"));
        }
        lines.line(0, &format!("if {template}:"), &kept).line(1, "continue", &[]);
        lines.stretch(0, &code::stretch(program, body)?);
        return Ok(vec![lines.edit(site.range())]);
    }
    let behind = behind(site);
    let (Some(first), Some(last)) = (behind.first(), behind.last()) else {
        return Err(Refusal("nothing follows it"));
    };
    code::indent(program, *first)?;
    code::indent(program, *last)?;
    // Comments before what follows move with it.
    let block = site.parent().ok_or(Refusal("nothing follows it"))?;
    let mut comments = block.named().filter(|it| it.kind() == "comment" && it.number() > site.number());
    let start = comments.find(|it| it.start() < first.start() && code::indent(program, *it).is_ok());
    let rest = code::stretch_of(program, start.unwrap_or(*first), *last)?;
    let own: Vec<_> = code::statements(body).collect();
    match own[..] {
        [start, .., end, _] | [start @ end, _] => with_else(program, &mut lines, condition, [start, end])?,
        _ => {
            lines.line(0, &format!("if {template}:"), &kept);
        }
    }
    lines.stretch(1, &rest);
    Ok(vec![lines.edit(site.start()..last.end())])
}

/// Adds the branch without its `continue`, and the head of the other one.
fn with_else(
    program: &Program,
    lines: &mut Lines<'_>,
    condition: Node<'_>,
    own: [Node<'_>; 2],
) -> Result<(), Refusal> {
    lines.line(0, "if $0:", &[condition]).stretch(1, &code::stretch_of(program, own[0], own[1])?);
    lines.line(0, "else:", &[]);
    Ok(())
}
