//! Go in the common form.

use familiar_syntax::tree::Node;

use super::super::form::{
    Call, Case, Circuit, Each, Form, If, Jump, Language, Loop, Parameter, Parts, Role, Step, Switch, Way,
};
use super::super::model::{Kind, Style};
use super::quiet;
use super::shared::{BARE, all, bare, binary, else_ifs, field, in_field, is_broken, named, only};

pub(super) struct Go;

impl Language for Go {
    fn form<'t>(&self, node: Node<'t>, text: &str) -> Form<'t> {
        match node.kind() {
            "source_file" | "statement_list" => Form::Sequence(named(node).collect()),
            "block" => Form::Block(named(node).collect()),
            "expression_statement" if is_panic(node, text) => {
                Form::Jump(Jump { way: Way::Throw, label: None })
            }
            "var_declaration" => {
                let specs = named(node)
                    .flat_map(|it| if it.kind() == "var_spec" { vec![it] } else { named(it).collect() });
                let computes = specs.into_iter().any(|it| it.child("value").is_some());
                Form::Plain(if computes { Kind::Statement } else { Kind::Declaration })
            }
            "if_statement" => {
                let simple = |it: Node<'t>| it.child("initializer").is_none();
                let (arms, otherwise) = else_ifs(node, |it| it.child("condition"), simple);
                Form::If(If { before: in_field(node, "initializer"), arms, otherwise })
            }
            "for_statement" => repeat(node),
            "expression_switch_statement" | "type_switch_statement" | "select_statement" => {
                let is_case = |it: &Node<'t>| it.kind().ends_with("_case");
                Form::Switch(Switch {
                    before: in_field(node, "initializer"),
                    subject: node.child("value"),
                    body: named(node).filter(is_case).collect(),
                })
            }
            "expression_case" | "type_case" | "communication_case" | "default_case" => Form::Case(case(node)),
            "labeled_statement" => match node.child("label") {
                Some(name) => Form::Label(name, named(node).find(|it| *it != name)),
                None => Form::Broken,
            },
            "break_statement" => jump(node, Way::Break),
            "continue_statement" => jump(node, Way::Continue),
            "goto_statement" => jump(node, Way::Goto),
            "fallthrough_statement" => jump(node, Way::FallThrough),
            "return_statement" => Form::Jump(Jump { way: Way::Return, label: None }),
            "function_declaration" | "method_declaration" => {
                if node.child("body").is_some() {
                    Form::Function(node, false)
                } else {
                    Form::Nothing
                }
            }
            "parameter_declaration" => Form::Plain(Kind::Parameter),
            "package_clause" | "import_declaration" | "const_declaration" | "type_declaration"
            | "empty_statement" | "comment" => Form::Nothing,
            _ if is_broken(node) => Form::Broken,
            _ => Form::Plain(Kind::Statement),
        }
    }

    fn circuit<'t>(&self, node: Node<'t>, _text: &str) -> Circuit<'t> {
        match node.kind() {
            "binary_expression" => binary(node, |it| self.bare(it)),
            "unary_expression" if node.child("operator").is_some_and(|it| it.kind() == "!") => {
                node.child("operand").map_or(Circuit::None, Circuit::Not)
            }
            "func_literal" | "function_declaration" | "method_declaration" => Circuit::Apart,
            _ => Circuit::None,
        }
    }

    fn names<'t>(&self, node: Node<'t>, role: Role, _text: &str, steps: &mut Vec<Step<'t>>) {
        match node.kind() {
            "identifier" => steps.push(Step::Name(node, role)),
            "selector_expression" => field(node, "operand", role.of_base(), steps),
            "index_expression" => {
                field(node, "operand", role.of_base(), steps);
                field(node, "index", Role::Value, steps);
            }
            "unary_expression" => {
                let gives_address = node.child("operator").is_some_and(|it| it.kind() == "&");
                if node.child("operator").is_some_and(|it| it.kind() == "<-") {
                    steps.push(Step::Acts);
                }
                let changes = gives_address && role == Role::Value;
                field(node, "operand", if changes { Role::Change } else { role.of_base() }, steps);
            }
            "call_expression" => call(node, steps),
            "assignment_statement" => {
                field(node, "right", Role::Value, steps);
                let plain = node.child("operator").is_none_or(|it| it.kind() == "=");
                field(node, "left", if plain { Role::Target } else { Role::Update }, steps);
            }
            "inc_statement" | "dec_statement" => all(node, Role::Update, steps),
            "short_var_declaration" | "receive_statement" => {
                field(node, "right", Role::Value, steps);
                field(node, "left", Role::Declare, steps);
            }
            "var_spec" => {
                field(node, "value", Role::Value, steps);
                steps.extend(in_field(node, "name").into_iter().map(|it| Step::Visit(it, Role::Declare)));
            }
            "parameter_declaration" => {
                steps.extend(in_field(node, "name").into_iter().map(|it| Step::Visit(it, Role::Declare)));
            }
            "variadic_parameter_declaration" => field(node, "name", Role::Declare, steps),
            "keyed_element" => {
                let key = node
                    .child("key")
                    .filter(|it| named(*it).next().is_some_and(|it| it.kind() != "identifier"));
                steps.extend(key.map(|it| Step::Visit(it, Role::Value)));
                field(node, "value", Role::Value, steps);
            }
            "composite_literal" => field(node, "body", Role::Value, steps),
            "func_literal" | "function_declaration" => steps.push(Step::Function(node)),
            "expression_list" | "parenthesized_expression" | "var_spec_list" => all(node, role, steps),
            "type_conversion_expression" | "type_assertion_expression" => field(node, "operand", role, steps),
            "send_statement" => {
                steps.push(Step::Acts);
                all(node, Role::Value, steps);
            }
            "break_statement" | "continue_statement" | "goto_statement" => {}
            _ => all(node, Role::Value, steps),
        }
    }

    fn parts<'t>(&self, node: Node<'t>, _text: &str) -> Parts<'t> {
        let receiver = node.child("receiver");
        let mut parameters = Vec::new();
        for parameter in node.child("parameters").into_iter().flat_map(named) {
            let rest = parameter.kind().starts_with("variadic");
            let one = |node| Parameter { node, role: Role::Declare, optional: rest, rest, by_name: false };
            let names = in_field(parameter, "name");
            if rest || names.is_empty() {
                parameters.push(one(parameter));
            } else {
                parameters.extend(names.into_iter().map(one));
            }
        }
        let class = receiver.and_then(|it| it.descendants().find(|it| it.kind() == "type_identifier"));
        Parts {
            name: node.child("name").or_else(|| name_around(node)),
            parameters,
            body: node.child("body"),
            is_expression: false,
            before: receiver.into_iter().flat_map(named).filter(|it| it.child("name").is_some()).collect(),
            class,
        }
    }

    fn bare<'t>(&self, node: Node<'t>) -> Node<'t> {
        bare(node, BARE)
    }

    fn constant(&self, node: Node<'_>, _text: &str) -> Option<bool> {
        match node.kind() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    fn argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        Some(node).filter(|it| it.kind() == "identifier")
    }

    fn is_quiet(&self, name: &str) -> bool {
        quiet::GO.split_ascii_whitespace().any(|it| it == name)
    }

    fn methods_see_fields(&self) -> bool {
        false
    }

    fn has_goto(&self) -> bool {
        true
    }
}

