//! `layout-joined`: puts several statements on one line.
//!
//! # What it does
//!
//! Simple statements that stand one behind the other are joined by semicolons.
//!
//! # Why behavior is kept
//!
//! A semicolon ends a statement as the end of its line does.
//!
//! # Example
//!
//! `a = 1` and `b = 2` become `a = 1; b = 2`.
//!
//! # Where it does not apply
//!
//! Statements with blocks; comments in between.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const COMPOUND: &[&str] = &[
    "if_statement",
    "for_statement",
    "while_statement",
    "try_statement",
    "with_statement",
    "match_statement",
];

pub(crate) static RULE: Rule = Rule {
    name: "layout-joined",
    summary: "puts several statements on one line",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// Simple statements right behind simple ones.
fn candidates(program: &Program) -> Vec<Node<'_>> {
    let simple = program.root().subtree().filter(|it| is_simple(*it));
    simple.filter(|it| before(*it).is_some_and(is_simple)).collect()
}

fn is_simple(node: Node<'_>) -> bool {
    code::is_statement(node) && node.kind().ends_with("_statement") && !COMPOUND.contains(&node.kind())
}

fn before(statement: Node<'_>) -> Option<Node<'_>> {
    code::statements(statement.parent()?).take_while(|it| it.number() < statement.number()).last()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let before = before(site).ok_or(Refusal("nothing stands before it"))?;
    let gap = before.end()..site.start();
    let blank = program.slice(gap.clone()).chars().all(char::is_whitespace);
    if !blank || !program.slice(gap.clone()).contains('\n') {
        return Err(Refusal("a comment stands between"));
    }
    Ok(vec![Edit::text(gap, "; ")])
}
