//! `positional-state-encoding`: joins two assignments, and takes their values from places that depend on each other.
//!
//! # What it does
//!
//! The values of two neighboring assignments stand in one list, in their order. Each name takes its value by a place
//! that follows from the place of the other.
//!
//! # Why behavior is kept
//!
//! The second value does not need the first name. Both values are computed in their order. Where the second one raises, nobody
//! sees that the first name has no value: there is no `try` around, and no inner function knows the name.
//!
//! # Example
//!
//! `a = x` and `b = y` become `ring = [x, y]`, `place = 3`, `a = ring[(place + 1) % 2]`, `b = ring[place % 2]`.
//!
//! # Where it does not apply
//!
//! Assignments inside `try` or `with`; names that others share; values that need the first name.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory::Assignment;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "positional-state-encoding",
    summary: "joins two assignments, and takes their values from places that depend on each other",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

pub(crate) fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = code::all(program, "expression_statement").filter(|it| pair(program, *it).is_some());
    let mut taken = 0;
    let free = statements.filter(|it| {
        let is_free = it.start() >= taken;
        if is_free {
            taken = pair(program, *it).map_or(taken, |it| it[1].statement.end());
        }
        is_free
    });
    free.collect()
}

/// Two assignments one behind the other, of which the second one does not name what the first one assigns.
pub(crate) fn pair<'p>(program: &'p Program, statement: Node<'p>) -> Option<[Assignment<'p>; 2]> {
    let first = Assignment::of(program, statement)?;
    let next = code::statements(statement.parent()?).find(|it| it.number() > statement.number())?;
    let second = Assignment::of(program, next)?;
    let name = program.of(first.target);
    let needed = second.value.subtree().any(|it| it.kind() == "identifier" && program.of(it) == name);
    (!needed && program.of(second.target) != name).then_some([first, second])
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let [first, second] = pair(program, site).ok_or(Refusal("no such assignment follows"))?;
    code::may_add_names(site)?;
    if code::inside_try(site) {
        return Err(Refusal("it stands inside a `try`"));
    }
    let variable = program.scopes().variable(first.target);
    if !variable.is_some_and(|it| it.is_local() && !it.is_captured) {
        return Err(Refusal("other code may see the name"));
    }
    let (ring, place, start) = (choices.name(), choices.name(), choices.below(20));
    let (own, other) = if start % 2 == 0 { ("", " + 1") } else { (" + 1", "") };
    let mut lines = code::lines(program, site)?;
    let both = format!("[{}, {}]", values::item(first.value), values::at(values::item(second.value), 1));
    lines.line(0, &format!("{ring} = {both}"), &[first.value, second.value]);
    lines.line(0, &format!("{place} = len({ring}) * {} + {}", start / 2, start % 2), &[]);
    lines.line(0, &format!("$0 = {ring}[({place}{own}) % 2]"), &[first.target]);
    lines.line(0, &format!("$0 = {ring}[({place}{other}) % 2]"), &[second.target]);
    code::needs_builtins(program, &["len"])?;
    Ok(vec![lines.edit(site.start()..second.statement.end())])
}
