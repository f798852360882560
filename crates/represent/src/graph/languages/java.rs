//! Java in the common form.

mod names;

use familiar_syntax::tree::Node;

use self::names::is_plain;
use super::super::form::{
    Case, Circuit, Class, ClassRuns, Each, Form, Handler, Hoist, If, Jump, Language, Loop, Parameter, Parts,
    Place, Role, Step, Switch, Try, Way, With,
};
use super::super::model::Kind;
use super::quiet;
use super::shared::{BARE, bare, binary, choice, else_ifs, in_field, is_broken, named};

pub(super) struct Java;

impl Language for Java {
    fn form<'t>(&self, node: Node<'t>, text: &str) -> Form<'t> {
        match node.kind() {
            "program" | "enum_body_declarations" | "static_initializer" => {
                Form::Sequence(named(node).collect())
            }
            "block" | "constructor_body" => Form::Block(named(node).collect()),
            "local_variable_declaration" => Form::Plain(declaration(node)),
            "field_declaration" | "constant_declaration" => match declaration(node) {
                Kind::Declaration => Form::Nothing,
                kind => Form::Plain(kind),
            },
            "if_statement" => {
                let (arms, otherwise) = else_ifs(node, |it| it.child("condition"), |_| true);
                Form::If(If { before: Vec::new(), arms, otherwise })
            }
            "while_statement" | "do_statement" | "for_statement" => Form::Loop(Loop {
                before: in_field(node, "init"),
                test: node.child("condition"),
                update: in_field(node, "update"),
                body: node.child("body"),
                otherwise: None,
                test_last: node.kind() == "do_statement",
            }),
            "enhanced_for_statement" => each(node),
            "switch_expression" => Form::Switch(switch(node)),
            "switch_block_statement_group" | "switch_rule" => Form::Case(case(node)),
            "labeled_statement" => {
                let mut parts = named(node);
                match (parts.next(), parts.next()) {
                    (Some(name), body) => Form::Label(name, body),
                    _ => Form::Broken,
                }
            }
            "break_statement" => jump(node, Way::Break),
            "continue_statement" => jump(node, Way::Continue),
            "return_statement" => jump(node, Way::Return),
            "throw_statement" => jump(node, Way::Throw),
            "yield_statement" => jump(node, Way::Give),
            "try_statement" | "try_with_resources_statement" => guarded(node, text),
            "synchronized_statement" => match node.child("body") {
                Some(body) => Form::With(With {
                    items: named(node).filter(|it| *it != body).collect(),
                    body,
                    swallows: false,
                    closes: false,
                }),
                None => Form::Broken,
            },
            "method_declaration" | "constructor_declaration" | "compact_constructor_declaration" => {
                if node.child("body").is_some() { Form::Function(node, false) } else { Form::Nothing }
            }
            "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "class_body"
            | "annotation_type_declaration" => class(node),
            "assert_statement" => Form::Plain(Kind::Assert),
            "import_declaration"
            | "package_declaration"
            | "module_declaration"
            | "annotation_type_element_declaration" => Form::Nothing,
            kind if kind.ends_with("comment") => Form::Nothing,
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
            "ternary_expression" => choice(node),
            "switch_expression" => Circuit::Switch(switch(node)),
            "lambda_expression"
            | "class_body"
            | "method_declaration"
            | "constructor_declaration"
            | "class_declaration" => Circuit::Apart,
            _ => Circuit::None,
        }
    }

    fn names<'t>(&self, node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>) {
        names::read(node, role, text, steps);
    }

    fn parts<'t>(&self, node: Node<'t>, _text: &str) -> Parts<'t> {
        let list = node.child("parameters");
        let all: Vec<_> = match list {
            Some(one) if one.kind() == "identifier" => vec![one],
            other => {
                other.into_iter().flat_map(named).filter(|it| it.kind() != "receiver_parameter").collect()
            }
        };
        let parameters = all.into_iter().map(|parameter| {
            let rest = parameter.kind() == "spread_parameter";
            Parameter { node: parameter, role: Role::Declare, optional: rest, rest, by_name: false }
        });
        let body = node.child("body");
        Parts {
            name: node.child("name"),
            parameters: parameters.collect(),
            body,
            is_expression: node.kind() == "lambda_expression" && body.is_some_and(|it| it.kind() != "block"),
            before: Vec::new(),
            class: None,
        }
    }

    fn hoisted<'t>(&self, scope: Node<'t>, place: Place, text: &str, found: &mut dyn FnMut(Node<'t>, Hoist)) {
        if place != Place::Class {
            return;
        }
        if let Some(list) = scope.child("parameters") {
            for parameter in named(list) {
                if let Some(it) = parameter.child("name") {
                    found(it, Hoist::Variable);
                }
            }
        }
        let body = scope.child("body").unwrap_or(scope);
        let inner = body.child_of_kind("enum_body_declarations");
        for member in named(body).chain(inner.into_iter().flat_map(named)) {
            match member.kind() {
                "field_declaration" | "constant_declaration" => {
                    let plain = is_plain(member, text);
                    for declarator in in_field(member, "declarator") {
                        let plain = plain && declarator.child("dimensions").is_none();
                        let hoist = if plain { Hoist::PlainVariable } else { Hoist::Variable };
                        if let Some(it) = declarator.child("name") {
                            found(it, hoist);
                        }
                    }
                }
                "enum_constant" => {
                    if let Some(it) = member.child("name") {
                        found(it, Hoist::Fixed);
                    }
                }
                _ => {}
            }
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
        quiet::JAVA.split_ascii_whitespace().any(|it| it == name)
    }

    fn methods_see_fields(&self) -> bool {
        true
    }
}

