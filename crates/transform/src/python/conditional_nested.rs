//! `conditional-nested`: makes two `if` statements of one, and one of two.
//!
//! # What it does
//!
//! A condition with `and` becomes two nested `if` statements. An `elif` becomes an `else` with an `if` inside. An `if`
//! that holds only another `if` gets both conditions.
//!
//! # Why behavior is kept
//!
//! `and` asks its right side only where the left one is true, as the inner `if` does. Where the outer `if` has an
//! `else`, it is written at both places.
//!
//! # Example
//!
//! `if a and b:` becomes `if a:` with `if b:` inside.
//!
//! # Where it does not apply
//!
//! `or`; an `else` of more than three statements, or beside a `global` or `nonlocal`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::code::{self, Branch};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// An `else` that has more statements is not written twice.
const MOST_TWICE: usize = 3;

pub(crate) static RULE: Rule = Rule {
    name: "conditional-nested",
    summary: "makes nested ifs of and, of elif, and one if of nested ones",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = code::all(program, "if_statement");
    statements.filter(|it| inner(*it).is_some() || both(*it).is_some() || has_elif(*it)).collect()
}

fn has_elif(statement: Node<'_>) -> bool {
    code::branches(statement).get(1).is_some_and(|it| it.condition.is_some())
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let branches = code::branches(site);
    if has_elif(site) {
        return nest(program, site, &branches);
    }
    let mut lines = code::lines(program, site)?;
    if let Some((outer, inside)) = inner(site) {
        let body = inside.child("consequence").ok_or(Refusal("it has no body"))?;
        let condition = inside.child("condition").ok_or(Refusal("it has no condition"))?;
        let second = code::operand(condition).replace('0', "1");
        lines.line(0, &format!("if {} and {second}:", code::operand(outer)), &[outer, condition]);
        lines.stretch(1, &code::stretch(program, body)?);
        return Ok(vec![lines.edit(site.range())]);
    }
    let (left, right) = both(site).ok_or(Refusal("its condition is no `and`"))?;
    let body = code::stretch(program, branches[0].body)?;
    lines.line(0, "if $0:", &[left]).line(1, "if $0:", &[right]).stretch(2, &body);
    if let Some(other) = branches.get(1) {
        if code::statements(other.body).count() > MOST_TWICE {
            return Err(Refusal("its `else` is too long to be written twice"));
        }
        code::declares_nothing(site)?;
        let other = code::stretch(program, other.body)?;
        lines.line(1, "else:", &[]).stretch(2, &other).line(0, "else:", &[]).stretch(1, &other);
    }
    Ok(vec![lines.edit(site.range())])
}

/// `elif` as `else` with an `if` inside.
fn nest(program: &Program, site: Node<'_>, branches: &[Branch<'_>]) -> Result<Vec<Edit>, Refusal> {
    let mut lines = code::lines(program, site)?;
    for (depth, branch) in branches.iter().enumerate() {
        let body = code::stretch(program, branch.body)?;
        match branch.condition {
            Some(condition) => {
                if depth > 0 {
                    lines.line(depth - 1, "else:", &[]);
                }
                lines.line(depth, "if $0:", &[condition]).stretch(depth + 1, &body);
            }
            None => {
                lines.line(depth - 1, "else:", &[]).stretch(depth, &body);
            }
        }
    }
    Ok(vec![lines.edit(site.range())])
}

/// The two sides of an `and` that is the condition.
fn both(statement: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let condition = code::bare(statement.child("condition")?);
    let is_and = condition.kind() == "boolean_operator" && condition.child("operator")?.kind() == "and";
    is_and.then_some((condition.child("left")?, condition.child("right")?))
}

/// The condition and the only statement of an `if`, where that is another `if`, and neither has more branches.
fn inner(statement: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let body = statement.child("consequence")?;
    let mut nodes = body.named();
    let only = nodes.next().filter(|it| it.kind() == "if_statement" && nodes.next().is_none())?;
    let single = code::branches(statement).len() == 1 && code::branches(only).len() == 1;
    single.then_some((statement.child("condition")?, only))
}
