//! Expressions that give a value when the program runs, and where they may be moved.

use familiar_syntax::tree::Node;

use super::code;
use super::effects;
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
    if expression
        .ancestors()
        .find(|it| matches!(it.kind(), "function_definition" | "class_definition"))
        .map(Node::kind)
        == Some("class_definition")
    {
        return Err(Refusal("functions inside a class do not see its names"));
    }
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
                    let has_value = it.is_parameter
                        || !it.is_local()
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
