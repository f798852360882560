//! JavaScript and TypeScript in the common form.

mod bindings;
mod names;

use familiar_syntax::tree::Node;

use self::bindings::{lexical, variables};
use self::names::is_function;
use super::super::form::{
    Case, Circuit, Class, ClassRuns, Each, Form, Handler, Hoist, If, Jump, Language, Loop, Parameter, Parts,
    Place, Role, Step, Switch, Try, Way, With,
};
use super::super::model::Kind;
use super::quiet;
use super::shared::{BARE, bare, binary, choice, else_ifs, in_field, is_broken, named, only};

pub(super) struct Script;

impl Language for Script {
    fn form<'t>(&self, node: Node<'t>, _text: &str) -> Form<'t> {
        match node.kind() {
            "program" | "else_clause" => Form::Sequence(named(node).collect()),
            "statement_block" => Form::Block(named(node).collect()),
            "expression_statement" => match only(node) {
                // `'use strict'` and the like.
                Some(inner) if inner.kind() == "string" => Form::Nothing,
                Some(inner) if matches!(inner.kind(), "internal_module" | "module") => {
                    Form::Sequence(inner.child("body").into_iter().collect())
                }
                _ => Form::Plain(Kind::Statement),
            },
            "lexical_declaration" | "variable_declaration" | "using_declaration" => {
                let has_value = named(node).any(|it| it.child("value").is_some());
                Form::Plain(if has_value { Kind::Statement } else { Kind::Declaration })
            }
            "if_statement" => {
                let (arms, otherwise) = else_ifs(node, |it| it.child("condition"), |_| true);
                Form::If(If { before: Vec::new(), arms, otherwise })
            }
            "while_statement" | "do_statement" => Form::Loop(Loop {
                before: Vec::new(),
                test: node.child("condition"),
                update: Vec::new(),
                body: node.child("body"),
                otherwise: None,
                test_last: node.kind() == "do_statement",
            }),
            "for_statement" => Form::Loop(Loop {
                before: filled(node, "initializer").into_iter().collect(),
                test: filled(node, "condition"),
                update: filled(node, "increment").into_iter().collect(),
                body: node.child("body"),
                otherwise: None,
                test_last: false,
            }),
            "for_in_statement" => each(node),
            "switch_statement" => Form::Switch(Switch {
                before: Vec::new(),
                subject: node.child("value"),
                body: node.child("body").map(|it| named(it).collect()).unwrap_or_default(),
            }),
            "switch_case" | "switch_default" => Form::Case(case(node)),
            "labeled_statement" => match node.child("label") {
                Some(name) => Form::Label(name, node.child("body")),
                None => Form::Broken,
            },
            "break_statement" => jump(node, Way::Break),
            "continue_statement" => jump(node, Way::Continue),
            "return_statement" => jump(node, Way::Return),
            "throw_statement" => jump(node, Way::Throw),
            "try_statement" => guarded(node),
            "with_statement" => match node.child("body") {
                Some(body) => Form::With(With {
                    items: node.child("object").into_iter().collect(),
                    body,
                    swallows: false,
                    closes: false,
                }),
                None => Form::Broken,
            },
            "function_declaration" | "generator_function_declaration" | "method_definition" => {
                Form::Function(node, false)
            }
            "class_declaration" | "abstract_class_declaration" | "class" => class(node),
            "field_definition" | "public_field_definition" => {
                if node.child("value").is_some() {
                    Form::Plain(Kind::Statement)
                } else {
                    Form::Nothing
                }
            }
            "class_static_block" | "internal_module" | "module" => {
                Form::Sequence(node.child("body").into_iter().collect())
            }
            "export_statement" => match (node.child("declaration"), node.child("value")) {
                (Some(declaration), _) => Form::Sequence(vec![declaration]),
                (None, Some(value)) if is_function(value) || value.kind() == "class" => {
                    Form::Plain(Kind::Statement)
                }
                (None, Some(_)) => Form::Plain(Kind::Statement),
                (None, None) => Form::Nothing,
            },
            "import_statement" => Form::Plain(Kind::Import),
            kind if is_silent(kind) => Form::Nothing,
            _ if is_broken(node) => Form::Broken,
            _ => Form::Plain(Kind::Statement),
        }
    }

    fn circuit<'t>(&self, node: Node<'t>, _text: &str) -> Circuit<'t> {
        match node.kind() {
            "binary_expression" => binary(node, |it| self.bare(it)),
            "unary_expression" if node.child("operator").is_some_and(|it| it.kind() == "!") => {
                node.child("argument").map_or(Circuit::None, Circuit::Not)
            }
            "ternary_expression" => choice(node),
            "augmented_assignment_expression" => {
                let truth = match node.child("operator").map_or("", Node::kind) {
                    "&&=" => true,
                    "||=" | "??=" => false,
                    _ => return Circuit::None,
                };
                match (node.child("left"), node.child("right")) {
                    (Some(left), Some(right)) => Circuit::Assign(left, right, truth),
                    _ => Circuit::None,
                }
            }
            "class" | "class_declaration" => Circuit::Apart,
            _ if is_function(node) => Circuit::Apart,
            _ => Circuit::None,
        }
    }

    fn names<'t>(&self, node: Node<'t>, role: Role, _text: &str, steps: &mut Vec<Step<'t>>) {
        names::read(node, role, steps);
    }

    fn parts<'t>(&self, node: Node<'t>, text: &str) -> Parts<'t> {
        let list: Vec<_> = match node.child("parameter") {
            Some(only) => vec![only],
            None => node.child("parameters").into_iter().flat_map(named).collect(),
        };
        let is_this =
            |it: &Node<'t>| it.child("pattern").is_some_and(|it| text.get(it.range()) == Some("this"));
        let parameters = list.into_iter().filter(|it| !is_this(it)).map(|parameter| {
            let pattern = parameter.child("pattern").unwrap_or(parameter);
            let rest = pattern.kind() == "rest_pattern";
            // A call may leave out any argument.
            Parameter { node: parameter, role: Role::Declare, optional: true, rest, by_name: false }
        });
        let body = node.child("body");
        Parts {
            name: node.child("name").or_else(|| name_around(node)),
            parameters: parameters.collect(),
            body,
            is_expression: body.is_some_and(|it| it.kind() != "statement_block"),
            before: Vec::new(),
            class: None,
        }
    }

    fn head<'t>(&self, node: Node<'t>) -> Vec<(Node<'t>, Role)> {
        node.child_of_kind("class_heritage").map(|it| (it, Role::Value)).into_iter().collect()
    }

    fn hoisted<'t>(
        &self,
        scope: Node<'t>,
        place: Place,
        _text: &str,
        found: &mut dyn FnMut(Node<'t>, Hoist),
    ) {
        match place {
            Place::Program => {
                lexical(scope, found);
                variables(scope, found);
            }
            Place::Function => {
                if let Some(it) = scope.child("body") {
                    variables(it, found);
                }
            }
            Place::Block => lexical(scope, found),
            Place::Class => {
                for member in scope.child("body").into_iter().flat_map(named) {
                    if member.kind().ends_with("field_definition") {
                        let name = member.child("property").or_else(|| member.child("name"));
                        if let Some(it) = name {
                            found(it, Hoist::Variable);
                        }
                    }
                }
            }
        }
    }

    fn bare<'t>(&self, node: Node<'t>) -> Node<'t> {
        bare(node, BARE)
    }

    fn constant(&self, node: Node<'_>, text: &str) -> Option<bool> {
        match node.kind() {
            "true" => Some(true),
            "false" | "null" | "undefined" => Some(false),
            "number" => match text.get(node.range())? {
                "0" => Some(false),
                "1" => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    fn argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match node.kind() {
            "identifier" => Some(node),
            "spread_element" => named(node).next().filter(|it| it.kind() == "identifier"),
            _ => None,
        }
    }

    fn is_quiet(&self, name: &str) -> bool {
        quiet::SCRIPT.split_ascii_whitespace().any(|it| it == name)
    }

    fn methods_see_fields(&self) -> bool {
        false
    }

    fn constructor(&self) -> Option<&'static str> {
        Some("constructor")
    }

    fn is_script(&self) -> bool {
        true
    }
}

