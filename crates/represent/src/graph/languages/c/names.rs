//! What C and C++ do to names.

use familiar_syntax::tree::Node;

use super::super::super::form::{Call, Role, Step};
use super::super::super::model::Style;
use super::super::shared::{all, field, in_field, named, spine};
use super::C;

impl C {
    #[expect(clippy::too_many_lines, reason = "an arm for each kind of node")]
    pub(super) fn read<'t>(&self, node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>) {
        match node.kind() {
            "identifier" => steps.push(Step::Name(node, role)),
            // `vector<int> v(n);` reads like the declaration of a function of a type `n`.
            "type_identifier" if role == Role::Value && self.plus => {
                if node.parent().is_some_and(|it| it.kind() == "parameter_declaration") {
                    steps.push(Step::Name(node, role));
                }
            }
            "field_expression" => match (node.child("argument"), node.child("field")) {
                (Some(object), Some(name)) if object.kind() == "this" => steps.push(Step::Field(name, role)),
                (Some(object), _) => steps.push(Step::Visit(object, role.of_base())),
                _ => {}
            },
            "subscript_expression" => {
                field(node, "argument", role.of_base(), steps);
                field(node, "index", Role::Value, steps);
                field(node, "indices", Role::Value, steps);
            }
            "pointer_expression" => {
                let gives_address = node.child("operator").is_some_and(|it| it.kind() == "&");
                let role = if gives_address && role == Role::Value { Role::Change } else { role.of_base() };
                field(node, "argument", role, steps);
            }
            "call_expression" => call(node, steps),
            "new_expression" => {
                let arguments = node.child("arguments").into_iter().flat_map(named).collect();
                let name = node.child("type");
                steps.push(step_call(node, name, Style::New, None, arguments));
                field(node, "arguments", Role::Value, steps);
                field(node, "declarator", Role::Value, steps);
            }
            "delete_expression" => all(node, Role::Change, steps),
            "assignment_expression" => {
                field(node, "right", Role::Value, steps);
                let plain = node.child("operator").is_none_or(|it| it.kind() == "=");
                field(node, "left", if plain { Role::Target } else { Role::Update }, steps);
            }
            "update_expression" => field(node, "argument", Role::Update, steps),
            "binary_expression" if self.plus && is_stream(node, text) => {
                steps.push(step_call(node, None, Style::Function, None, Vec::new()));
                let reads = node.child("operator").is_some_and(|it| it.kind() == ">>");
                let items = spine(node, if reads { ">>" } else { "<<" }, |it| it);
                for (at, item) in items.into_iter().enumerate() {
                    let role = match (at, reads) {
                        (0, _) => Role::Change,
                        (_, true) => Role::Target,
                        (_, false) => Role::Value,
                    };
                    steps.push(Step::Visit(item, role));
                }
            }
            "declaration" => {
                // C gives copies to functions, whatever the type is.
                let role = if self.plus { Role::Declare } else { Role::DeclarePlain };
                field(node, "value", Role::Value, steps);
                steps.extend(in_field(node, "declarator").into_iter().map(|it| Step::Visit(it, role)));
            }
            "init_declarator" => {
                field(node, "value", Role::Value, steps);
                field(node, "declarator", role, steps);
            }
            "array_declarator" => {
                field(node, "size", Role::Value, steps);
                field(node, "declarator", Role::Declare, steps);
            }
            "pointer_declarator"
            | "reference_declarator"
            | "attributed_declarator"
            | "structured_binding_declarator"
            | "variadic_declarator" => all(node, Role::Declare, steps),
            "parenthesized_declarator" => all(node, role, steps),
            "function_declarator" => {
                field(node, "parameters", Role::Value, steps);
                field(node, "declarator", Role::Declare, steps);
            }
            "parameter_declaration" | "optional_parameter_declaration" => {
                if role == Role::Value {
                    field(node, "type", Role::Value, steps);
                } else {
                    field(node, "default_value", Role::Value, steps);
                    let is_pointer =
                        node.child("declarator").is_some_and(|it| it.kind() == "function_declarator");
                    let inner =
                        node.child("declarator").filter(|_| is_pointer).and_then(|it| it.child("declarator"));
                    match inner {
                        Some(inner) => steps.push(Step::Visit(inner, Role::Declare)),
                        None => field(node, "declarator", role, steps),
                    }
                }
            }
            "variadic_parameter_declaration" => field(node, "declarator", Role::Declare, steps),
            "field_declaration" => {
                field(node, "default_value", Role::Value, steps);
                field(node, "declarator", Role::Declare, steps);
            }
            "field_identifier" if role != Role::Value => steps.push(Step::Field(node, role)),
            "field_initializer" => {
                for (at, part) in named(node).enumerate() {
                    match (at, part.kind()) {
                        (0, "field_identifier") => {}
                        _ => steps.push(Step::Visit(part, Role::Value)),
                    }
                }
                let name = node.child_of_kind("field_identifier");
                steps.extend(name.map(|it| Step::Field(it, Role::Target)));
            }
            "lambda_expression" => {
                let captures = node.child("captures").into_iter().flat_map(named);
                let values = captures.filter_map(|it| it.child("right"));
                steps.extend(values.map(|it| Step::Visit(it, Role::Value)));
                steps.push(Step::Function(node));
            }
            "function_definition" => steps.push(Step::Function(node)),
            "cast_expression" | "compound_literal_expression" => field(node, "value", role.of_base(), steps),
            "initializer_pair" => field(node, "value", Role::Value, steps),
            "parenthesized_expression" | "comma_expression" | "extension_expression" => {
                all(node, role, steps);
            }
            "gnu_asm_output_operand" => field(node, "value", Role::Update, steps),
            "gnu_asm_expression" => {
                steps.push(Step::Acts);
                all(node, Role::Value, steps);
            }
            "throw_statement" | "co_await_expression" => {
                steps.extend([Step::Raises, Step::Acts]);
                all(node, Role::Value, steps);
            }
            "co_yield_statement" => {
                all(node, Role::Value, steps);
                steps.push(Step::Yields);
            }
            "sizeof_expression"
            | "alignof_expression"
            | "offsetof_expression"
            | "qualified_identifier"
            | "template_function"
            | "class_specifier"
            | "struct_specifier"
            | "goto_statement"
            | "template_argument_list"
            | "decltype"
            | "type_descriptor" => {}
            _ => all(node, Role::Value, steps),
        }
    }
}

