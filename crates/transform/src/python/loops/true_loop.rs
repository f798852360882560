//! `for-while-true`: writes a `for` loop as a loop without an end, which its body leaves.
//!
//! # What it does
//!
//! The body begins by asking the iterator for the next item. Where there is none, it leaves the loop.
//!
//! # Why behavior is kept
//!
//! The collection is made once, and each round takes one item. The mark for the end is an object that nobody else has. What
//! stood behind `else` runs where the items end.
//!
//! # Example
//!
//! `for x in items:` becomes `while True:` with `item = next(stream, end)` and `if item is end: break` inside.
//!
//! # Where it does not apply
//!
//! `async for`; the body of a class; an `else` that leaves a loop around; where `iter`, `next` or `object` mean something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{add_close, add_end, for_loops as candidates, parts};
use crate::program::Program;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "for-while-true",
    summary: "writes a for loop as a loop without an end, which its body leaves",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [target, items, body] = parts(site)?;
    code::needs_builtins(program, &["iter", "next", "object"])?;
    let mut lines = code::lines(program, site)?;
    let (stream, end, item) = (choices.name(), choices.name(), choices.name());
    lines.line(0, &format!("{stream} = iter({})", values::item(items)), &[items]);
    lines.line(0, &format!("{end} = object()"), &[]).line(0, "while True:", &[]);
    lines.line(1, &format!("{item} = next({stream}, {end})"), &[]).line(
        1,
        &format!("if {item} is {end}:"),
        &[],
    );
    add_end(program, &mut lines, site)?;
    lines.line(1, &format!("$0 = {item}"), &[target]).stretch(1, &code::stretch(program, body)?);
    add_close(program, &mut lines, body, &stream);
    Ok(vec![lines.edit(site.range())])
}
