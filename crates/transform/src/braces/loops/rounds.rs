//! What a round of a loop begins and ends with: variables of its own, and what runs when they end.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, Loop};
use crate::Refusal;
use crate::program::Program;

/// Refuses where an inner function, or in Go a pointer, knows a variable of the head: JavaScript and newer Go make a new one for each round.
pub(super) fn check(program: &Program, parts: &Loop<'_>) -> Result<(), Refusal> {
    let names = program.names();
    let is_new = |number: &usize| {
        let place = program.node(names.variables()[*number].places[0]);
        parts.initializers.iter().any(|it| it.holds(place))
    };
    let mut declared = parts.initializers.iter().flat_map(|it| names.mentioned(*it)).filter(is_new);
    let is_shared = declared.any(|it| {
        let variable = &names.variables()[it];
        variable.is_captured || variable.is_addressed && program.language() == Language::Go
    });
    if is_shared && matches!(program.language(), Language::JavaScript | Language::TypeScript | Language::Go) {
        return Err(Refusal("something else may see the variable of a round"));
    }
    Ok(())
}

/// The declarations in the body of a loop of C++ whose variables may run code of the program when they end.
pub(super) fn ends<'p>(program: &Program, parts: &Loop<'p>) -> Vec<Node<'p>> {
    if program.language() != Language::Cpp {
        return Vec::new();
    }
    let declarations = grammar::own(parts.body).filter(|it| it.kind() == "declaration");
    let found: Vec<_> = declarations.filter(|it| !is_plain(*it)).collect();
    let may_see =
        !found.is_empty() && (has_own_ends(program, parts) || parts.updates.iter().any(|it| calls(*it)));
    if may_see { found } else { Vec::new() }
}

/// Whether a counting may run code that sees what ends, such as a lock or a file.
fn calls(update: Node<'_>) -> bool {
    update.subtree().any(|it| match it.kind() {
        "call_expression" | "co_await_expression" => true,
        "binary_expression" => grammar::binary(it).is_some_and(|it| matches!(it.1, ">>" | "<<")),
        _ => false,
    })
}

/// Whether the program says what runs when an object ends, or a variable of the body is known to other code.
fn has_own_ends(program: &Program, parts: &Loop<'_>) -> bool {
    let is_own = |it: Node<'_>| match it.kind() {
        "destructor_name" => true,
        "preproc_include" => it.child("path").is_some_and(|it| it.kind() == "string_literal"),
        _ => false,
    };
    let names = program.names();
    let mut used = names.mentioned(parts.body).into_iter().map(|it| &names.variables()[it]);
    program.root().descendants().any(is_own) || used.any(|it| it.is_captured)
}

/// Whether a declaration makes only numbers, pointers and references.
fn is_plain(declaration: Node<'_>) -> bool {
    let is_number = declaration
        .child("type")
        .is_some_and(|it| matches!(it.kind(), "primitive_type" | "sized_type_specifier"));
    let mut names = declaration.children().filter(|it| it.field() == Some("declarator"));
    is_number
        || names.all(|it| {
            let inner = it.child("declarator").filter(|_| it.kind() == "init_declarator").unwrap_or(it);
            // A reference keeps what a call gives until it ends itself.
            let is_call = it.child("value").is_some_and(|it| it.kind() == "call_expression");
            match inner.kind() {
                "pointer_declarator" => true,
                "reference_declarator" => !is_call,
                _ => false,
            }
        })
}

/// Whether a `continue` ends the variables of a declaration.
pub(super) fn ends_at(declaration: Node<'_>, jump: Node<'_>) -> bool {
    let is_scope = |it: &Node<'_>| {
        grammar::is_block(*it) || it.kind() == "case_statement" || it.kind().ends_with("_statement")
    };
    let scope = declaration.ancestors().find(is_scope);
    declaration.start() < jump.start() && scope.is_some_and(|it| it.holds(jump))
}
