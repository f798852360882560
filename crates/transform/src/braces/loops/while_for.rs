//! `while-for`: writes a `while` loop as a `for` loop.
//!
//! # What it does
//!
//! The condition moves into the head of a `for` that declares and counts nothing. A last statement of the body that
//! only counts moves into the head too.
//!
//! # Why behavior is kept
//!
//! Such a `for` asks its condition at the same times. The counting moves only where the body has no `continue`, and
//! where it names nothing that the body declares.
//!
//! # Example
//!
//! `while (i < n) { f(i); i++; }` becomes `for (; i < n; i++) { f(i); }`.
//!
//! # Where it does not apply
//!
//! Conditions that declare a variable. In C++, what counts stays in a body with a variable whose end may run code.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::code;
use super::super::grammar::{self, LANGUAGES, LoopKind};
use super::rounds;
use crate::program::Program;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "while-for",
    summary: "writes a while loop as a for loop",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let loops = code::all(program, &["while_statement", "for_statement"]);
    loops.filter(|it| grammar::parts(*it).is_some_and(|it| it.kind == LoopKind::While)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let parts = grammar::parts(site).ok_or(Refusal("it is no whole loop"))?;
    let condition = parts.condition.ok_or(Refusal("it has no condition"))?;
    let counting = counting(program, parts.body).filter(|_| rounds::ends(program, &parts).is_empty());
    let mut lines = code::lines(program, site);
    let mut kept = vec![condition];
    let update = match counting {
        Some(statement) => {
            kept.push(grammar::expression_of(statement));
            "$1"
        }
        None => "",
    };
    let head = match (program.language(), update.is_empty()) {
        (Language::Go, _) => format!("for ; $0; {update} {{"),
        (_, true) => "for (; $0;) {".to_owned(),
        _ => format!("for (; $0; {update}) {{"),
    };
    lines.line(0, &head, &kept);
    match counting {
        Some(last) => {
            let before = last.previous().filter(|it| it.kind() != "{");
            let first = grammar::content(parts.body).first().copied();
            if let (Some(first), Some(before)) = (first, before)
                && first != last
            {
                lines.stretch(1, &code::stretch_of(program, first, before));
            }
        }
        None => code::add_body(program, &mut lines, 1, parts.body),
    }
    lines.line(0, "}", &[]);
    Ok(vec![lines.edit(site.range())])
}

/// The last statement of a body, where it only counts and may move into the head.
fn counting<'p>(program: &Program, body: Node<'p>) -> Option<Node<'p>> {
    if !grammar::is_block(body) || !grammar::jumps(body, "continue_statement").is_empty() {
        return None;
    }
    let last = grammar::content(body).last().copied()?;
    let is_step =
        grammar::assignment(last).is_some_and(|it| it.operator != "=" && it.right.named().next().is_none());
    if grammar::update(last).is_none() && !is_step {
        return None;
    }
    let hidden = code::declares_word_of(program, body, last);
    (!hidden && last.previous().is_some_and(|it| !grammar::is_comment(it))).then_some(last)
}