fn call<'t>(node: Node<'t>, steps: &mut Vec<Step<'t>>) {
    let arguments: Vec<_> = node.child("arguments").into_iter().flat_map(named).collect();
    let function = node.child("function");
    let (style, name, receiver) = match function {
        Some(it) if it.kind() == "field_expression" => {
            (Style::Method, it.child("field"), it.child("argument"))
        }
        Some(it) if it.kind() == "identifier" => (Style::Function, Some(it), None),
        Some(it) if it.kind() == "qualified_identifier" => {
            let last = it.subtree().rfind(|it| it.field() == Some("name"));
            (Style::Function, last, None)
        }
        Some(it) if it.kind() == "template_function" => (Style::Function, it.child("name"), None),
        other => (Style::Function, None, other),
    };
    steps.push(step_call(node, name, style, receiver, arguments.clone()));
    match receiver {
        Some(object) if style == Style::Method && object.kind() == "identifier" => {
            steps.push(Step::Visit(object, Role::Receiver));
        }
        Some(other) => steps.push(Step::Visit(other, Role::Value)),
        // A pointer to a function is a variable.
        None => steps
            .extend(function.filter(|it| it.kind() == "identifier").map(|it| Step::Name(it, Role::Value))),
    }
    steps.extend(arguments.into_iter().map(|it| Step::Visit(it, Role::Value)));
}

/// Whether `<<` or `>>` writes to a stream or reads from one.
fn is_stream(node: Node<'_>, text: &str) -> bool {
    let Some(operator) = node.child("operator").map(Node::kind).filter(|it| matches!(*it, "<<" | ">>"))
    else {
        return false;
    };
    let mut first = node;
    while first.kind() == "binary_expression"
        && first.child("operator").is_some_and(|it| it.kind() == operator)
    {
        let Some(left) = first.child("left") else { break };
        first = left;
    }
    let name = text.get(first.range()).unwrap_or_default();
    let known = matches!(name.trim_start_matches("std::"), "cin" | "cout" | "cerr" | "clog");
    // Elsewhere, a shift whose value nobody takes is none.
    let around = node.parent().map_or("", Node::kind);
    known || matches!(around, "expression_statement" | "condition_clause")
}

fn step_call<'t>(
    node: Node<'t>,
    name: Option<Node<'t>>,
    style: Style,
    receiver: Option<Node<'t>>,
    arguments: Vec<Node<'t>>,
) -> Step<'t> {
    Step::Call(Call { node, name, style, receiver, arguments, keywords: Vec::new(), spread: false })
}