fn is_silent(kind: &str) -> bool {
    kind.ends_with("comment")
        || kind.ends_with("_signature")
        || matches!(
            kind,
            "empty_statement"
                | "debugger_statement"
                | "hash_bang_line"
                | "interface_declaration"
                | "type_alias_declaration"
                | "ambient_declaration"
                | "import_alias"
                | "decorator"
        )
}

/// The part of the head of a `for`, if it is not empty.
fn filled<'t>(node: Node<'t>, field: &str) -> Option<Node<'t>> {
    node.children()
        .find(|it| it.field() == Some(field) && it.is_named())
        .filter(|it| it.kind() != "empty_statement")
}

fn jump(node: Node<'_>, way: Way) -> Form<'_> {
    Form::Jump(Jump { way, label: node.child("label") })
}

fn each(node: Node<'_>) -> Form<'_> {
    let Some(items) = node.child("right") else { return Form::Broken };
    let target = node.child("left");
    let kind = node.children().find(|it| it.field() == Some("kind")).map_or("", Node::kind);
    let role = if matches!(kind, "let" | "const" | "using") { Role::Declare } else { Role::Target };
    Form::Each(Each {
        before: Vec::new(),
        target: target.map(|it| (it, role)),
        items,
        start: target.map_or(node.start(), Node::start),
        body: node.child("body"),
        otherwise: None,
    })
}

fn case(node: Node<'_>) -> Case<'_> {
    Case {
        tests: node.child("value").into_iter().collect(),
        role: Role::Value,
        certain: false,
        default: node.kind() == "switch_default",
        guard: None,
        body: in_field(node, "body"),
        falls: true,
        gives_value: false,
    }
}

fn guarded(node: Node<'_>) -> Form<'_> {
    let Some(body) = node.child("body") else { return Form::Broken };
    let handlers = node.child("handler").into_iter().map(|clause| Handler {
        node: clause,
        names: clause.child("parameter").map(|it| (it, Role::Declare)).into_iter().collect(),
        catches_all: true,
        body: clause.child("body"),
    });
    let handlers = handlers.collect();
    Form::Try(Try { resources: Vec::new(), body, handlers, otherwise: None, last: node.child("finalizer") })
}

fn class(node: Node<'_>) -> Form<'_> {
    Form::Class(Class {
        head: Script.head(node),
        name: node.child("name"),
        members: node.child("body").into_iter().flat_map(named).collect(),
        runs: ClassRuns::Later,
    })
}

/// The name of what a function without a name is given to.
fn name_around(node: Node<'_>) -> Option<Node<'_>> {
    let around = node.parent()?;
    match around.kind() {
        "variable_declarator" => around.child("name").filter(|it| it.kind() == "identifier"),
        "assignment_expression" => {
            let left = around.child("left")?;
            if left.kind() == "identifier" { Some(left) } else { left.child("property") }
        }
        "pair" => around.child("key").filter(|it| it.kind() == "property_identifier"),
        "field_definition" => around.child("property"),
        "public_field_definition" => around.child("name"),
        _ => None,
    }
}
