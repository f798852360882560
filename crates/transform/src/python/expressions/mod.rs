//! Transformations of expressions.

pub(crate) mod augmented;
pub(crate) mod cast;
pub(crate) mod comparison_rewrite;
pub(crate) mod comparison_swap;
pub(crate) mod constant_inlining;
pub(crate) mod constant_naming;
pub(crate) mod expression_fold;
pub(crate) mod expression_split;
pub(crate) mod increment;
pub(crate) mod literal_rewrite;
pub(crate) mod operand_swap;
pub(crate) mod string_building;

use familiar_syntax::tree::Node;

use super::scopes::Variable;
use super::{effects, values};
use crate::program::Program;

/// Whether only the code of one function, at its own time, binds and reads the variable.
pub(super) fn is_private(variable: &Variable) -> bool {
    variable.is_local() && !variable.is_captured && !variable.is_deleted
}

/// Whether an expression is a written value, or a variable that has a value and that nothing but the code around it can change.
pub(super) fn is_still(program: &Program, node: Node<'_>) -> bool {
    match node.kind() {
        "integer" | "float" | "true" | "false" | "none" => true,
        "string" => !node.subtree().any(|it| it.kind() == "interpolation"),
        "identifier" => program.scopes().variable(node).is_some_and(|it| {
            is_private(it) && (it.is_parameter || effects::is_bound_before(node, &it.bindings))
        }),
        _ => false,
    }
}

/// Both sides and the sign of a comparison of two values.
pub(super) fn sides(comparison: Node<'_>) -> Option<(Node<'_>, &str, Node<'_>)> {
    let operators: Vec<_> = comparison.children().filter(|it| it.field() == Some("operators")).collect();
    let operands: Vec<_> = operands(comparison);
    match (&operators[..], &operands[..]) {
        ([operator], [left, right]) => Some((*left, operator.kind(), *right)),
        _ => None,
    }
}

/// The values that a comparison compares.
pub(super) fn operands(comparison: Node<'_>) -> Vec<Node<'_>> {
    comparison.named().filter(|it| it.field() != Some("operators") && it.kind() != "comment").collect()
}

/// Whether any expression may stand where this one stands, and it is no part of a format.
pub(super) fn is_plain_value(node: Node<'_>) -> bool {
    let is_text = node.parent().is_some_and(|it| it.kind() == "expression_statement");
    values::is_value(node) && !is_text
}
