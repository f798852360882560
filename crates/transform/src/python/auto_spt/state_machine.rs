//! `state-machine-enumeration`: runs the statements of a function as the states of a machine.
//!
//! # What it does
//!
//! Each statement of the body belongs to a state. A loop runs the statement of the state, and a table gives the next one.
//!
//! # Why behavior is kept
//!
//! The states follow each other in the order of the statements. A `return` leaves the loop, too.
//!
//! # Example
//!
//! `x = 1` and `return x` become `while state != 7:` with `if state == 3: x = 1` and `elif state == 5: return x` inside, and
//! `state = table[state]` at its end.
//!
//! # Where it does not apply
//!
//! Fewer than two statements, or more than thirty; statements that share a line.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::code;
use crate::python::memory;
use crate::template::Lines;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

const MOST_STATES: usize = 30;

pub(crate) static RULE: Rule = Rule {
    name: "state-machine-enumeration",
    summary: "runs the statements of a function as the states of a machine",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let bodies = code::all(program, "function_definition").filter_map(|it| it.child("body"));
    bodies.filter(|it| memory::working(*it).count() > 1).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let statements: Vec<_> = memory::working(site).collect();
    if statements.len() > MOST_STATES {
        return Err(Refusal("it has too many statements"));
    }
    if code::own(site)
        .any(|it| matches!(it.kind(), "global_statement" | "nonlocal_statement") && it.parent() != Some(site))
    {
        return Err(Refusal("a declaration stands inside a block of it"));
    }
    let [first, .., last] = statements[..] else { return Err(Refusal("it has one statement")) };
    let mut states: Vec<usize> = (1..=statements.len() * 3).collect();
    for at in (1..states.len()).rev() {
        states.swap(at, choices.below(at + 1));
    }
    states.truncate(statements.len() + 1);
    let (state, table) = (choices.name(), choices.name());
    let mut lines = Lines::new(program, code::indent(program, first)?, code::unit(program)?);
    let pairs: Vec<_> = states.windows(2).map(|pair| format!("{}: {}", pair[0], pair[1])).collect();
    lines.line(0, &format!("{state}, {table} = {}, {{{}}}", states[0], pairs.join(", ")), &[]);
    lines.line(0, &format!("while {state} != {}:", states[statements.len()]), &[]);
    for (at, statement) in statements.iter().enumerate() {
        code::indent(program, *statement)?;
        let word = if at == 0 { "if" } else { "elif" };
        lines.line(1, &format!("{word} {state} == {}:", states[at]), &[]);
        lines.stretch(2, &code::stretch_of(program, *statement, *statement)?);
    }
    lines.line(1, &format!("{state} = {table}[{state}]"), &[]);
    Ok(vec![lines.edit(first.start()..last.end())])
}
