//! What Java does to names.

use familiar_syntax::tree::Node;

use super::super::super::form::{Call, Role, Step};
use super::super::super::model::Style;
use super::super::shared::{all, field, in_field, named};

/// Types whose values no method can change.
const PLAIN: &[&str] = &[
    "String",
    "Integer",
    "Long",
    "Double",
    "Float",
    "Boolean",
    "Character",
    "Byte",
    "Short",
    "BigInteger",
    "BigDecimal",
];

#[expect(clippy::too_many_lines, reason = "an arm for each kind of node")]
pub(super) fn read<'t>(node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>) {
    match node.kind() {
        "identifier" => steps.push(Step::Name(node, role)),
        "field_access" => {
            steps.push(Step::Raises);
            match (node.child("object"), node.child("field")) {
                (Some(object), Some(name)) if object.kind() == "this" => {
                    steps.push(Step::Field(name, role));
                }
                (Some(object), _) => steps.push(Step::Visit(object, role.of_base())),
                _ => {}
            }
        }
        "array_access" => {
            steps.push(Step::Raises);
            field(node, "array", role.of_base(), steps);
            field(node, "index", Role::Value, steps);
        }
        "method_invocation" => {
            let receiver = node.child("object");
            let style = if receiver.is_some() { Style::Method } else { Style::Function };
            call(node, node.child("name"), style, receiver, steps);
            match receiver {
                Some(object) if object.kind() == "identifier" => {
                    steps.push(Step::Visit(object, Role::Receiver));
                }
                other => steps.extend(other.map(|it| Step::Visit(it, Role::Value))),
            }
            field(node, "arguments", Role::Value, steps);
        }
        "object_creation_expression" => {
            let made = node.child("type");
            let made =
                made.and_then(|it| if it.kind() == "generic_type" { named(it).next() } else { Some(it) });
            call(node, made, Style::New, None, steps);
            all(node, Role::Value, steps);
        }
        "explicit_constructor_invocation" => {
            call(node, None, Style::New, None, steps);
            field(node, "arguments", Role::Value, steps);
        }
        "assignment_expression" => {
            field(node, "right", Role::Value, steps);
            let plain = node.child("operator").is_none_or(|it| it.kind() == "=");
            if node.child("operator").is_some_and(|it| matches!(it.kind(), "/=" | "%=")) {
                steps.push(Step::Raises);
            }
            field(node, "left", if plain { Role::Target } else { Role::Update }, steps);
        }
        "update_expression" => all(node, Role::Update, steps),
        "local_variable_declaration" | "field_declaration" | "constant_declaration" => {
            let role = if is_plain(node, text) { Role::DeclarePlain } else { Role::Declare };
            let declarators = in_field(node, "declarator");
            steps.extend(declarators.into_iter().map(|it| Step::Visit(it, role)));
        }
        "variable_declarator" => {
            field(node, "value", Role::Value, steps);
            let has_dimensions = node.child("dimensions").is_some();
            let role = if role == Role::DeclarePlain && !has_dimensions { role } else { Role::Declare };
            field(node, "name", role, steps);
        }
        "formal_parameter" => {
            let role = if is_plain(node, text) { Role::DeclarePlain } else { Role::Declare };
            field(node, "name", role, steps);
        }
        "spread_parameter" => {
            steps.extend(node.child_of_kind("variable_declarator").map(|it| Step::Visit(it, Role::Declare)));
        }
        "catch_formal_parameter" => field(node, "name", Role::Declare, steps),
        "resource" => {
            let named_value = node.child("name").is_some();
            if named_value {
                field(node, "value", Role::Value, steps);
                field(node, "name", Role::Declare, steps);
            } else {
                all(node, Role::Value, steps);
            }
        }
        "instanceof_expression" => {
            field(node, "left", Role::Value, steps);
            field(node, "pattern", Role::Declare, steps);
            field(node, "name", Role::Declare, steps);
        }
        "type_pattern" | "record_pattern_body" | "record_pattern_component" => {
            all(node, Role::Declare, steps);
        }
        "record_pattern" => {
            steps.extend(node.child_of_kind("record_pattern_body").map(|it| Step::Visit(it, Role::Declare)));
        }
        "lambda_expression" | "method_declaration" | "constructor_declaration" => {
            steps.push(Step::Function(node));
        }
        "class_body" => steps.push(Step::Class(node)),
        "enum_constant" => {
            field(node, "arguments", Role::Value, steps);
            steps.extend(node.child("body").map(Step::Class));
        }
        "method_reference" => steps.extend(named(node).next().map(|it| Step::Visit(it, Role::Value))),
        "cast_expression" => {
            steps.push(Step::Raises);
            field(node, "value", role.of_base(), steps);
        }
        "binary_expression" => {
            if node.child("operator").is_some_and(|it| matches!(it.kind(), "/" | "%")) {
                steps.push(Step::Raises);
            }
            all(node, Role::Value, steps);
        }
        "parenthesized_expression" => all(node, role, steps),
        "throw_statement" | "assert_statement" => {
            steps.push(Step::Raises);
            all(node, Role::Value, steps);
        }
        "modifiers" | "annotation" | "marker_annotation" | "type_arguments" | "scoped_identifier"
        | "class_declaration" | "import_declaration" => {}
        _ => all(node, Role::Value, steps),
    }
}

fn call<'t>(
    node: Node<'t>,
    name: Option<Node<'t>>,
    style: Style,
    receiver: Option<Node<'t>>,
    steps: &mut Vec<Step<'t>>,
) {
    let arguments = node.child("arguments").into_iter().flat_map(named).collect();
    steps.push(Step::Call(Call {
        node,
        name,
        style,
        receiver,
        arguments,
        keywords: Vec::new(),
        spread: false,
    }));
}

/// Whether the type of a declaration is one whose values no method can change.
pub(super) fn is_plain(node: Node<'_>, text: &str) -> bool {
    node.child("type").is_some_and(|it| match it.kind() {
        "integral_type" | "floating_point_type" | "boolean_type" => true,
        "type_identifier" => text.get(it.range()).is_some_and(|name| PLAIN.contains(&name)),
        _ => false,
    })
}
