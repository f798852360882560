//! Python in the common form.

mod bindings;
mod names;

use familiar_syntax::tree::Node;

use super::super::form::{
    Case, Circuit, Class, ClassRuns, Clause, Each, Form, Handler, Hoist, If, Jump, Language, Loop, Parameter,
    Parts, Place, Role, Step, Switch, Try, Way, With,
};
use super::super::model::Kind;
use super::quiet;
use super::shared::{BARE, bare, in_field, is_broken, named, only};

pub(super) struct Python;

impl Language for Python {
    fn form<'t>(&self, node: Node<'t>, _text: &str) -> Form<'t> {
        match node.kind() {
            "module" | "block" => Form::Sequence(body(node)),
            "expression_statement" => expression(node),
            "if_statement" => branches(node),
            "while_statement" => Form::Loop(Loop {
                before: Vec::new(),
                test: node.child("condition"),
                update: Vec::new(),
                body: node.child("body"),
                otherwise: otherwise(node),
                test_last: false,
            }),
            "for_statement" => each(node),
            "try_statement" => guarded(node),
            "with_statement" => with(node),
            "match_statement" => Form::Switch(Switch {
                before: Vec::new(),
                subject: node.child("subject"),
                body: node.child("body").map(|it| named(it).collect()).unwrap_or_default(),
            }),
            "case_clause" => Form::Case(case(node)),
            "return_statement" => jump(Way::Return),
            "raise_statement" => jump(Way::Throw),
            "break_statement" => jump(Way::Break),
            "continue_statement" => jump(Way::Continue),
            "function_definition" => Form::Function(node, true),
            "decorated_definition" => match node.child("definition") {
                Some(inner) if inner.kind() == "class_definition" => class(inner),
                Some(inner) => Form::Function(inner, true),
                None => Form::Nothing,
            },
            "class_definition" => class(node),
            "import_statement" | "import_from_statement" | "future_import_statement" => {
                Form::Plain(Kind::Import)
            }
            "assert_statement" => Form::Plain(Kind::Assert),
            "global_statement" | "nonlocal_statement" | "comment" | "line_continuation" => Form::Nothing,
            _ if is_broken(node) => Form::Broken,
            _ => Form::Plain(Kind::Statement),
        }
    }

    fn circuit<'t>(&self, node: Node<'t>, _text: &str) -> Circuit<'t> {
        match node.kind() {
            "boolean_operator" => boolean(self, node),
            "not_operator" => node.child("argument").map_or(Circuit::None, Circuit::Not),
            "conditional_expression" => {
                let parts: Vec<_> = named(node).collect();
                match parts[..] {
                    [one, condition, other] => Circuit::Choice([condition, one, other]),
                    _ => Circuit::None,
                }
            }
            "comparison_operator" => {
                let operands: Vec<_> = named(node).collect();
                if operands.len() > 2 { Circuit::Chain(operands) } else { Circuit::None }
            }
            "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => {
                let clauses = named(node).filter_map(clause).collect();
                Circuit::Comprehension(clauses, node.child("body").into_iter().collect())
            }
            "lambda" | "function_definition" | "class_definition" => Circuit::Apart,
            _ => Circuit::None,
        }
    }

    fn names<'t>(&self, node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>) {
        names::read(node, role, text, steps);
    }

    fn parts<'t>(&self, node: Node<'t>, _text: &str) -> Parts<'t> {
        let list = node.child("parameters");
        let mut by_name = false;
        let mut parameters = Vec::new();
        for parameter in list.into_iter().flat_map(named) {
            let inner = if parameter.kind() == "typed_parameter" {
                named(parameter).next().unwrap_or(parameter)
            } else {
                parameter
            };
            match inner.kind() {
                "keyword_separator" => by_name = true,
                "positional_separator" => {}
                kind => {
                    let rest = kind.ends_with("splat_pattern");
                    parameters.push(Parameter {
                        node: parameter,
                        role: Role::Declare,
                        optional: parameter.child("value").is_some() || rest,
                        rest,
                        by_name,
                    });
                    by_name |= rest;
                }
            }
        }
        Parts {
            name: node.child("name"),
            parameters,
            body: node.child("body"),
            is_expression: node.kind() == "lambda",
            before: Vec::new(),
            class: None,
        }
    }

    fn head<'t>(&self, node: Node<'t>) -> Vec<(Node<'t>, Role)> {
        let mut head = decorators(node);
        if node.kind() == "class_definition" {
            head.extend(node.child("superclasses").map(|it| (it, Role::Value)));
        } else {
            let parameters = node.child("parameters").into_iter().flat_map(named);
            head.extend(parameters.filter_map(|it| it.child("value")).map(|it| (it, Role::Value)));
        }
        head.extend(node.child("name").map(|it| (it, Role::Target)));
        head
    }

    fn break_leaves_choice(&self) -> bool {
        false
    }

    fn has_early_defaults(&self) -> bool {
        true
    }

    fn hoisted<'t>(&self, scope: Node<'t>, place: Place, text: &str, found: &mut dyn FnMut(Node<'t>, Hoist)) {
        if place == Place::Block {
            return;
        }
        let scope = scope.child("definition").unwrap_or(scope);
        let body = if scope.kind() == "module" { Some(scope) } else { scope.child("body") };
        if let Some(body) = body {
            bindings::bindings(body, text, found);
        }
    }

    fn bare<'t>(&self, node: Node<'t>) -> Node<'t> {
        bare(node, BARE)
    }

    fn constant(&self, node: Node<'_>, text: &str) -> Option<bool> {
        match node.kind() {
            "true" => Some(true),
            "false" | "none" => Some(false),
            "integer" => match text.get(node.range())? {
                "0" => Some(false),
                "1" => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    fn head_end(&self, node: Node<'_>) -> usize {
        let node = node.child("definition").unwrap_or(node);
        let body = node.child("body").or_else(|| node.child_of_kind("block"));
        body.map_or(node.end(), Node::start)
    }

    fn argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match node.kind() {
            "identifier" => Some(node),
            "keyword_argument" => node.child("value").filter(|it| it.kind() == "identifier"),
            "list_splat" => named(node).next().filter(|it| it.kind() == "identifier"),
            _ => None,
        }
    }

    fn is_quiet(&self, name: &str) -> bool {
        quiet::PYTHON.split_ascii_whitespace().any(|it| it == name)
    }

    fn methods_see_fields(&self) -> bool {
        false
    }

    fn has_explicit_object(&self) -> bool {
        true
    }

    fn constructor(&self) -> Option<&'static str> {
        Some("__init__")
    }

    fn is_script(&self) -> bool {
        true
    }

    fn object(&self) -> &'static str {
        "self"
    }
}

