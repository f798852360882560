//! `conditional-early-exit`: moves code out of an `else`, or into one, behind a branch that never ends.
//!
//! # What it does
//!
//! Where the first branch returns, raises, breaks or continues in any case, the code of its `else` moves behind the
//! `if`. Where there is no `else`, the code behind the `if` moves into one.
//!
//! # Why behavior is kept
//!
//! Control reaches the end of an `if` only through the other branch.
//!
//! # Example
//!
//! `if a: return 1` and `else: return 2` become `if a: return 1` and `return 2`.
//!
//! # Where it does not apply
//!
//! Branches that may reach their end; `elif`; an `if` with nothing behind it and no `else`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::code;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "conditional-early-exit",
    summary: "moves code out of an else, or into one, behind a branch that leaves",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let leaves = |it: &Node<'_>| it.child("consequence").is_some_and(code::ends_elsewhere);
    let more = |it: &Node<'_>| code::branches(*it).len() == 2 || behind(*it).is_some();
    code::all(program, "if_statement").filter(|it| leaves(it) && more(it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let branches = code::branches(site);
    let condition = branches.first().and_then(|it| it.condition).ok_or(Refusal("it has no condition"))?;
    let body = code::stretch(program, branches[0].body)?;
    let mut lines = code::lines(program, site)?;
    lines.line(0, "if $0:", &[condition]).stretch(1, &body);
    if let [_, other] = branches[..] {
        if other.condition.is_some() {
            return Err(Refusal("it has an `elif`"));
        }
        lines.stretch(0, &code::stretch(program, other.body)?);
        return Ok(vec![lines.edit(site.range())]);
    }
    let (first, last) = behind(site).ok_or(Refusal("nothing stands behind it"))?;
    if branches.len() > 1 {
        return Err(Refusal("it has an `elif`"));
    }
    code::indent(program, first)?;
    code::indent(program, last)?;
    lines.line(0, "else:", &[]).stretch(1, &code::stretch_of(program, first, last)?);
    Ok(vec![lines.edit(site.start()..last.end())])
}

/// The first and the last statement behind an `if` in its block.
fn behind(statement: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let block = statement.parent()?;
    let mut behind = code::statements(block).filter(|it| it.number() > statement.number());
    let first = behind.next()?;
    Some((first, behind.last().unwrap_or(first)))
}
