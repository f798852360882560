//! `if-else-flip`: lets the branches of an `if` change places.
//!
//! # What it does
//!
//! The condition is negated, and each branch stands where the other one stood. Where there is no `else`, the first
//! branch becomes empty.
//!
//! # Why behavior is kept
//!
//! The condition is asked once in both forms, and its truth chooses the same code. Signs are turned only where both
//! sides are known to be whole numbers.
//!
//! # Example
//!
//! `if (a) { x = 1; } else { x = 2; }` becomes `if (!a) { x = 2; } else { x = 1; }`.
//!
//! # Where it does not apply
//!
//! Conditions that declare a variable; an `if` without `else` in Java whose condition is a constant; in C++, conditions
//! that may have a `!` of their own.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "if-else-flip",
    summary: "lets the branches of an if change places",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let all = code::all(program, &["if_statement"]);
    all.filter(|it| grammar::branches(*it).is_some_and(|it| it.otherwise.is_some())).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::branches(site).ok_or(Refusal("its condition declares a variable"))?;
    let otherwise = parts.otherwise.ok_or(Refusal("it has no `else`"))?;
    if binds(parts.condition)
        || program.language() == Language::Java && !code::varies(program, parts.condition)
    {
        return Err(Refusal("its condition binds a name or is a constant"));
    }
    let mut lines = code::lines(program, site);
    let (mut template, mut kept) = negate::negated(program, parts.condition)?;
    if let Some(initializer) = parts.initializer {
        template = format!("${}; {template}", kept.len());
        kept.push(initializer);
    }
    lines.line(0, &code::head(program, "if", &template), &kept);
    code::add_body(program, &mut lines, 1, otherwise);
    lines.line(0, "} else {", &[]);
    code::add_body(program, &mut lines, 1, parts.then);
    lines.line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}

/// Whether a condition of Java binds a name where it is true.
pub(crate) fn binds(condition: Node<'_>) -> bool {
    condition.subtree().any(|it| {
        it.kind() == "instanceof_expression" && (it.child("name").is_some() || it.child("pattern").is_some())
    })
}
