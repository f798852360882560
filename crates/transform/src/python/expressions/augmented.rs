//! `augmented-assignment`: writes `x += y` without its sign, and `x = x + y` with it.
//!
//! # What it does
//!
//! Where the type of the target is built in and cannot be changed, the operator and `=` stand apart. For any other target, the function of the
//! module `operator` takes its place. `x = x + y` becomes `x += y`.
//!
//! # Why behavior is kept
//!
//! Numbers and texts have no operation that changes them in place. `iadd(x, y)` does what `x += y` does, and the parts are computed
//! in the same order.
//!
//! # Example
//!
//! `total += x` becomes `total = total + x` or, where `total` may be a list, `total = iadd(total, x)`.
//!
//! # Where it does not apply
//!
//! Targets that are no names, or that hold more than a name and a place; the body of a class; modules that others may import, where the type is not
//! known.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::is_still;
use crate::program::Program;
use crate::python::memory;
use crate::python::types::{self, Type};
use crate::python::{code, values};
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

/// Signs and the functions of `operator` for them.
const FUNCTIONS: &[(&str, &str)] = &[
    ("+=", "iadd"),
    ("-=", "isub"),
    ("*=", "imul"),
    ("/=", "itruediv"),
    ("//=", "ifloordiv"),
    ("%=", "imod"),
    ("**=", "ipow"),
    ("@=", "imatmul"),
    ("&=", "iand"),
    ("|=", "ior"),
    ("^=", "ixor"),
    (">>=", "irshift"),
    ("<<=", "ilshift"),
];

pub(crate) static RULE: Rule = Rule {
    name: "augmented-assignment",
    summary: "writes x += y without its sign, and x = x + y with it",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

/// Bodies with such statements.
fn candidates(program: &Program) -> Vec<Node<'_>> {
    let functions = code::all(program, "function_definition").filter_map(|it| it.child("body"));
    let bodies = [program.root()].into_iter().chain(functions);
    bodies.filter(|it| changes(program, *it).next().is_some()).collect()
}

fn changes<'p>(program: &'p Program, body: Node<'p>) -> impl Iterator<Item = Node<'p>> {
    let own =
        code::own(body).filter(|it| it.kind() == "augmented_assignment" || joined(program, *it).is_some());
    own.filter(|it| it.parent().is_some_and(|it| it.kind() == "expression_statement"))
}

/// The sign and the second operand of `x = x + y`, where `x` cannot be changed in place.
fn joined<'p>(program: &Program, node: Node<'p>) -> Option<(Node<'p>, Node<'p>)> {
    let target = node.child("left").filter(|it| node.kind() == "assignment" && it.kind() == "identifier")?;
    let value =
        node.child("right").filter(|it| it.kind() == "binary_operator" && node.child("type").is_none())?;
    let left = value.child("left").filter(|it| it.kind() == "identifier")?;
    let same = program.of(left) == program.of(target) && types::of(program, left).is_frozen();
    same.then_some((value.child("operator")?, value.child("right")?))
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let (mut edits, mut names) = (Vec::new(), Vec::<(&str, String)>::new());
    let mut refusal = Refusal("it has no such statement");
    for change in changes(program, site) {
        let Some(target) = change.child("left") else { continue };
        if let Some((operator, value)) = joined(program, change) {
            edits.push(expression(change.range(), "$0 $1= $2", &[target, operator, value]));
            continue;
        }
        let (Some(operator), Some(value)) = (change.child("operator"), change.child("right")) else {
            continue;
        };
        let sign = program.of(operator);
        if target.kind() == "identifier"
            && types::of(program, target).is_frozen()
            && types::of(program, target) != Type::Range
        {
            let plain =
                format!("$0 = $0 {} {}", sign.trim_end_matches('='), values::at(code::operand(value), 1));
            edits.push(expression(change.range(), &plain, &[target, value]));
            continue;
        }
        if let Err(reason) = may_call(program, site, target) {
            refusal = reason;
            continue;
        }
        let Some(function) = FUNCTIONS.iter().find(|it| it.0 == sign).map(|it| it.1) else { continue };
        if !names.iter().any(|it| it.0 == function) {
            names.push((function, choices.name()));
        }
        let Some((_, name)) = names.iter().find(|it| it.0 == function) else { continue };
        edits.push(expression(
            change.range(),
            &format!("$0 = {name}($0, {})", values::at(values::item(value), 1)),
            &[target, value],
        ));
    }
    if edits.is_empty() {
        return Err(refusal);
    }
    if !names.is_empty() {
        let imported: Vec<_> = names.iter().map(|(function, name)| format!("{function} as {name}")).collect();
        edits.push(memory::prologue(
            program,
            site,
            &format!("from operator import {}", imported.join(", ")),
        )?);
    }
    Ok(edits)
}

/// Whether a function may be imported for the target, and reading the target twice is as reading it once.
fn may_call(program: &Program, body: Node<'_>, target: Node<'_>) -> Result<(), Refusal> {
    if body.kind() == "module" && !code::is_script(program) {
        return Err(Refusal("other modules may import the module, and the type is not known"));
    }
    let in_class = target.ancestors().take_while(|it| *it != body).any(|it| it.kind() == "class_definition");
    let parts: Vec<_> = match target.kind() {
        "identifier" => Vec::new(),
        "attribute" => target.child("object").into_iter().collect(),
        "subscript" => target.named().collect(),
        _ => return Err(Refusal("its target is no name")),
    };
    if in_class
        || target.kind() == "subscript" && parts.len() != 2
        || !parts.iter().all(|it| is_still(program, *it))
    {
        return Err(Refusal("its target may mean something else after the value is computed"));
    }
    let assigns = target
        .parent()
        .is_some_and(|it| it.subtree().any(|it| matches!(it.kind(), "named_expression" | "yield" | "await")));
    if assigns { Err(Refusal("its value assigns, yields or awaits")) } else { Ok(()) }
}
