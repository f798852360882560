//! `boolean-exchange`: lets a variable hold the opposite truth value.
//!
//! # What it does
//!
//! A local variable that holds a truth value holds the opposite one. What it gets is negated, and so is each use of
//! it.
//!
//! # Why behavior is kept
//!
//! All values of the variable are known to be truth values, and only its own function reads and writes it.
//!
//! # Example
//!
//! `boolean seen = false; if (seen) …` becomes `boolean seen = true; if (!seen) …`.
//!
//! # Where it does not apply
//!
//! Parameters; variables that an inner function uses, to which a pointer leads, or that are read where they get a
//! value; variables without a first value; in C and C++, variables whose type or size code asks for; in
//! TypeScript, constants that are `true` or `false`.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, LANGUAGES};
use super::super::names::Kind;
use super::super::types::{self, Type};
use super::super::{code, wide};
use crate::program::Program;
use crate::template::expression;
use crate::transformation::Rule;
use crate::{Choices, Edit, Refusal};

pub(crate) static RULE: Rule = Rule {
    name: "boolean-exchange",
    summary: "lets a variable hold the opposite truth value",
    languages: LANGUAGES,
    candidates,
    rewrite,
};

fn candidates(program: &Program) -> Vec<Node<'_>> {
    let local = program.names().variables().iter().filter(|it| it.kind == Kind::Local);
    let is_bool = local.filter(|it| types::of_variable(program, it, 0) == Type::Bool);
    let mut places: Vec<_> = is_bool.map(|it| it.places[0]).collect();
    places.sort_unstable();
    places.into_iter().map(|place| program.node(place)).collect()
}

fn rewrite(program: &Program, site: Node<'_>, _: &mut Choices) -> Result<Vec<Edit>, Refusal> {
    let variable = program.names().variable(site).filter(|it| it.is_private());
    let variable = variable.ok_or(Refusal("other code may see the variable"))?;
    if program.language() == Language::TypeScript && wide::is_one_truth(program, variable) {
        return Err(Refusal("its type may be one truth value"));
    }
    let mut edits = Vec::new();
    for &place in &variable.places {
        let node = program.node(place);
        if node.ancestors().any(asks_type) {
            return Err(Refusal("code asks for its type"));
        }
        let is_written = variable.writes.binary_search(&place).is_ok();
        if !is_written {
            if place == variable.places[0] {
                return Err(Refusal("it has no value at the beginning"));
            }
            if program.language() == Language::Cpp
                && node.parent().is_some_and(|it| it.kind().contains("list"))
            {
                return Err(Refusal("a function may get a reference to it"));
            }
            let is_short = node.kind() != "identifier";
            let text =
                if is_short { format!("{0}: !{0}", variable.name) } else { format!("!{}", variable.name) };
            edits.push(Edit::text(node.range(), if needs_group(node) { format!("({text})") } else { text }));
            continue;
        }
        let value = value(node).ok_or(Refusal("it gets a value in another way"))?;
        // C gives a number for a truth value, and takes it as one.
        let kind = types::of(program, value);
        if kind != Type::Bool && !(program.language() == Language::C && kind.is_integer()) {
            return Err(Refusal("a value of it is not known to be a truth value"));
        }
        let (template, kept) = match program.of(value) {
            "true" => ("false".to_owned(), Vec::new()),
            "false" => ("true".to_owned(), Vec::new()),
            _ => (format!("!{}", code::tight(program, value, 0)), vec![value]),
        };
        edits.push(expression(value.range(), &template, &kept));
    }
    Ok(edits)
}

/// The value that a variable gets at one of its places.
fn value(name: Node<'_>) -> Option<Node<'_>> {
    let mut around = name.ancestors().filter(|it| {
        !matches!(it.kind(), "init_declarator" | "variable_declarator" | "expression_list" | "var_spec")
    });
    let statement = around.next()?;
    if grammar::is_declaration(statement) {
        return grammar::declared(statement)?.into_iter().find(|it| it.name == name)?.value;
    }
    // The value of an assignment may be used.
    let is_alone = statement.kind() == "assignment_statement"
        || statement.parent().is_some_and(|it| it.kind() == "expression_statement");
    let it = grammar::assignment(statement).filter(|it| it.operator == "=" && it.left == name && is_alone)?;
    Some(it.right)
}

/// Whether an expression of C or C++ depends on the type of what it holds: `!x` is an `int` in C.
fn asks_type(around: Node<'_>) -> bool {
    matches!(
        around.kind(),
        "sizeof_expression" | "alignof_expression" | "generic_expression" | "decltype" | "typeof_specifier"
    )
}

/// Whether what stands around would take a part of `!x`.
fn needs_group(name: Node<'_>) -> bool {
    name.parent().is_some_and(|it| {
        matches!(
            it.kind(),
            "member_expression"
                | "field_expression"
                | "selector_expression"
                | "method_invocation"
                | "field_access"
                | "await_expression"
        ) || it.child("operator").is_some_and(|it| it.kind() == "**")
            || it.kind() == "subscript_expression" && matches!(name.field(), Some("object" | "argument"))
    })
}
