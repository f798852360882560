//! `member-reorder`: lets neighboring functions change places.
//!
//! # What it does
//!
//! Two functions or methods that stand one behind the other change places.
//!
//! # Why behavior is kept
//!
//! Defining a function runs nothing but its defaults, its annotations and its decorators. There are none, or they are names and literals
//! that neither function binds.
//!
//! # Example
//!
//! `def f(): ...` and `def g(): ...` become `def g(): ...` and `def f(): ...`.
//!
//! # Where it does not apply
//!
//! Functions with decorators; defaults that are computed; two functions of one name; statements that share a line; a metaclass.
//! Comments right above a function move with it.

use std::ops::Range;

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::Piece;
use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "member-reorder",
    summary: "lets neighboring functions change places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let mut taken = 0;
    let functions = code::all(program, "function_definition");
    let free = functions.filter(|it| {
        let next = neighbor(*it).filter(|_| it.start() >= taken);
        taken = next.map_or(taken, Node::end);
        next.is_some()
    });
    free.collect()
}

/// The function right behind.
fn neighbor(function: Node<'_>) -> Option<Node<'_>> {
    let block = function.parent().filter(|it| matches!(it.kind(), "module" | "block"))?;
    code::statements(block)
        .find(|it| it.number() > function.number())
        .filter(|it| it.kind() == "function_definition")
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let other = neighbor(site).ok_or(Refusal("no function follows"))?;
    let names = [site, other].map(|it| it.child("name").map_or("", |it| program.of(it)));
    if names[0] == names[1] {
        return Err(Refusal("both have one name"));
    }
    let class = site.parent().and_then(Node::parent).filter(|it| it.kind() == "class_definition");
    let bases = class.and_then(|it| it.child("superclasses"));
    if bases.is_some_and(|it| it.named().any(|it| it.kind() == "keyword_argument")) {
        return Err(Refusal("the metaclass may see the order"));
    }
    for function in [site, other] {
        code::indent(program, function)?;
        let head = function
            .children()
            .take_while(|it| it.field() != Some("body"))
            .filter(|it| it.field() != Some("name"));
        for node in head.flat_map(Node::subtree) {
            let runs =
                matches!(node.kind(), "call" | "lambda" | "binary_operator" | "await" | "named_expression")
                    || node.kind().ends_with("comprehension");
            let named = node.kind() == "identifier" && names.contains(&program.of(node));
            if runs || named {
                return Err(Refusal("defining one of them may run code"));
            }
        }
    }
    let (first, second) = (with_comments(program, site), with_comments(program, other));
    let between = program.slice(first.end..second.start).to_owned();
    let range = first.start..second.end;
    let pieces = vec![Piece::Keep(second), Piece::Text(between), Piece::Keep(first)];
    Ok(vec![Edit { range, pieces }])
}

/// Where a function stands, with the comments on the lines right above it.
fn with_comments(program: &Program, function: Node<'_>) -> Range<usize> {
    let mut start = function.start();
    for comment in std::iter::successors(function.previous(), |it| it.previous()) {
        let gap = program.slice(comment.end()..start);
        let is_alone = code::indent(program, comment).is_ok();
        if comment.kind() != "comment" || gap.matches('\n').count() != 1 || !is_alone {
            break;
        }
        start = comment.start();
    }
    start..function.end()
}
