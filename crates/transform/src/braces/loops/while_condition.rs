//! `while-condition-inside`: moves the condition of a loop into its body.
//!
//! # What it does
//!
//! The loop has no condition any more. Its body begins with the question whether the condition fails, and leaves
//! the loop then.
//!
//! # Why behavior is kept
//!
//! The condition is asked at the same times: before each round, also after a `continue`.
//!
//! # Example
//!
//! `while (a) { b(); }` becomes `while (true) { if (!a) { break; } b(); }`.
//!
//! # Where it does not apply
//!
//! Conditions that may be constants or bind a name, in Java; bodies that declare a name which the condition has.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::branches::if_else_flip::binds;
use super::super::grammar::{self, LANGUAGES, LoopKind};
use super::super::{code, negate};
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "while-condition-inside",
    summary: "moves the condition of a loop into its body",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops = code::all(program, &["while_statement", "for_statement"]);
    loops.filter(|it| grammar::parts(*it).is_some_and(|it| it.condition.is_some())).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::parts(site).ok_or(Refusal("it is no whole loop"))?;
    let condition = parts.condition.ok_or(Refusal("it has no condition"))?;
    if !code::varies(program, condition) {
        return Err(Refusal("its condition may be a constant"));
    }
    if binds(condition) {
        return Err(Refusal("its condition binds a name"));
    }
    if code::declares_word_of(program, parts.body, condition) {
        return Err(Refusal("its body declares a name that the condition has"));
    }
    let mut lines = code::lines(program, site);
    if parts.kind == LoopKind::While {
        let head = match program.language() {
            Language::Go => "for {",
            Language::C => "while (1) {",
            _ => "while (true) {",
        };
        lines.line(0, head, &[]);
    } else {
        let (start, end) = (condition.start(), condition.end());
        lines.line(0, "", &[]).keep(site.start()..start, code::indent(program, site));
        lines.keep(end..code::head_end(parts.body), code::indent(program, site)).then(" {");
    }
    let (template, kept) = negate::negated(program, condition)?;
    lines.line(1, &code::head(program, "if", &template), &kept);
    lines.line(2, &format!("break{}", code::end(program)), &[]).line(1, "}", &[]);
    code::add_body(program, &mut lines, 1, parts.body);
    lines.line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}
