//! Which names a scope of JavaScript binds.

use familiar_syntax::tree::Node;

use super::super::super::form::Hoist;
use super::super::shared::named;
use super::names::is_function;

/// The names that a block knows from its beginning.
pub(super) fn lexical<'t>(block: Node<'t>, found: &mut dyn FnMut(Node<'t>, Hoist)) {
    for statement in named(block) {
        let statement = match statement.kind() {
            "export_statement" => statement.child("declaration").unwrap_or(statement),
            _ => statement,
        };
        match statement.kind() {
            "lexical_declaration" => {
                for declarator in named(statement) {
                    if let Some(it) = declarator.child("name") {
                        targets(it, Hoist::Variable, found);
                    }
                }
            }
            "class_declaration" | "function_declaration" | "generator_function_declaration" => {
                if let Some(it) = statement.child("name") {
                    found(it, Hoist::Fixed);
                }
            }
            "import_statement" => targets(statement, Hoist::Fixed, found),
            _ => {}
        }
    }
}

/// The names of `var` in a function, without those of functions inside.
pub(super) fn variables<'t>(body: Node<'t>, found: &mut dyn FnMut(Node<'t>, Hoist)) {
    let mut skip_until = 0;
    for node in body.descendants().filter(|it| it.is_named()) {
        if node.number() < skip_until {
            continue;
        }
        match node.kind() {
            "variable_declaration" => {
                for declarator in named(node) {
                    if let Some(it) = declarator.child("name") {
                        targets(it, Hoist::Variable, found);
                    }
                }
            }
            "for_in_statement" => {
                let is_var = node.children().any(|it| it.field() == Some("kind") && it.kind() == "var");
                let left = node.child("left").filter(|_| is_var);
                if let Some(it) = left {
                    targets(it, Hoist::Variable, found);
                }
            }
            _ if is_function(node) => {
                skip_until = node.after();
            }
            _ => {}
        }
    }
}

/// The plain names in a pattern.
fn targets<'t>(pattern: Node<'t>, hoist: Hoist, found: &mut dyn FnMut(Node<'t>, Hoist)) {
    for node in pattern.subtree() {
        if matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
            found(node, hoist);
        }
    }
}
