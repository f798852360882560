//! `for-while`: writes a `for` loop with a counter as a `while` loop.
//!
//! # What it does
//!
//! What the loop declares moves before it, into a block of its own. What it does after each round moves to the end of the body, and before
//! each `continue`.
//!
//! # Why behavior is kept
//!
//! The condition is asked at the same times, and the block keeps the names where they were.
//!
//! # Example
//!
//! `for (int i = 0; i < n; i++) { f(i); }` becomes `{ int i = 0; while (i < n) { f(i); i++; } }`.
//!
//! # Where it does not apply
//!
//! Loops over the items of a collection; loops whose variable an inner function uses, since JavaScript and newer Go make a
//! new one for each round; bodies that declare a name which the counting needs; in Java, bodies whose end nobody
//! reaches, and conditions that bind a name; a `continue` inside a `try`; in C++, a `continue` behind a variable whose
//! end may run code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::branches::if_else_flip::binds;
use super::super::code;
use super::super::grammar::{self, LANGUAGES, Loop, LoopKind};
use super::rounds;
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "for-while",
    summary: "writes a for loop as a while loop",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops = code::all(program, &["for_statement"]);
    loops.filter(|it| grammar::parts(*it).is_some_and(|it| it.kind == LoopKind::For)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::parts(site).ok_or(Refusal("it is no whole loop"))?;
    check(program, &parts)?;
    let mut lines = code::lines(program, site);
    let has_block = !parts.initializers.is_empty();
    let depth = usize::from(has_block);
    if has_block {
        lines.line(0, "{", &[]);
    }
    for initializer in &parts.initializers {
        lines.line(1, &code::ended(program, *initializer, 0), &[*initializer]);
    }
    let head = match (program.language(), parts.condition) {
        (Language::Go, None) => "for {".to_owned(),
        (Language::Go, _) => "for $0 {".to_owned(),
        (Language::C, None) => "while (1) {".to_owned(),
        (_, None) => "while (true) {".to_owned(),
        _ => "while ($0) {".to_owned(),
    };
    lines.line(depth, &head, parts.condition.as_slice());
    // Where a variable ends before the counting, the body stays a block.
    let ends = !parts.updates.is_empty()
        && rounds::ends(program, &parts).iter().any(|it| it.parent() == Some(parts.body));
    if ends {
        lines.line(depth + 1, "{", &[]);
    }
    code::add_body(program, &mut lines, depth + 1 + usize::from(ends), parts.body);
    if ends {
        lines.line(depth + 1, "}", &[]);
    }
    for update in &parts.updates {
        lines.line(depth + 1, &code::ended(program, *update, 0), &[*update]);
    }
    lines.line(depth, "}", &[]);
    if has_block {
        lines.line(0, "}", &[]);
    }
    let mut edits = vec![lines.edit(site.range())];
    if !parts.updates.is_empty() {
        edits.extend(continues(program, &parts));
    }
    Ok(edits)
}

fn check(program: &Program, parts: &Loop<'_>) -> Result<(), Refusal> {
    rounds::check(program, parts)?;
    let is_tuple = |it: &Node<'_>| {
        grammar::is_script(program.language())
            && program.of(*it).starts_with(['(', '[', '/', '`', '{', '"', '\''])
    };
    if parts.updates.iter().any(is_tuple) {
        return Err(Refusal("what it does after a round is no plain statement"));
    }
    if !parts.initializers.is_empty() && parts.condition.is_some_and(binds) {
        return Err(Refusal("its condition binds a name"));
    }
    if parts.updates.is_empty() {
        return Ok(());
    }
    let jumps = grammar::jumps(parts.body, "continue_statement");
    let in_try = |it: &Node<'_>| {
        it.ancestors()
            .take_while(|it| parts.body.holds(*it))
            .into_iter()
            .any(|it| it.kind().starts_with("try_"))
    };
    if jumps.iter().any(in_try) {
        return Err(Refusal("a `continue` stands inside a `try`"));
    }
    let ends = rounds::ends(program, parts);
    if jumps.iter().any(|jump| ends.iter().any(|it| rounds::ends_at(*it, *jump))) {
        return Err(Refusal("a variable ends at a `continue`"));
    }
    if program.language() == Language::Java && !code::completes(program, parts.body) {
        return Err(Refusal("nobody reaches the end of its body"));
    }
    // A name that the body declares could hide one that stands behind the condition.
    if parts.updates.iter().any(|it| code::declares_word_of(program, parts.body, *it)) {
        return Err(Refusal("its body declares a name that the counting needs"));
    }
    Ok(())
}

/// The edits that count before each `continue`.
fn continues(program: &Program, parts: &Loop<'_>) -> Vec<Edit> {
    let mut text = String::from("{ ");
    for place in 0..parts.updates.len() {
        text += &code::ended(program, parts.updates[place], place);
        text += if program.language() == Language::Go { "; " } else { " " };
    }
    text += if program.language() == Language::Go { "continue }" } else { "continue; }" };
    let jumps = grammar::jumps(parts.body, "continue_statement");
    jumps.into_iter().map(|it| expression(it.range(), &text, &parts.updates)).collect()
}
