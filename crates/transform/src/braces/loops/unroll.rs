//! `unroll`: writes the body of a loop twice.
//!
//! # What it does
//!
//! Behind a copy of the body, the loop counts, asks its condition, and has a second copy.
//!
//! # Why behavior is kept
//!
//! Counting and condition come before each round, as before. A `continue` goes on with the next round in either copy.
//! Each copy is a block, so what it declares is new in both.
//!
//! # Example
//!
//! `while (a) { b(); }` becomes `while (a) { { b(); } if (!a) { break; } { b(); } }`.
//!
//! # Where it does not apply
//!
//! Loops over the items of a collection; bodies of more than twelve statements; bodies with `static` variables or
//! functions; variables of the head that an inner function uses; in Java, bodies whose end nobody reaches;
//! conditions that bind a name; in Java and TypeScript, conditions that may be constants.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::branches::if_else_flip::binds;
use super::super::grammar::{self, LANGUAGES, LoopKind};
use super::super::{code, negate};
use super::rounds;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Longer bodies are not written twice.
const MOST_STATEMENTS: usize = 12;

pub(crate) static RULE: Rule = Rule {
    name: "unroll",
    summary: "writes the body of a loop twice",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops = program.root().descendants().filter(|it| grammar::is_loop(*it) && it.is_named());
    loops.filter(|it| grammar::parts(*it).is_some_and(|it| it.kind != LoopKind::Each)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::parts(site).ok_or(Refusal("it is no whole loop"))?;
    let is_statement =
        |it: &Node<'_>| it.is_named() && (it.kind().ends_with("_statement") || grammar::is_declaration(*it));
    if parts.body.subtree().filter(is_statement).count() > MOST_STATEMENTS {
        return Err(Refusal("its body is too long to be written twice"));
    }
    if grammar::statements(parts.body).is_empty() {
        return Err(Refusal("its body is empty"));
    }
    if parts.body.subtree().any(is_unique) {
        return Err(Refusal("its body declares what can be there only once"));
    }
    if parts.condition.is_some_and(binds) {
        return Err(Refusal("its condition binds a name"));
    }
    rounds::check(program, &parts)?;
    let language = program.language();
    if language == Language::Java && !code::completes(program, parts.body) {
        return Err(Refusal("nobody reaches the end of its body"));
    }
    let endless = parts.condition.is_none_or(|it| matches!(program.of(it), "true" | "1"));
    // Java refuses code that nobody reaches, and TypeScript knows no types there.
    let sees_reach = matches!(language, Language::Java | Language::TypeScript);
    if sees_reach && !endless && parts.condition.is_some_and(|it| !code::varies(program, it)) {
        return Err(Refusal("its condition may be a constant"));
    }
    let body = code::stretch(program, parts.body).ok_or(Refusal("its body is empty"))?;
    let mut lines = code::lines(program, site);
    // The head stays as it is.
    let head = site.start()..code::head_end(parts.body);
    lines.line(0, "", &[]).keep(head, code::indent(program, site)).then(" {");
    lines.line(1, "{", &[]).stretch(2, &body).line(1, "}", &[]);
    for update in &parts.updates {
        lines.line(1, &code::ended(program, *update, 0), &[*update]);
    }
    if let Some(condition) = parts.condition.filter(|_| !endless) {
        let (template, kept) = negate::negated(program, condition)?;
        lines.line(1, &code::head(program, "if", &template), &kept);
        lines.line(2, &format!("break{}", code::end(program)), &[]).line(1, "}", &[]);
    }
    lines.line(1, "{", &[]).stretch(2, &body).line(1, "}", &[]).line(0, "}", &[]);
    let tail = parts.body.end()..site.end();
    if !tail.is_empty() {
        lines.keep(tail, code::indent(program, site));
    }
    Ok(vec![lines.edit(site.range())])
}

/// Whether a node is a variable that outlives a round, or a function that the body declares.
fn is_unique(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "storage_class_specifier"
            | "function_declaration"
            | "generator_function_declaration"
            | "class_declaration"
            | "type_declaration"
            | "struct_specifier"
            | "class_specifier"
    )
}
