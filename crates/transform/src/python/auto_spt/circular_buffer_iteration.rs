//! `circular-buffer-state-threading`: lets a loop write its items into a circular buffer.
//!
//! # What it does
//!
//! The target of the loop is a cell of a buffer whose number turns. The body begins by reading its variable from there.
//!
//! # Why behavior is kept
//!
//! The cell that is read is the one that was just written. The turn moves on after that.
//!
//! # Example
//!
//! `for x in items:` becomes `for ring[turn % 4] in items:` with `x = ring[turn % 4]` inside.
//!
//! # Where it does not apply
//!
//! `async for`; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "circular-buffer-state-threading",
    summary: "lets a loop write its items into a circular buffer",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    code::all(program, "for_statement").collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (Some(target), Some(items), Some(body)) =
        (site.child("left"), site.child("right"), site.child("body"))
    else {
        return Err(Refusal("it is no whole loop"));
    };
    code::may_add_names(site)?;
    if site.children().any(|it| it.kind() == "async") {
        return Err(Refusal("it is an `async for`"));
    }
    let (ring, turn, size) = (choices.name(), choices.name(), choices.below(5) + 3);
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("{ring}, {turn} = [None] * {size}, {}", choices.below(size)), &[]);
    lines.line(0, &format!("for {ring}[{turn} % {size}] in $0:"), &[items]);
    lines.line(1, &format!("$0 = {ring}[{turn} % {size}]"), &[target]);
    lines.line(1, &format!("{turn} += {}", choices.below(size - 1) + 1), &[]);
    lines.stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    Ok(vec![lines.edit(site.range())])
}
