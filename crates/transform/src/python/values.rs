//! Expressions that give a value when the program runs, and where they may be moved.

use familiar_syntax::tree::Node;

use super::code;
use super::effects;
use super::scopes::ScopeKind;
use super::types::{self, Type};
use crate::program::Program;
use crate::refusal::Refusal;

/// Whether any expression may stand in the place of this one: it is no target, no annotation, no pattern, no part of an f-string.
pub(crate) fn is_value(node: Node<'_>) -> bool {
    let mut child = node;
    for parent in node.ancestors() {
        match parent.kind() {
            "type"
            | "interpolation"
            | "case_pattern"
            | "decorator"
            | "delete_statement"
            | "concatenated_string"
            | "type_alias_statement"
            | "import_statement"
            | "import_from_statement" => return false,
            "named_expression" if child.field() == Some("name") => return false,
            "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause"
                if child.field() == Some("left") && child == node =>
            {
                return false;
            }
            _ if code::is_statement(parent) => return true,
            _ => {}
        }
        child = parent;
    }
    true
}

/// Whether a `lambda` may hold the expression and be called at once: in it, names mean the same, and `bound` have a value.
pub(crate) fn may_be_called(program: &Program, expression: Node<'_>, bound: &[&str]) -> Result<(), Refusal> {
    if program.scopes().is_reflective() {
        return Err(Refusal("the program sees names as text"));
    }
    if expression
        .ancestors()
        .find(|it| matches!(it.kind(), "function_definition" | "class_definition"))
        .map(Node::kind)
        == Some("class_definition")
    {
        return Err(Refusal("functions inside a class do not see its names"));
    }
    let is_function = |it: &Node<'_>| it.is_named() && matches!(it.kind(), "function_definition" | "lambda");
    let own = expression.ancestors().find(is_function).map(Node::number);
    for node in expression.subtree() {
        match node.kind() {
            "yield" | "await" | "named_expression" if node.is_named() => {
                return Err(Refusal("it yields, awaits or assigns"));
            }
            // A `lambda` may hold no asynchronous comprehension.
            "async" => return Err(Refusal("it has an asynchronous comprehension")),
            "identifier" if node.field() != Some("attribute") => {
                if matches!(program.of(node), "super" | "__class__") {
                    return Err(Refusal("`super` depends on where it stands"));
                }
                let variable = program.scopes().variable(node);
                let known = variable.is_none_or(|it| {
                    // What belongs to a function further out is a variable of another function already.
                    let is_own = own == Some(it.scope) || it.kind == ScopeKind::Comprehension;
                    let has_value = it.is_parameter
                        || !is_own
                        || expression.holds(program.node(it.scope))
                        || bound.contains(&it.name.as_str())
                        || effects::is_bound_before(node, &it.bindings);
                    has_value && !it.is_deleted
                });
                if !known {
                    return Err(Refusal("a variable of it may have no value yet"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Code that gives the truth of a condition as `True` or `False`, and asks each part of it as often as `if` does.
pub(crate) fn truth(program: &Program, condition: Node<'_>) -> String {
    if is_asked_twice(program, condition) {
        format!("(True if {} else False)", decided(condition))
    } else {
        format!("bool({})", item(condition))
    }
}

/// `$0` in the form that may stand between `if` and `else`.
pub(crate) fn decided(condition: Node<'_>) -> &'static str {
    match condition.kind() {
        "boolean_operator" | "comparison_operator" | "not_operator" => "$0",
        _ => code::operand(condition),
    }
}

/// Whether the truth of a part is asked for the value of the condition, and then once more for its truth. `if` asks once.
pub(crate) fn is_asked_twice(program: &Program, condition: Node<'_>) -> bool {
    let unknown = |it: Node<'_>| types::of(program, it) == Type::Unknown;
    let twice = |it: Node<'_>| is_asked_twice(program, it);
    match condition.kind() {
        "parenthesized_expression" => code::bare(condition) != condition && twice(code::bare(condition)),
        "boolean_operator" => {
            condition.child("left").is_some_and(unknown) || condition.child("right").is_some_and(twice)
        }
        "comparison_operator" => {
            condition.children().filter(|it| it.field() == Some("operators")).count() > 1
        }
        "not_operator" => condition.child("argument").is_some_and(twice),
        "conditional_expression" => condition.named().any(twice),
        _ => false,
    }
}

/// `$0` as an argument or an item: what would read as several gets parentheses.
pub(crate) fn item(node: Node<'_>) -> &'static str {
    match node.kind() {
        "expression_list" | "yield" | "named_expression" | "generator_expression" | "pattern_list" => "($0)",
        _ => "$0",
    }
}

/// `template` with its `$0` as the number `at`.
pub(crate) fn at(template: &str, at: usize) -> String {
    template.replace("$0", &if at < 10 { format!("${at}") } else { format!("${{{at}}}") })
}
