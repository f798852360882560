//! `for-while-index`: writes a `for` loop as a `while` loop over places.
//!
//! # What it does
//!
//! Over a range, the loop counts from its first number to its end. Over a list, a tuple or a text, it counts the places and takes
//! the item at each.
//!
//! # Why behavior is kept
//!
//! A list is asked for its length before each round, as its iterator does. The number moves on before the body, so `continue` needs
//! no care.
//!
//! # Example
//!
//! `for i in range(n):` becomes `span = range(n)`, `at = span.start + 0`, `while at < span.stop:` with `i = at` and `at += span.step` inside.
//!
//! # Where it does not apply
//!
//! Ranges whose step is no written number; collections whose type is not known; the body of a class; `async for`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{for_loops as candidates, parts, range_of};
use crate::program::Program;
use crate::python::code;
use crate::python::types::{self, Type};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "for-while-index",
    summary: "writes a for loop as a while loop over places",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [target, items, body] = parts(site)?;
    let mut lines = code::lines(program, site)?;
    let (held, at) = (choices.name(), choices.name());
    if let Some(arguments) = range_of(program, items) {
        let step = arguments.get(2).map_or("1", |it| program.of(*it));
        let digits = step.strip_prefix('-').unwrap_or(step);
        if !digits.bytes().all(|it| it.is_ascii_digit()) || digits.bytes().all(|it| it == b'0') {
            return Err(Refusal("the step of its range is no written number"));
        }
        let sign = if step.starts_with('-') { ">" } else { "<" };
        lines.line(0, &format!("{held} = $0"), &[items]).line(0, &format!("{at} = {held}.start + 0"), &[]);
        lines.line(0, &format!("while {at} {sign} {held}.stop:"), &[]).line(
            1,
            &format!("$0 = {at}"),
            &[target],
        );
        lines.line(1, &format!("{at} += {held}.step"), &[]);
    } else {
        if !matches!(types::of(program, items), Type::List | Type::Tuple | Type::Str) {
            return Err(Refusal("it is not known whether its items have places"));
        }
        code::needs_builtins(program, &["len"])?;
        lines.line(0, &format!("{held} = $0"), &[items]).line(0, &format!("{at} = 0"), &[]);
        lines.line(0, &format!("while {at} < len({held}):"), &[]);
        lines.line(1, &format!("$0 = {held}[{at}]"), &[target]).line(1, &format!("{at} += 1"), &[]);
    }
    lines.stretch(1, &code::stretch(program, body)?);
    code::add_else(program, &mut lines, site)?;
    Ok(vec![lines.edit(site.range())])
}
