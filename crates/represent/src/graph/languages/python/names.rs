//! What Python does to names.

use familiar_syntax::tree::Node;

use super::super::super::form::{Call, Role, Step};
use super::super::super::model::Style;
use super::super::shared::{all, field, in_field, named};
use super::bindings::imported;

pub(super) fn read<'t>(node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>) {
    match node.kind() {
        "identifier" => steps.push(Step::Name(node, role)),
        "attribute" => {
            steps.push(Step::Raises);
            field(node, "object", role.of_base(), steps);
        }
        "subscript" => {
            steps.push(Step::Raises);
            field(node, "value", role.of_base(), steps);
            let inside = if role == Role::Again { role } else { Role::Value };
            steps.extend(in_field(node, "subscript").into_iter().map(|it| Step::Visit(it, inside)));
        }
        "call" => call(node, role, steps),
        "assignment" => {
            field(node, "right", Role::Value, steps);
            field(node, "left", Role::Target, steps);
        }
        "augmented_assignment" => {
            steps.push(Step::Raises);
            field(node, "right", Role::Value, steps);
            field(node, "left", Role::Update, steps);
        }
        "named_expression" => {
            field(node, "value", Role::Value, steps);
            field(node, "name", Role::Target, steps);
        }
        "pattern_list" | "tuple_pattern" | "list_pattern" | "tuple" | "list" => {
            if matches!(role, Role::Target | Role::Declare) {
                steps.push(Step::Raises);
            }
            all(node, role, steps);
        }
        "list_splat_pattern"
        | "dictionary_splat_pattern"
        | "parenthesized_expression"
        | "expression_list"
        | "as_pattern_target"
        | "case_pattern"
        | "union_pattern"
        | "splat_pattern"
        | "as_pattern"
        | "class_pattern" => pattern(node, role, steps),
        "lambda" => {
            let parameters = node.child("parameters");
            let defaults = parameters.into_iter().flat_map(named).filter_map(|it| it.child("value"));
            steps.extend(defaults.map(|it| Step::Visit(it, Role::Value)));
            steps.push(Step::Function(node));
        }
        "function_definition" => steps.push(Step::Function(node)),
        "keyword_argument" => field(node, "value", role, steps),
        "default_parameter" | "typed_default_parameter" => field(node, "name", role, steps),
        "typed_parameter" => {
            steps.extend(named(node).next().map(|it| Step::Visit(it, role)));
        }
        "keyword_pattern" => steps.extend(named(node).skip(1).map(|it| Step::Visit(it, role))),
        "dict_pattern" => {
            for child in named(node) {
                let role = if child.field() == Some("key") { Role::Value } else { role };
                steps.push(Step::Visit(child, role));
            }
        }
        "dotted_name" => {
            let mut parts = named(node);
            let (first, more) = (parts.next(), parts.next().is_some());
            let role = if more && role != Role::Again { Role::Value } else { role };
            let first = first.filter(|it| text.get(it.range()) != Some("_") || more);
            steps.extend(first.map(|it| Step::Name(it, role)));
        }
        "await" => {
            steps.extend([Step::Raises, Step::Acts]);
            all(node, Role::Value, steps);
        }
        "yield" => {
            all(node, Role::Value, steps);
            steps.push(Step::Yields);
        }
        "comparison_operator" => {
            if !node.children().any(|it| it.kind().starts_with("is")) {
                steps.push(Step::Raises);
            }
            all(node, if role == Role::Again { role } else { Role::Value }, steps);
        }
        "binary_operator" | "unary_operator" | "raise_statement" | "assert_statement" => {
            steps.push(Step::Raises);
            all(node, if role == Role::Again { role } else { Role::Value }, steps);
        }
        "delete_statement" => {
            steps.push(Step::Raises);
            all(node, Role::Update, steps);
        }
        "import_statement" | "import_from_statement" => {
            steps.push(Step::Raises);
            steps.extend(imported(node).map(|it| Step::Name(it, Role::Target)));
        }
        "pass_statement" => steps.push(Step::Acts),
        "future_import_statement" | "class_definition" | "type" | "comment" | "type_alias_statement" => {}
        _ => all(node, if role == Role::Again { role } else { Role::Value }, steps),
    }
}

fn call<'t>(node: Node<'t>, role: Role, steps: &mut Vec<Step<'t>>) {
    let function = node.child("function");
    if role == Role::Again {
        all(node, role, steps);
        return;
    }
    let list = node.child("arguments");
    let arguments: Vec<_> = match list {
        Some(list) if list.kind() == "argument_list" => named(list).collect(),
        other => other.into_iter().collect(),
    };
    let keyword = |it: &Node<'t>| (it.kind() == "keyword_argument").then(|| it.child("name")).flatten();
    let (style, name, receiver) = match function {
        Some(name) if name.kind() == "identifier" => (Style::Function, Some(name), None),
        Some(it) if it.kind() == "attribute" => (Style::Method, it.child("attribute"), it.child("object")),
        other => (Style::Function, None, other),
    };
    let keywords = arguments.iter().enumerate().filter_map(|(at, it)| Some((at, keyword(it)?))).collect();
    let spread = arguments.iter().any(|it| it.kind().ends_with("splat"));
    steps.push(Step::Call(Call {
        node,
        name,
        style,
        receiver,
        arguments: arguments.clone(),
        keywords,
        spread,
    }));
    match receiver {
        Some(object) if style == Style::Method && object.kind() == "identifier" => {
            steps.push(Step::Visit(object, Role::Receiver));
        }
        Some(other) => steps.push(Step::Visit(other, Role::Value)),
        None => steps.extend(name.map(|it| Step::Visit(it, Role::Value))),
    }
    steps.extend(arguments.into_iter().map(|it| Step::Visit(it, Role::Value)));
}

/// The parts of a pattern, or of an expression that only groups.
fn pattern<'t>(node: Node<'t>, role: Role, steps: &mut Vec<Step<'t>>) {
    match node.kind() {
        "as_pattern" => {
            // A name in a pattern of `match`; a value in a `with`.
            let is_pattern = node.parent().is_some_and(|it| it.kind().ends_with("pattern"));
            for child in named(node) {
                let alias = child.field() == Some("alias") || is_pattern && child.kind() == "identifier";
                let inner = if is_pattern { role } else { Role::Value };
                steps.push(Step::Visit(child, if alias { Role::Target } else { inner }));
            }
        }
        "class_pattern" => {
            for (at, child) in named(node).enumerate() {
                steps.push(Step::Visit(child, if at == 0 { Role::Value } else { role }));
            }
        }
        _ => all(node, role, steps),
    }
}
