//! The name of a function or class node.

use familiar_source::Span;
use tree_sitter::Node;

/// Steps down a declarator before the search for a name ends.
const MOST_STEPS: u32 = 32;

/// Words that stand for a name where a function has none.
const KEYWORD_NAMES: [&str; 10] = [
    "init",
    "deinit",
    "constructor",
    "get",
    "set",
    "willSet",
    "didSet",
    "getter_specifier",
    "setter_specifier",
    "modify_specifier",
];

/// The bytes of the name of `node`; empty where it has none. `parent` is the node above it.
pub(super) fn name(node: Node, parent: Option<Node>, class: bool) -> Span {
    own_name(node, class)
        .or_else(|| keyword_name(node))
        .or_else(|| parent.and_then(|parent| given_name(node, parent)))
        .map_or(Span::default(), |found| Span::new(found.start_byte() as u32, found.end_byte() as u32))
}

fn own_name(node: Node, class: bool) -> Option<Node> {
    let mut found = node.child_by_field_name("name").or_else(|| node.child_by_field_name("declarator"));
    if class {
        found = found.or_else(|| node.child_by_field_name("type"));
    }
    let mut at = found?;
    for _ in 0..MOST_STEPS {
        let Some(below) = inner(at, class) else { break };
        at = below;
    }
    Some(at)
}

/// One step towards the identifier: through declarators, qualified and generic names.
fn inner(node: Node, class: bool) -> Option<Node> {
    if node.kind().contains("operator") {
        return None;
    }
    let below = node.child_by_field_name("declarator").or_else(|| node.child_by_field_name("name"));
    let below = if class { below.or_else(|| node.child_by_field_name("type")) } else { below };
    below.or_else(|| {
        let wraps = node.kind().ends_with("_declarator") && node.named_child_count() > 0;
        wraps.then(|| node.named_child(node.named_child_count() as u32 - 1)).flatten()
    })
}

fn keyword_name(node: Node) -> Option<Node> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| KEYWORD_NAMES.contains(&child.kind()))
}

/// The name that a function expression gets from what it is assigned to.
fn given_name<'t>(node: Node<'t>, parent: Node<'t>) -> Option<Node<'t>> {
    let (value, name) = match parent.kind() {
        "variable_declarator" | "public_field_definition" => ("value", "name"),
        "pair" => ("value", "key"),
        "field_definition" => ("value", "property"),
        "property_declaration" => ("computed_value", "name"),
        "assignment_expression" => ("right", "left"),
        _ => return None,
    };
    if parent.child_by_field_name(value)? != node {
        return None;
    }
    let named = parent.child_by_field_name(name)?;
    Some(named.child_by_field_name("property").unwrap_or(named))
}
