//! `function-extract`: moves the computing of a value into a function of its own.
//!
//! # What it does
//!
//! A function that takes the variables of the expression and returns its value stands right before the statement. The statement
//! calls it.
//!
//! # Why behavior is kept
//!
//! The variables have values, and nothing that the expression calls can bind them. So they are the same when they are passed as when they
//! were read.
//!
//! # Example
//!
//! `return a * b` becomes `def part(a, b): return a * b` and `return part(a, b)`.
//!
//! # Where it does not apply
//!
//! Names and literals alone; what yields, awaits or assigns; variables that may have no value or that inner functions bind; functions that may call themselves, since
//! the stack would get deeper; the body of a class.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use crate::program::Program;
use crate::python::calls::may_call_itself;
use crate::python::{code, values};
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "function-extract",
    summary: "moves the computing of a value into a function of its own",
    languages: &[Language::Python],
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let statements = program
        .root()
        .subtree()
        .filter(|it| matches!(it.kind(), "expression_statement" | "return_statement"));
    statements.filter_map(value).collect()
}

/// The value that a statement assigns or returns, where it is computed.
fn value(statement: Node<'_>) -> Option<Node<'_>> {
    let first = statement.named().next()?;
    let value = match (statement.kind(), first.kind()) {
        ("return_statement", _) => first,
        (_, "assignment") => first.child("right")?,
        _ => return None,
    };
    let computed = matches!(
        code::bare(value).kind(),
        "binary_operator"
            | "comparison_operator"
            | "boolean_operator"
            | "not_operator"
            | "unary_operator"
            | "call"
            | "subscript"
            | "conditional_expression"
    ) || value.kind().ends_with("_comprehension");
    computed.then_some(value)
}

fn rewrite(program: &Program, site: Node<'_>, choices: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let statement =
        site.ancestors().find(|it| code::is_statement(*it)).ok_or(Refusal("it is in no statement"))?;
    code::may_add_names(statement)?;
    values::may_be_called(program, site, &[])?;
    let around = statement.ancestors().find(|it| it.kind() == "function_definition");
    if around.is_some_and(|it| may_call_itself(program, it)) || program.scopes().is_reflective() {
        return Err(Refusal("the function may call itself, or the program sees names as text"));
    }
    let mut names = Vec::new();
    for name in site.subtree().filter(|it| it.kind() == "identifier") {
        let Some(variable) = program.scopes().variable(name) else { continue };
        let is_own = site.holds(program.node(variable.scope));
        if !variable.is_local() || is_own || around.is_none_or(|it| it.number() != variable.scope) {
            // The names of functions, modules and further out are read where they are needed.
            continue;
        }
        if variable.is_captured && variable.bindings.len() > 1 {
            return Err(Refusal("an inner function may see or bind a variable of it"));
        }
        if !names.contains(&variable.name.as_str()) {
            names.push(variable.name.as_str());
        }
    }
    if site.subtree().any(|it| it.kind() == "lambda" && it.is_named()) {
        return Err(Refusal("a function inside it would keep other variables"));
    }
    let part = choices.name();
    let mut lines = code::lines(program, statement)?;
    let names = names.join(", ");
    let loose = if program.of(site).contains('\n') && site.kind() != "parenthesized_expression" {
        "($0)"
    } else {
        "$0"
    };
    lines.line(0, &format!("def {part}({names}):"), &[]).line(1, &format!("return {loose}"), &[site]);
    let mut edit = lines.edit(statement.range());
    let indent = code::indent(program, statement)?;
    edit.pieces.push(crate::Piece::Text(format!("{}{indent}", crate::template::newline(program))));
    edit.pieces.push(crate::Piece::Keep(statement.start()..site.start()));
    edit.pieces.push(crate::Piece::Text(format!("{part}({names})")));
    edit.pieces.push(crate::Piece::Keep(site.end()..statement.end()));
    Ok(vec![edit])
}
