//! `infinite-loop-spelling`: writes the condition of a loop without an end in another way.
//!
//! # What it does
//!
//! `while (true)` becomes `for (;;)`, and the other way round. In Go, `for {` becomes `for ;; {`.
//!
//! # Why behavior is kept
//!
//! Neither form asks anything. The rules of Java and Go for what code can be reached treat both alike.
//!
//! # Example
//!
//! `while (true) { f(); }` becomes `for (;;) { f(); }`.
//!
//! # Where it does not apply
//!
//! Loops whose condition is anything but `true`, or 1 in C.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar::{self, LANGUAGES, LoopKind};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "infinite-loop-spelling",
    summary: "writes the condition of a loop without an end in another way",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["while_statement", "for_statement"])
        .filter(|it| spelling(program, *it).is_some())
        .collect()
}

fn spelling(program: &Program, site: Node<'_>) -> Option<&'static str> {
    let parts = grammar::parts(site)?;
    if !parts.initializers.is_empty() || !parts.updates.is_empty() {
        return None;
    }
    match (program.language(), parts.kind, parts.condition.map(|it| program.of(it))) {
        (Language::Go, LoopKind::For, None) => {
            Some(if site.child_of_kind("for_clause").is_some() { "for " } else { "for ; ; " })
        }
        (Language::Go, ..) => None,
        (_, LoopKind::While, Some("true" | "1")) => Some("for (;;) "),
        (Language::C, LoopKind::For, None) => Some("while (1) "),
        (_, LoopKind::For, None) => Some("while (true) "),
        _ => None,
    }
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let head = spelling(program, site).ok_or(Refusal("it has an end"))?;
    let body = site.child("body").ok_or(Refusal("it has no body"))?;
    Ok(vec![Edit::text(site.start()..body.start(), head)])
}
