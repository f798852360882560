//! `recursive-comprehension-flattening`: flattens lists of one item with a function that calls itself.
//!
//! # What it does
//!
//! A list comprehension makes lists of one item each. A function joins the halves of that list until one list is left.
//!
//! # Why behavior is kept
//!
//! The items are computed in the same order. Joining halves keeps the order, and the function calls itself no deeper than the
//! logarithm of the number of items.
//!
//! # Example
//!
//! `[f(x) for x in items]` becomes `(join := lambda rows: ...)([[f(x)] for x in items])`.
//!
//! # Where it does not apply
//!
//! `async` comprehensions; where `len` or `sum` mean something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "recursive-comprehension-flattening",
    summary: "flattens a list comprehension of one-item lists with a function that calls itself",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "list_comprehension").filter(|it| values::is_value(*it)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    code::needs_builtins(program, &["len"])?;
    let body = site.child("body").ok_or(Refusal("it has no body"))?;
    let clauses = program.slice(body.end()..site.end());
    if clauses.contains('#') || program.slice(site.start()..body.start()).contains('#') {
        return Err(Refusal("a comment stands in it"));
    }
    let (join, rows, half) = (choices.name(), choices.name(), choices.name());
    // The function gets itself as an argument, so no name is added to the scope around.
    let recursive = format!(
        "(lambda {join}, {rows}: {join}({join}, {rows}))(lambda {join}, {rows}: [] if not {rows} else {rows}[0] if len({rows}) == 1 else \
         (lambda {half}: {join}({join}, {rows}[:{half}]) + {join}({join}, {rows}[{half}:]))(len({rows}) // 2), "
    );
    let parts: Vec<_> = site.named().filter(|it| it.number() != body.number()).collect();
    if parts.len() > 8 {
        return Err(Refusal("it has too many clauses"));
    }
    let clauses: Vec<_> = (1..=parts.len()).map(|at| format!("${at}")).collect();
    let kept: Vec<_> = std::iter::once(body).chain(parts).collect();
    Ok(vec![expression(site.range(), &format!("{recursive}[[$0] {}])", clauses.join(" ")), &kept)])
}
