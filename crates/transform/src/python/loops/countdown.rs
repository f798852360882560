//! `for-while-countdown`: writes a loop over a range as one that counts down to nothing.
//!
//! # What it does
//!
//! A counter begins with how many numbers the range has, and goes down. The variable of the loop is computed from it.
//!
//! # Why behavior is kept
//!
//! The count follows from the bounds and the step of the range itself. The counter goes down before the body, so `continue` needs
//! no care.
//!
//! # Example
//!
//! `for i in range(n):` becomes `span = range(n)`, `left = total = -((span.start - span.stop) // span.step)`, `while left > 0:` with
//! `i = span.start + (total - left) * span.step` and `left -= 1` inside.
//!
//! # Where it does not apply
//!
//! Loops over other collections; the body of a class; where `range` means something else.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{NO_RANGE, count_of, parts, range_loops as candidates, range_of};
use crate::program::Program;
use crate::python::code;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "for-while-countdown",
    summary: "writes a loop over a range as one that counts down to nothing",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [target, items, body] = parts(site)?;
    range_of(program, items).ok_or(NO_RANGE)?;
    let (span, left, total) = (choices.name(), choices.name(), choices.name());
    let mut lines = code::lines(program, site)?;
    lines.line(0, &format!("{span} = $0"), &[items]);
    lines.line(0, &format!("{left} = {total} = {}", count_of(&span)), &[]).line(
        0,
        &format!("while {left} > 0:"),
        &[],
    );
    lines.line(1, &format!("$0 = {span}.start + ({total} - {left}) * {span}.step"), &[target]);
    lines.line(1, &format!("{left} -= 1"), &[]).stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    Ok(vec![lines.edit(site.range())])
}
