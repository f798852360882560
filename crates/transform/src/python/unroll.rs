//! `unroll`: writes the body of a loop twice.
//!
//! # What it does
//!
//! A `while` loop gets a second copy of its body behind the question whether its condition still holds. A `for` loop
//! takes one more item from its iterator and treats it in a second copy.
//!
//! # Why behavior is kept
//!
//! The condition is asked before each round, as before. Items come from one iterator in their order. A `continue` goes on
//! with the next round in either copy of a `while`.
//!
//! # Example
//!
//! `while a: b()` becomes `while a: b()`, `if not a: break`, `b()`.
//!
//! # Where it does not apply
//!
//! Loops with an `else`; `for` loops with `break` or `continue`; bodies of more than twelve statements; `async for`;
//! the body of a class; bodies with a `global` or `nonlocal`; collections that assign a name.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Longer bodies are not written twice.
const MOST_STATEMENTS: usize = 12;

pub(crate) static RULE: Rule = Rule {
    name: "unroll",
    summary: "writes the body of a loop twice",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops =
        program.root().subtree().filter(|it| matches!(it.kind(), "for_statement" | "while_statement"));
    loops.collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let body = site.child("body").ok_or(Refusal("it is no whole loop"))?;
    if site.child("alternative").is_some() {
        return Err(Refusal("it has an `else`"));
    }
    code::declares_nothing(site)?;
    if body.subtree().filter(|it| code::is_statement(*it)).count() > MOST_STATEMENTS {
        return Err(Refusal("its body is too long to be written twice"));
    }
    let mut lines = code::lines(program, site)?;
    let stretch = code::stretch(program, body)?;
    if let Some(condition) = site.child("condition") {
        let (template, kept) = negate::negated(program, condition);
        lines.line(0, "while $0:", &[condition]).stretch(1, &stretch);
        lines.line(1, &format!("if {template}:"), &kept).line(2, "break", &[]).stretch(1, &stretch);
        return Ok(vec![lines.edit(site.range())]);
    }
    let (Some(target), Some(items)) = (site.child("left"), site.child("right")) else {
        return Err(Refusal("it is no whole loop"));
    };
    code::may_add_names(site)?;
    if site.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is an `async for`"));
    }
    if code::jumps(body, "break_statement").chain(code::jumps(body, "continue_statement")).next().is_some() {
        return Err(Refusal("its body has a `break` or a `continue`"));
    }
    if items.subtree().any(|it| matches!(it.kind(), "named_expression" | "yield") && it.is_named()) {
        return Err(Refusal("its collection assigns or yields"));
    }
    let (stream, item) = (choices.name(), choices.name());
    let items_template = if items.kind() == "expression_list" { "($0)" } else { "$0" };
    // A generator can be gone through again where it stands; what `iter` gives need not allow that.
    lines.line(0, &format!("{stream} = ({item} for {item} in {items_template})"), &[items]);
    lines.line(0, &format!("for $0 in {stream}:"), &[target]).stretch(1, &stretch);
    lines.line(1, &format!("for $0 in {stream}:"), &[target]).stretch(2, &stretch).line(2, "break", &[]);
    Ok(vec![lines.edit(site.range())])
}
