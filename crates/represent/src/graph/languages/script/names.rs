//! What JavaScript does to names.

use familiar_syntax::tree::Node;

use super::super::super::form::{Call, Role, Step};
use super::super::super::model::Style;
use super::super::shared::{BARE, all, bare, field, named};

#[expect(clippy::too_many_lines, reason = "an arm for each kind of node")]
pub(super) fn read<'t>(node: Node<'t>, role: Role, steps: &mut Vec<Step<'t>>) {
    match node.kind() {
        "identifier" | "shorthand_property_identifier" | "shorthand_property_identifier_pattern" => {
            steps.push(Step::Name(node, role));
        }
        "member_expression" => {
            steps.push(Step::Raises);
            match (node.child("object"), node.child("property")) {
                (Some(object), Some(name)) if object.kind() == "this" => {
                    steps.push(Step::Field(name, role));
                }
                (Some(object), _) => steps.push(Step::Visit(object, role.of_base())),
                _ => {}
            }
        }
        "subscript_expression" => {
            steps.push(Step::Raises);
            field(node, "object", role.of_base(), steps);
            field(node, "index", Role::Value, steps);
        }
        "call_expression" => call(node, steps),
        "new_expression" => {
            let made = node.child("constructor").filter(|it| it.kind() == "identifier");
            let arguments = arguments(node);
            let spread = arguments.iter().any(|it| it.kind() == "spread_element");
            let keywords = Vec::new();
            let style = Style::New;
            steps.push(Step::Call(Call {
                node,
                name: made,
                style,
                receiver: None,
                arguments,
                keywords,
                spread,
            }));
            field(node, "constructor", Role::Value, steps);
            field(node, "arguments", Role::Value, steps);
        }
        "assignment_expression" => {
            field(node, "right", Role::Value, steps);
            field(node, "left", Role::Target, steps);
        }
        "augmented_assignment_expression" => {
            field(node, "right", Role::Value, steps);
            field(node, "left", Role::Update, steps);
        }
        "update_expression" => field(node, "argument", Role::Update, steps),
        "variable_declarator" => {
            let is_var = node.parent().is_some_and(|it| it.kind() == "variable_declaration");
            field(node, "value", Role::Value, steps);
            // `var x;` leaves the variable as it is.
            if !is_var || node.child("value").is_some() {
                field(node, "name", if is_var { Role::Target } else { Role::Declare }, steps);
            }
        }
        "assignment_pattern" | "object_assignment_pattern" => {
            field(node, "right", Role::Value, steps);
            field(node, "left", role, steps);
        }
        "array_pattern" | "object_pattern" => {
            if role != Role::Value {
                steps.push(Step::Raises);
            }
            all(node, role, steps);
        }
        "rest_pattern" | "parenthesized_expression" | "non_null_expression" => all(node, role, steps),
        "pair_pattern" => {
            steps.extend(node.child("key").filter(|it| it.kind() == "computed_property_name").map(value));
            field(node, "value", role, steps);
        }
        "required_parameter" | "optional_parameter" => {
            field(node, "value", Role::Value, steps);
            field(node, "pattern", role, steps);
        }
        "as_expression" | "satisfies_expression" | "type_assertion" => {
            let inner = named(node).find(|it| it.kind() != "type_arguments");
            steps.extend(inner.map(|it| Step::Visit(it, role)));
        }
        "class" => {
            steps.extend(node.child_of_kind("class_heritage").map(value));
            steps.push(Step::Class(node));
        }
        "pair" => {
            steps.extend(node.child("key").filter(|it| it.kind() == "computed_property_name").map(value));
            field(node, "value", Role::Value, steps);
        }
        "field_definition" | "public_field_definition" => {
            field(node, "value", Role::Value, steps);
            let name = node.child("property").or_else(|| node.child("name"));
            steps.extend(name.map(|it| Step::Field(it, Role::Target)));
        }
        "enum_declaration" => field(node, "name", Role::Declare, steps),
        "yield_expression" => {
            all(node, Role::Value, steps);
            steps.push(Step::Yields);
        }
        "await_expression" | "throw_statement" => {
            steps.extend([Step::Raises, Step::Acts]);
            all(node, Role::Value, steps);
        }
        "unary_expression" => {
            if node.child("operator").is_some_and(|it| it.kind() == "delete") {
                steps.push(Step::Acts);
            }
            all(node, Role::Value, steps);
        }
        "binary_expression" => {
            if node.child("operator").is_some_and(|it| matches!(it.kind(), "in" | "instanceof")) {
                steps.push(Step::Raises);
            }
            all(node, Role::Value, steps);
        }
        "import_statement" => {
            let names = node.descendants().filter(|it| it.kind() == "identifier");
            steps.extend(names.map(|it| Step::Name(it, Role::Target)));
        }
        "type_annotation" | "type_arguments" | "type_parameters" | "class_declaration"
        | "break_statement" | "continue_statement" | "decorator" => {}
        _ if is_function(node) => steps.push(Step::Function(node)),
        _ => all(node, Role::Value, steps),
    }
}

fn value(node: Node<'_>) -> Step<'_> {
    Step::Visit(node, Role::Value)
}

fn arguments(node: Node<'_>) -> Vec<Node<'_>> {
    match node.child("arguments") {
        Some(list) if list.kind() == "arguments" => named(list).collect(),
        other => other.into_iter().collect(),
    }
}

fn call<'t>(node: Node<'t>, steps: &mut Vec<Step<'t>>) {
    let function = node.child("function").map(|it| bare(it, BARE));
    let (style, name, receiver) = match function {
        Some(it) if it.kind() == "identifier" => (Style::Function, Some(it), None),
        Some(it) if it.kind() == "member_expression" => {
            (Style::Method, it.child("property"), it.child("object"))
        }
        other => (Style::Function, None, other),
    };
    let arguments = arguments(node);
    let spread = arguments.iter().any(|it| it.kind() == "spread_element");
    let list = arguments.clone();
    steps.push(Step::Call(Call { node, name, style, receiver, arguments, keywords: Vec::new(), spread }));
    match receiver {
        Some(object) if style == Style::Method && object.kind() == "identifier" => {
            steps.push(Step::Visit(object, Role::Receiver));
        }
        Some(other) => steps.push(value(other)),
        None => steps.extend(name.map(value)),
    }
    steps.extend(list.into_iter().map(value));
}

/// Whether a node is code of its own that runs at another time.
pub(super) fn is_function(node: Node<'_>) -> bool {
    node.is_named()
        && matches!(
            node.kind(),
            "arrow_function"
                | "function_expression"
                | "generator_function"
                | "method_definition"
                | "function_declaration"
                | "generator_function_declaration"
        )
}
