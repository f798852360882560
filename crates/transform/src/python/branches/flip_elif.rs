//! `if-else-flip-elif`: makes nested `if` statements of `elif`, and exchanges the branches of each.
//!
//! # What it does
//!
//! Each condition is negated. What followed it stands inside, and its own code behind `else`.
//!
//! # Why behavior is kept
//!
//! A condition is asked where all before it did not hold, once, and its truth chooses the same code.
//!
//! # Example
//!
//! `if a: x()`, `elif b: y()`, `else: z()` become `if not a:` with `if not b: z()` and `else: y()` inside, and `else: x()`.
//!
//! # Where it does not apply
//!
//! An `if` without `elif`; branches with a `global` or `nonlocal`; one that shares its line with other code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code::{self, Branch};
use crate::python::negate;
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "if-else-flip-elif",
    summary: "makes nested ifs of elif, and exchanges the branches of each",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let chains = code::all(program, "if_statement");
    chains.filter(|it| code::branches(*it).get(1).is_some_and(|it| it.condition.is_some())).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::declares_nothing(site)?;
    let mut lines = code::lines(program, site)?;
    flip(program, &mut lines, 0, &code::branches(site))?;
    Ok(vec![lines.edit(site.range())])
}

fn flip(
    program: &Program,
    lines: &mut Lines<'_>,
    depth: usize,
    branches: &[Branch<'_>],
) -> Result<(), Refusal> {
    let [first, others @ ..] = branches else {
        lines.line(depth, "pass", &[]);
        return Ok(());
    };
    let body = code::stretch(program, first.body)?;
    let Some(condition) = first.condition else {
        lines.stretch(depth, &body);
        return Ok(());
    };
    let (template, kept) = negate::negated(program, condition);
    lines.line(depth, &format!("if {template}:"), &kept);
    flip(program, lines, depth + 1, others)?;
    lines.line(depth, "else:", &[]).stretch(depth + 1, &body);
    Ok(())
}
