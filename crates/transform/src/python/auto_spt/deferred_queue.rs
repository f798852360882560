//! `temporal-state-inversion`: puts the values of assignments into a queue as functions, the last one first.
//!
//! # What it does
//!
//! The values of neighboring assignments become functions in a list, in reverse. Each assignment takes the last one and
//! calls it.
//!
//! # Why behavior is kept
//!
//! A function computes its value when it is called, which is where the assignment stood. It reads variables as they are
//! then.
//!
//! # Example
//!
//! `a = x` and `b = a + 1` become `queue = [lambda: a + 1, lambda: x]`, `a = queue.pop()()`, `b = queue.pop()()`.
//!
//! # Where it does not apply
//!
//! Values that yield, await or assign; variables that may have no value; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::memory::Assignment;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Assignments that go through one queue.
const MOST: usize = 6;

pub(crate) static RULE: Rule = Rule {
    name: "temporal-state-inversion",
    summary: "puts the values of assignments into a queue as functions, the last one first",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let mut taken = 0;
    let statements = code::all(program, "expression_statement");
    let runs = statements.filter(|it| {
        let run = run(program, *it);
        let is_free = run.len() > 1 && it.start() >= taken;
        if is_free {
            taken = run.last().map_or(taken, |it| it.statement.end());
        }
        is_free
    });
    runs.collect()
}

/// The assignments from `statement` on, one behind the other.
fn run<'p>(program: &'p Program, statement: Node<'p>) -> Vec<Assignment<'p>> {
    let block = statement.parent().into_iter().flat_map(|it| code::statements(it));
    let behind = block.skip_while(|it| it.number() < statement.number());
    behind.map_while(|it| Assignment::of(program, it)).take(MOST).collect()
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let run = run(program, site);
    code::may_add_names(site)?;
    let mut bound = Vec::new();
    for assignment in &run {
        values::may_be_called(program, assignment.value, &bound)?;
        bound.push(program.of(assignment.target));
    }
    let queue = choices.name();
    let mut lines = code::lines(program, site)?;
    let last = run.len() - 1;
    let functions: Vec<_> = (0..run.len())
        .map(|at| format!("lambda: {}", values::at(values::item(run[last - at].value), at)))
        .collect();
    let kept: Vec<_> = run.iter().rev().map(|it| it.value).collect();
    lines.line(0, &format!("{queue} = [{}]", functions.join(", ")), &kept);
    for assignment in &run {
        lines.line(0, &format!("$0 = {queue}.pop()()"), &[assignment.target]);
    }
    Ok(vec![lines.edit(site.start()..run[last].statement.end())])
}
