//! `declaration-move`: moves the assignment of a literal to where its variable is needed, or up.
//!
//! # What it does
//!
//! The assignment moves down to right before the first statement that names the variable. Where that is the next one, it moves up,
//! behind the last statement that names the variable.
//!
//! # Why behavior is kept
//!
//! A literal is the same at both places. No statement in between names the variable, and no other code does.
//!
//! # Example
//!
//! `total = 0`, `check(a)`, `total += 1` become `check(a)`, `total = 0`, `total += 1`.
//!
//! # Where it does not apply
//!
//! Values that are computed; variables that inner functions use; inside `try`; a `break` or `continue` in between, where the variable is read elsewhere; statements that share a line; docstrings and declarations are not passed.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::expressions::is_private;
use crate::Piece;
use crate::program::Program;
use crate::python::memory::Assignment;
use crate::python::{code, memory};
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "declaration-move",
    summary: "moves the assignment of a literal to where its variable is needed, or up",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let mut taken = 0;
    let statements = code::all(program, "expression_statement");
    let free = statements.filter(|it| match literal(program, *it).and_then(|_| place(program, *it)) {
        Some(other) if it.start().min(other.start()) >= taken => {
            taken = it.end().max(other.end());
            true
        }
        _ => false,
    });
    free.collect()
}

fn literal<'p>(program: &Program, statement: Node<'p>) -> Option<Assignment<'p>> {
    let assignment = Assignment::of(program, statement)?;
    let value = assignment.value;
    let empty = matches!(value.kind(), "list" | "dictionary" | "tuple") && value.named().count() == 0;
    let plain = matches!(value.kind(), "integer" | "float" | "true" | "false" | "none")
        || value.kind() == "string" && !value.subtree().any(|it| it.kind() == "interpolation");
    let variable = program.scopes().variable(assignment.target)?;
    ((empty || plain) && is_private(variable)).then_some(assignment)
}

/// The last statement behind it, or the first one before it, that does not name its variable, nor does any in between.
fn place<'p>(program: &Program, statement: Node<'p>) -> Option<Node<'p>> {
    let assignment = Assignment::of(program, statement)?;
    let variable = program.scopes().variable(assignment.target)?;
    let block = statement.parent()?;
    let all: Vec<_> = memory::working(block).collect();
    let at = all.iter().position(|it| *it == statement)?;
    // Nobody reads the variable but behind the assignment, in its block.
    let is_fresh = variable.places.iter().all(|&place| {
        let place = program.node(place);
        block.holds(place) && place.number() >= statement.number()
    });
    let silent = |it: &&Node<'p>| {
        !variable.places.iter().any(|&place| it.holds(program.node(place)))
            && code::indent(program, **it).is_ok()
            && (is_fresh || !code::leaves_round(**it))
    };
    let behind = all[at + 1..].iter().take_while(silent).last();
    // Behind the end of the block, nobody would need it.
    let needed = behind.filter(|it| all.last() != Some(*it));
    needed.or_else(|| all[..at].iter().rev().take_while(silent).last()).copied()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let other = place(program, site).ok_or(Refusal("it stands where it is needed"))?;
    if code::inside_try(site) || program.scopes().is_reflective() {
        return Err(Refusal("it stands inside a `try`"));
    }
    code::may_add_names(site)?;
    code::keeps_docstring(site)?;
    let indent = code::indent(program, site)?;
    let between = |from: usize, to: usize| program.slice(from..to).to_owned();
    let break_line = format!("{}{indent}", newline(program));
    if site.end() <= other.start() {
        let next = code::statements(site.parent().unwrap_or(site)).find(|it| it.number() > site.number());
        let next = next.ok_or(Refusal("nothing follows it"))?;
        let comment = between(site.end(), next.start()).trim().to_owned();
        if !comment.is_empty() {
            return Err(Refusal("a comment stands behind it"));
        }
        let pieces =
            vec![Piece::Keep(next.start()..other.end()), Piece::Text(break_line), Piece::Keep(site.range())];
        return Ok(vec![Edit { range: site.start()..other.end(), pieces }]);
    }
    let before =
        code::statements(site.parent().unwrap_or(site)).take_while(|it| it.number() < site.number()).last();
    let before = before.ok_or(Refusal("nothing stands before it"))?;
    if between(before.end(), site.start()).contains('#') {
        return Err(Refusal("a comment stands before it"));
    }
    let pieces =
        vec![Piece::Keep(site.range()), Piece::Text(break_line), Piece::Keep(other.start()..before.end())];
    Ok(vec![Edit { range: other.start()..site.end(), pieces }])
}
