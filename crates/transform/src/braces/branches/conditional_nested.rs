//! `conditional-nested`: makes two if statements of one, and one of two.
//!
//! # What it does
//!
//! A condition with `&&` and no `else` becomes two nested `if` statements. What follows `else if` becomes an `else`
//! with an `if` inside. An `if` that holds only another `if` gets both conditions.
//!
//! # Why behavior is kept
//!
//! `&&` asks its right side only where the left one is true, as the inner `if` does.
//!
//! # Example
//!
//! `if (a && b) { f(); }` becomes `if (a) { if (b) { f(); } }`.
//!
//! # Where it does not apply
//!
//! Conditions that bind a name; in C++, operands whose `&&` may be the program's own; in Java, conditions that may
//! be constants.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, If, LANGUAGES};
use super::super::{code, types};
use super::if_else_flip::binds;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "conditional-nested",
    summary: "makes two if statements of one, and one of two",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["if_statement"]).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::branches(site).ok_or(Refusal("its condition declares a variable"))?;
    if binds(parts.condition) {
        return Err(Refusal("its condition binds a name"));
    }
    match parts.otherwise {
        Some(other) if other.kind() == "if_statement" => Ok(vec![nest_else(program, other)]),
        Some(_) => Err(Refusal("it has an `else` without a condition")),
        None => {
            if program.language() == Language::Java && !code::varies(program, parts.condition) {
                return Err(Refusal("its condition may be a constant"));
            }
            split(program, site, &parts)
                .or_else(|| join(program, site, &parts))
                .ok_or(Refusal("it has one plain condition"))
        }
    }
}

/// `else if` as an `else` with an `if` inside.
fn nest_else(program: &Program, other: Node<'_>) -> Edit {
    let mut lines = code::lines(program, other);
    lines.line(0, "{", &[]).stretch(1, &code::stretch_of(program, other, other)).line(0, "}", &[]);
    lines.edit(other.range())
}

/// Two `if` statements of one.
fn split(program: &Program, site: Node<'_>, parts: &If<'_>) -> Option<Vec<Edit>> {
    let (left, "&&", right) = grammar::binary(grammar::bare(parts.condition))? else { return None };
    if program.language() == Language::Cpp
        && ![left, right].iter().all(|it| types::of(program, *it).is_primitive())
    {
        return None;
    }
    let [first, second] = [left, right].map(grammar::bare);
    let mut lines = code::lines(program, site);
    let mut kept = vec![first];
    let head = match parts.initializer {
        Some(initializer) => {
            kept.push(initializer);
            "$1; $0"
        }
        None => "$0",
    };
    lines.line(0, &code::head(program, "if", head), &kept);
    lines.line(1, &code::head(program, "if", "$0"), &[second]);
    code::add_body(program, &mut lines, 2, parts.then);
    lines.line(1, "}", &[]).line(0, "}", &[]);
    Some(vec![lines.edit(site.range())])
}

/// One `if` statement of two.
fn join(program: &Program, site: Node<'_>, parts: &If<'_>) -> Option<Vec<Edit>> {
    let [only] = grammar::statements(parts.then)[..] else { return None };
    let inner = grammar::branches(only).filter(|it| it.otherwise.is_none() && it.initializer.is_none())?;
    let conditions = [parts.condition, inner.condition].map(grammar::bare);
    let is_own = program.language() == Language::Cpp
        && !conditions.iter().all(|it| types::of(program, *it).is_primitive());
    if parts.initializer.is_some() || binds(inner.condition) || is_own {
        return None;
    }
    let part = |place: usize| {
        let weak = matches!(grammar::binary(conditions[place]), Some((_, "||" | "??", _)))
            || !is_operand(conditions[place]);
        if weak { format!("(${place})") } else { format!("${place}") }
    };
    let mut lines = code::lines(program, site);
    lines.line(0, &code::head(program, "if", &format!("{} && {}", part(0), part(1))), &conditions);
    code::add_body(program, &mut lines, 1, inner.then);
    lines.line(0, "}", &[]);
    Some(vec![lines.edit(site.range())])
}

/// Whether a condition binds tighter than `&&`.
fn is_operand(condition: Node<'_>) -> bool {
    code::is_tight(condition) || grammar::binary(condition).is_some() || grammar::unary(condition).is_some()
}
