//! Which names a scope of Python binds.

use familiar_syntax::tree::Node;

use super::super::super::form::Hoist;
use super::super::shared::{named, only};

/// The names that an import binds.
pub(super) fn imported(node: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    node.named().filter(|it| it.field() == Some("name")).filter_map(|it| match it.kind() {
        "aliased_import" => it.child("alias"),
        _ => named(it).next(),
    })
}

/// The names that the statements of a scope bind, without those of functions, classes and comprehensions inside.
pub(super) fn bindings<'t>(body: Node<'t>, text: &str, found: &mut dyn FnMut(Node<'t>, Hoist)) {
    let mut skip_until = 0;
    for node in body.descendants().filter(|it| it.is_named()) {
        if node.number() < skip_until {
            continue;
        }
        match node.kind() {
            "function_definition" | "class_definition" => {
                if let Some(it) = node.child("name") {
                    found(it, Hoist::Fixed);
                }
                skip_until = node.after();
            }
            "lambda" => skip_until = node.after(),
            "assignment" | "augmented_assignment" | "for_statement" => {
                if let Some(it) = node.child("left") {
                    targets(it, found);
                }
            }
            "named_expression" => {
                if let Some(it) = node.child("name") {
                    found(it, Hoist::Variable);
                }
            }
            "as_pattern" | "except_clause" => {
                if let Some(it) = node.child("alias") {
                    targets(it, found);
                }
            }
            "import_statement" | "import_from_statement" => {
                for it in imported(node) {
                    found(it, Hoist::Fixed);
                }
            }
            "delete_statement" => {
                for it in named(node) {
                    targets(it, found);
                }
            }
            "global_statement" => {
                for it in named(node) {
                    found(it, Hoist::Global);
                }
            }
            "nonlocal_statement" => {
                for it in named(node) {
                    found(it, Hoist::Nonlocal);
                }
            }
            "case_pattern" => {
                for it in named(node).filter(|it| it.kind() == "dotted_name") {
                    if let Some(it) = only(it).filter(|it| text.get(it.range()) != Some("_")) {
                        found(it, Hoist::Variable);
                    }
                }
            }
            "splat_pattern" => {
                for it in named(node) {
                    found(it, Hoist::Variable);
                }
            }
            _ => {}
        }
    }
}

/// The plain names in a pattern to which something is assigned.
fn targets<'t>(pattern: Node<'t>, found: &mut dyn FnMut(Node<'t>, Hoist)) {
    let mut skip_until = 0;
    for node in pattern.subtree().filter(|it| it.is_named()) {
        if node.number() < skip_until {
            continue;
        }
        match node.kind() {
            "identifier" => found(node, Hoist::Variable),
            "attribute" | "subscript" | "call" => {
                skip_until = node.after();
            }
            _ => {}
        }
    }
}