fn jump(node: Node<'_>, way: Way) -> Form<'_> {
    let label = named(node).next().filter(|_| matches!(way, Way::Break | Way::Continue));
    Form::Jump(Jump { way, label })
}

/// Whether something is computed where variables are declared.
fn declaration(node: Node<'_>) -> Kind {
    let has_value = in_field(node, "declarator").iter().any(|it| it.child("value").is_some());
    if has_value { Kind::Statement } else { Kind::Declaration }
}

fn each(node: Node<'_>) -> Form<'_> {
    let Some(items) = node.child("value") else { return Form::Broken };
    Form::Each(Each {
        before: Vec::new(),
        target: node.child("name").map(|it| (it, Role::Declare)),
        items,
        start: node.child("type").map_or(node.start(), Node::start),
        body: node.child("body"),
        otherwise: None,
    })
}

fn switch(node: Node<'_>) -> Switch<'_> {
    Switch {
        before: Vec::new(),
        subject: node.child("condition"),
        body: node.child("body").map(|it| named(it).collect()).unwrap_or_default(),
    }
}

fn case(node: Node<'_>) -> Case<'_> {
    let (labels, body): (Vec<_>, Vec<_>) = named(node).partition(|it| it.kind() == "switch_label");
    let is_default = |it: &Node<'_>| it.children().any(|child| child.kind() == "default");
    let guard = labels.iter().find_map(|it| it.child_of_kind("guard")).and_then(|it| named(it).next());
    let is_rule = node.kind() == "switch_rule";
    Case {
        default: labels.iter().any(is_default),
        tests: labels.into_iter().filter(|it| !is_default(it)).collect(),
        role: Role::Value,
        certain: false,
        guard,
        gives_value: is_rule && body.first().is_some_and(|it| it.kind() == "expression_statement"),
        body,
        falls: !is_rule,
    }
}

fn guarded<'t>(node: Node<'t>, text: &str) -> Form<'t> {
    let Some(body) = node.child("body") else { return Form::Broken };
    let handlers = named(node).filter(|it| it.kind() == "catch_clause").map(|clause| {
        let parameter = clause.child_of_kind("catch_formal_parameter");
        let types = parameter.and_then(|it| it.child_of_kind("catch_type"));
        Handler {
            node: clause,
            names: parameter.into_iter().map(|it| (it, Role::Declare)).collect(),
            catches_all: types.is_some_and(|it| text.get(it.range()) == Some("Throwable")),
            body: clause.child("body"),
        }
    });
    let resources = node.child("resources").into_iter().flat_map(named);
    Form::Try(Try {
        resources: resources.filter(|it| it.kind() == "resource").collect(),
        body,
        handlers: handlers.collect(),
        otherwise: None,
        last: node.child_of_kind("finally_clause"),
    })
}

fn class(node: Node<'_>) -> Form<'_> {
    let body = node.child("body").unwrap_or(node);
    // The body of an object of a class without a name is told by the class that it extends.
    let around = node.parent().filter(|it| it.kind() == "object_creation_expression");
    let name = node.child("name").or_else(|| around.and_then(|it| it.child("type")));
    Form::Class(Class {
        head: Vec::new(),
        name,
        members: named(body).collect(),
        runs: ClassRuns::LaterSilently,
    })
}
