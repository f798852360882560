//! `expression-split`: computes the parts of an expression before, into variables of their own.
//!
//! # What it does
//!
//! The operands of an operator or a comparison, the arguments of a builtin, or the condition of a choice, get a line and a name each.
//!
//! # Why behavior is kept
//!
//! The parts are computed in the same order, and nothing was computed before them. What is left in its place is a written value or a
//! variable that no other code can change.
//!
//! # Example
//!
//! `return f(a) + g(b)` becomes `left = f(a)`, `right = g(b)`, `return left + right`.
//!
//! # Where it does not apply
//!
//! Values that yield, await or assign; operators whose operands are all names or literals; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::{is_private, is_still};
use crate::Piece;
use crate::program::Program;
use crate::python::effects::is_bound_before;
use crate::python::{code, values};
use crate::template::newline;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "expression-split",
    summary: "computes the parts of an expression before, into variables of their own",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = program
        .root()
        .subtree()
        .filter(|it| matches!(it.kind(), "expression_statement" | "return_statement"));
    statements.filter(|it| value(*it).is_some_and(|it| !parts(program, it).is_empty())).collect()
}

/// What a statement assigns or returns.
fn value(statement: Node<'_>) -> Option<Node<'_>> {
    let value = statement.named().next()?;
    match (statement.kind(), value.kind()) {
        ("return_statement", _) => Some(code::bare(value)),
        (_, "assignment" | "augmented_assignment") => {
            value.child("right").filter(|it| it.kind() != "assignment").map(code::bare)
        }
        _ => None,
    }
}

/// The parts of a value that are computed first and in their order.
fn parts<'p>(program: &Program, value: Node<'p>) -> Vec<Node<'p>> {
    let parts: Vec<_> = match value.kind() {
        "binary_operator" => [value.child("left"), value.child("right")].into_iter().flatten().collect(),
        "comparison_operator" => super::sides(value).map_or(Vec::new(), |it| vec![it.0, it.2]),
        // Of `a and b and c`, only `a` is asked for sure.
        "boolean_operator" => value.child("left").map(first_asked).into_iter().collect(),
        "not_operator" | "unary_operator" => value.child("argument").into_iter().collect(),
        "conditional_expression" => {
            value.named().filter(|it| it.kind() != "comment").nth(1).into_iter().collect()
        }
        "call" => arguments(program, value),
        _ => Vec::new(),
    };
    if parts.iter().all(|it| is_still(program, *it)) { Vec::new() } else { parts }
}

/// What `and` and `or` ask first.
fn first_asked(operand: Node<'_>) -> Node<'_> {
    let bare = code::bare(operand);
    match bare.child("left").filter(|_| bare.kind() == "boolean_operator") {
        Some(left) => first_asked(left),
        None => operand,
    }
}

/// The arguments of a builtin.
fn arguments<'p>(program: &Program, call: Node<'p>) -> Vec<Node<'p>> {
    let (Some(function), Some(list)) = (call.child("function"), call.child("arguments")) else {
        return Vec::new();
    };
    let arguments: Vec<_> = list.named().filter(|it| it.kind() != "comment").collect();
    let plain = |it: &Node<'_>| !it.kind().ends_with("splat") && it.kind() != "keyword_argument";
    let is_builtin = program.scopes().is_builtin(program, function, program.of(function))
        && program.of(function) != "super";
    if is_builtin && list.kind() == "argument_list" && arguments.iter().all(plain) {
        arguments
    } else {
        Vec::new()
    }
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let value = value(site).ok_or(Refusal("it has no value"))?;
    code::may_add_names(site)?;
    let indent = code::indent(program, site)?;
    if value.subtree().any(|it| matches!(it.kind(), "named_expression" | "yield" | "await") && it.is_named())
    {
        return Err(Refusal("it yields, awaits or assigns"));
    }
    if let Some(change) = site.named().next().filter(|it| it.kind() == "augmented_assignment") {
        let target = change.child("left").filter(|it| it.kind() == "identifier");
        let known = target
            .and_then(|it| program.scopes().variable(it).filter(|_| true).map(|variable| (it, variable)));
        let still = known.is_some_and(|(it, variable)| {
            is_private(variable) && (variable.is_parameter || is_bound_before(it, &variable.bindings))
        });
        if !still {
            return Err(Refusal("its target is read before the value is computed"));
        }
    }
    let (mut pieces, mut last, mut at) = (Vec::new(), Vec::new(), site.start());
    for part in parts(program, value).into_iter().filter(|it| !is_still(program, *it)) {
        let name = choices.name();
        let loose =
            program.of(part).contains('\n') || matches!(part.kind(), "generator_expression" | "lambda");
        let is_condition = value.kind() == "conditional_expression";
        let [open, close] = if is_condition && values::is_asked_twice(program, part) {
            ["(True if (", ") else False)"]
        } else if loose {
            ["(", ")"]
        } else {
            ["", ""]
        };
        pieces.extend([Piece::Text(format!("{name} = {open}")), Piece::Keep(part.range())]);
        pieces.push(Piece::Text(format!("{close}{}{indent}", newline(program))));
        last.extend([Piece::Keep(at..part.start()), Piece::Text(name)]);
        at = part.end();
    }
    last.push(Piece::Keep(at..site.end()));
    pieces.extend(last);
    Ok(vec![Edit { range: site.range(), pieces }])
}
