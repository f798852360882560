//! `do-while`: writes a do loop as a while loop.
//!
//! # What it does
//!
//! A `do` loop becomes a loop without an end that asks its condition behind the body.
//!
//! # Why behavior is kept
//!
//! The body runs before the condition is asked for the first time, and the condition is asked behind each round.
//! The body keeps its block, so its names do not hide those of the condition.
//!
//! # Example
//!
//! `do { f(); } while (a);` becomes `while (true) { { f(); } if (!a) { break; } }`.
//!
//! # Where it does not apply
//!
//! Bodies with `continue`, which would skip the condition; in Java, bodies whose end nobody reaches, and
//! conditions that bind a name.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::branches::if_else_flip::binds;
use super::super::grammar;
use super::super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "do-while",
    summary: "writes a do loop as a while loop",
    languages: &[Language::Java, Language::C, Language::Cpp, Language::JavaScript, Language::TypeScript],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, &["do_statement"]).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::parts(site).ok_or(Refusal("it is no whole loop"))?;
    let condition = parts.condition.ok_or(Refusal("it has no condition"))?;
    if !grammar::jumps(parts.body, "continue_statement").is_empty() {
        return Err(Refusal("its body has a `continue`"));
    }
    if binds(condition) {
        return Err(Refusal("its condition binds a name"));
    }
    if !code::varies(program, condition) {
        return Err(Refusal("its condition may be a constant"));
    }
    if program.language() == Language::Java && !code::completes(program, parts.body) {
        return Err(Refusal("nobody reaches the end of its body"));
    }
    let mut lines = code::lines(program, site);
    lines.line(0, if program.language() == Language::C { "while (1) {" } else { "while (true) {" }, &[]);
    lines.line(1, "{", &[]);
    code::add_body(program, &mut lines, 2, parts.body);
    let (template, kept) = negate::negated(program, condition)?;
    lines.line(1, "}", &[]).line(1, &format!("if ({template}) {{"), &kept);
    lines.line(2, "break;", &[]).line(1, "}", &[]).line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}
