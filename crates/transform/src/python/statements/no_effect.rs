//! `no-effect-deletion`: deletes statements that do nothing.
//!
//! # What it does
//!
//! `pass` beside other statements, names and literals that stand alone, `continue` at the end of a loop, `return` at the end of a
//! function, and assignments of literals that nobody reads go away.
//!
//! # Why behavior is kept
//!
//! What follows is the same without them. A variable that is named nowhere else is seen by nobody.
//!
//! # Example
//!
//! `total = 0`, `pass`, `return total` become `total = 0` and `return total`.
//!
//! # Where it does not apply
//!
//! Docstrings; what is the only statement of its block; statements that share a line.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::expressions::{is_private, is_still};
use crate::program::Program;
use crate::python::code;
use crate::python::effects::Effects;
use crate::python::memory::Assignment;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "no-effect-deletion",
    summary: "deletes statements that do nothing",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let mut last = None;
    let statements =
        program.root().subtree().filter(|it| code::is_statement(*it) && does_nothing(program, *it));
    // Of two in one block, the second one is left for the next time.
    let alone = statements.filter(|it| {
        let is_first = last != it.parent();
        last = it.parent();
        is_first && it.parent().is_some_and(|it| code::statements(it).count() > 1)
    });
    alone.collect()
}

fn does_nothing(program: &Program, statement: Node<'_>) -> bool {
    let is_last = || statement.parent().is_some_and(|it| code::statements(it).last() == Some(statement));
    let around = statement.parent().and_then(Node::parent).map_or("", Node::kind);
    match statement.kind() {
        "pass_statement" => true,
        "continue_statement" => {
            is_last()
                && matches!(around, "for_statement" | "while_statement")
                && statement.parent().is_some_and(|it| it.field() == Some("body"))
        }
        "return_statement" => {
            let nothing = statement.named().all(|it| it.kind() == "none");
            nothing && is_last() && around == "function_definition"
        }
        "expression_statement" => is_unused(program, statement),
        _ => false,
    }
}

fn is_unused(program: &Program, statement: Node<'_>) -> bool {
    if let Some(assignment) = Assignment::of(program, statement) {
        let variable = program.scopes().variable(assignment.target).filter(|it| is_private(it));
        let unread = variable.is_some_and(|it| it.places.len() == 1) && !program.scopes().is_reflective();
        return unread && is_still(program, assignment.value) && calm(program, assignment.value);
    }
    let Some(value) = statement.named().next() else { return false };
    let is_first = statement.parent().and_then(|it| code::statements(it).next()) == Some(statement);
    let only = statement.named().count() == 1;
    only && is_still(program, value) && (value.kind() != "string" || !is_first) && calm(program, value)
}

fn calm(program: &Program, value: Node<'_>) -> bool {
    let effects = Effects::of(program, value);
    !effects.acts && !effects.exposes && !effects.may_raise && !effects.leaves
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    if site.next().is_some_and(|it| it.kind() == "line_continuation") {
        return Err(Refusal("the next line begins with a backslash"));
    }
    Ok(vec![code::deleted(program, site)?])
}