/// The statements of a block, without the text that only documents it.
fn body(node: Node<'_>) -> Vec<Node<'_>> {
    let mut statements: Vec<_> = named(node).collect();
    let is_text = |it: &Node<'_>| {
        it.kind() == "expression_statement" && only(*it).is_some_and(|only| only.kind() == "string")
    };
    let documents = node.kind() == "module"
        || node.parent().is_some_and(|it| matches!(it.kind(), "function_definition" | "class_definition"));
    if documents && statements.first().is_some_and(is_text) {
        statements.remove(0);
    }
    statements
}

fn expression(node: Node<'_>) -> Form<'_> {
    // A variable with a type and without a value.
    let declares = only(node).is_some_and(|it| it.kind() == "assignment" && it.child("right").is_none());
    if declares { Form::Nothing } else { Form::Plain(Kind::Statement) }
}

fn jump<'t>(way: Way) -> Form<'t> {
    Form::Jump(Jump { way, label: None })
}

fn otherwise(node: Node<'_>) -> Option<Node<'_>> {
    node.child("alternative")?.child("body")
}

fn branches(node: Node<'_>) -> Form<'_> {
    let mut arms: Vec<_> =
        node.child("condition").map(|it| (it, node.child("consequence"))).into_iter().collect();
    let mut otherwise = None;
    for clause in in_field(node, "alternative") {
        if clause.kind() == "elif_clause" {
            arms.extend(clause.child("condition").map(|it| (it, clause.child("consequence"))));
        } else {
            otherwise = clause.child("body");
        }
    }
    Form::If(If { before: Vec::new(), arms, otherwise })
}

fn each(node: Node<'_>) -> Form<'_> {
    let Some(items) = node.child("right") else { return Form::Broken };
    let target = node.child("left");
    Form::Each(Each {
        before: Vec::new(),
        target: target.map(|it| (it, Role::Target)),
        items,
        start: target.map_or(node.start(), Node::start),
        body: node.child("body"),
        otherwise: otherwise(node),
    })
}

fn guarded(node: Node<'_>) -> Form<'_> {
    let Some(body) = node.child("body") else { return Form::Broken };
    let handlers = named(node).filter(|it| it.kind().starts_with("except")).map(|clause| {
        let block = clause.child_of_kind("block");
        let mut names = Vec::new();
        for part in named(clause).filter(|it| Some(*it) != block) {
            names.push((part, if part.field() == Some("alias") { Role::Target } else { Role::Value }));
        }
        Handler { node: clause, catches_all: names.is_empty(), names, body: block }
    });
    let block_of = |kind| node.child_of_kind(kind).and_then(|it| it.child_of_kind("block"));
    Form::Try(Try {
        resources: Vec::new(),
        body,
        handlers: handlers.collect(),
        otherwise: block_of("else_clause"),
        last: node.child_of_kind("finally_clause"),
    })
}

fn with(node: Node<'_>) -> Form<'_> {
    let Some(body) = node.child("body") else { return Form::Broken };
    let items = node.child_of_kind("with_clause").into_iter().flat_map(named);
    Form::With(With {
        items: items.filter(|it| it.kind() == "with_item").collect(),
        body,
        swallows: true,
        closes: true,
    })
}

fn case(node: Node<'_>) -> Case<'_> {
    let patterns: Vec<_> = named(node).filter(|it| it.kind() == "case_pattern").collect();
    let guard = node.child("guard").and_then(|it| named(it).next());
    // `case _` and `case name` take everything.
    let name = match patterns[..] {
        [one] => named(one).next().filter(|it| it.kind() == "dotted_name" && only(*it).is_some()),
        _ => None,
    };
    let takes_all = |it: Node<'_>| it.kind() == "case_pattern" && it.named().next().is_none();
    let default = patterns.len() == 1 && takes_all(patterns[0]);
    Case {
        tests: if default { Vec::new() } else { patterns },
        role: Role::Target,
        certain: name.is_some(),
        default,
        guard,
        body: node.child("consequence").into_iter().collect(),
        falls: false,
        gives_value: false,
    }
}

fn class(node: Node<'_>) -> Form<'_> {
    Form::Class(Class {
        head: Python.head(node),
        name: node.child("name"),
        members: node.child("body").into_iter().collect(),
        runs: ClassRuns::Here,
    })
}

fn decorators(node: Node<'_>) -> Vec<(Node<'_>, Role)> {
    let around = node.parent().filter(|it| it.kind() == "decorated_definition");
    let decorators = around.into_iter().flat_map(named).filter(|it| it.kind() == "decorator");
    decorators.map(|it| (it, Role::Value)).collect()
}

fn boolean<'t>(python: &Python, node: Node<'t>) -> Circuit<'t> {
    match node.child("operator").map_or("", Node::kind) {
        "and" => Circuit::And(super::shared::spine(node, "and", |it| python.bare(it))),
        "or" => Circuit::Or(super::shared::spine(node, "or", |it| python.bare(it))),
        _ => Circuit::None,
    }
}

fn clause(node: Node<'_>) -> Option<Clause<'_>> {
    match node.kind() {
        "for_in_clause" => Some(Clause::For(node.child("left")?, node.child("right")?)),
        "if_clause" => named(node).next().map(Clause::If),
        _ => None,
    }
}
