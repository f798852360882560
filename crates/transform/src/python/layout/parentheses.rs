//! `layout-parentheses`: puts parentheses around values and conditions.
//!
//! # What it does
//!
//! What a statement assigns or returns, and what `if` and `while` ask, gets parentheses.
//!
//! # Why behavior is kept
//!
//! Parentheses around a whole value change nothing.
//!
//! # Example
//!
//! `return a + b` becomes `return (a + b)`.
//!
//! # Where it does not apply
//!
//! Values that have parentheses already; chains of assignments.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit};

pub(crate) static RULE: Rule = Rule {
    name: "layout-parentheses",
    summary: "puts parentheses around values and conditions",
    languages: &[Language::Python],
    candidates,
    rewrite: |program, site, choices| Ok(vec![rewritten(program, site, choices)]),
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let values = program.root().subtree().filter(|it| {
        it.is_named()
            && match it.parent().map_or("", Node::kind) {
                "assignment" | "augmented_assignment" => {
                    it.field() == Some("right") && !it.kind().ends_with("assignment")
                }
                "return_statement" => it.kind() != "comment",
                "if_statement" | "elif_clause" | "while_statement" => it.field() == Some("condition"),
                _ => false,
            }
    });
    values
        .filter(|it| !matches!(it.kind(), "parenthesized_expression" | "tuple" | "generator_expression"))
        .collect()
}

fn rewritten(_: &Program, site: Node<'_>, _: &mut Choices) -> Edit {
    expression(site.range(), "($0)", &[site])
}