fn jump(node: Node<'_>, way: Way) -> Form<'_> {
    Form::Jump(Jump { way, label: node.child_of_kind("label_name") })
}

fn is_panic(statement: Node<'_>, text: &str) -> bool {
    let call = only(statement).filter(|it| it.kind() == "call_expression");
    call.and_then(|it| it.child("function")).is_some_and(|it| text.get(it.range()) == Some("panic"))
}

fn repeat(node: Node<'_>) -> Form<'_> {
    let body = node.child("body");
    if let Some(range) = node.child_of_kind("range_clause") {
        let Some(items) = range.child("right") else { return Form::Broken };
        let declares = range.children().any(|it| it.kind() == ":=");
        let role = if declares { Role::Declare } else { Role::Target };
        return Form::Each(Each {
            before: Vec::new(),
            target: range.child("left").map(|it| (it, role)),
            items,
            start: range.start(),
            body,
            otherwise: None,
        });
    }
    let clause = node.child_of_kind("for_clause");
    let test = match clause {
        Some(clause) => clause.child("condition"),
        None => named(node).find(|it| Some(*it) != body),
    };
    let part = |field| clause.into_iter().flat_map(|it| in_field(it, field)).collect();
    Form::Loop(Loop {
        before: part("initializer"),
        test,
        update: part("update"),
        body,
        otherwise: None,
        test_last: false,
    })
}

fn case(node: Node<'_>) -> Case<'_> {
    let tests = match node.kind() {
        "expression_case" => node.child("value").into_iter().flat_map(named).collect(),
        "type_case" => in_field(node, "type"),
        _ => node.child("communication").into_iter().collect(),
    };
    Case {
        tests,
        role: Role::Value,
        certain: false,
        default: node.kind() == "default_case",
        guard: None,
        body: node.child_of_kind("statement_list").into_iter().collect(),
        falls: false,
        gives_value: false,
    }
}

fn call<'t>(node: Node<'t>, steps: &mut Vec<Step<'t>>) {
    let function = node.child("function");
    let arguments: Vec<_> = node.child("arguments").into_iter().flat_map(named).collect();
    let (style, name, receiver) = match function {
        Some(it) if it.kind() == "identifier" => (Style::Function, Some(it), None),
        Some(it) if it.kind() == "selector_expression" => {
            (Style::Method, it.child("field"), it.child("operand"))
        }
        other => (Style::Function, None, other),
    };
    let spread = arguments.iter().any(|it| it.kind() == "variadic_argument");
    let list = arguments.clone();
    steps.push(Step::Call(Call { node, name, style, receiver, arguments, keywords: Vec::new(), spread }));
    match receiver {
        Some(object) if style == Style::Method && object.kind() == "identifier" => {
            steps.push(Step::Visit(object, Role::Receiver));
        }
        Some(other) => steps.push(Step::Visit(other, Role::Value)),
        None => steps.extend(name.map(|it| Step::Visit(it, Role::Value))),
    }
    steps.extend(list.into_iter().map(|it| Step::Visit(it, Role::Value)));
}

/// The name of what a function without a name is given to.
fn name_around(node: Node<'_>) -> Option<Node<'_>> {
    let list = node.parent().filter(|it| it.kind() == "expression_list")?;
    let around = list.parent().filter(|it| it.kind() == "short_var_declaration")?;
    only(list)?;
    only(around.child("left")?).filter(|it| it.kind() == "identifier")
}
