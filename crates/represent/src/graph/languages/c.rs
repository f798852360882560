//! C and C++ in the common form.

mod names;

use familiar_syntax::tree::Node;

use super::super::form::{
    Case, Circuit, Class, ClassRuns, Directive, Each, Form, Handler, Hoist, If, Jump, Language, Loop,
    Parameter, Parts, Place, Role, Step, Switch, Try, Way,
};
use super::super::model::Kind;
use super::quiet;
use super::shared::{bare, binary, else_ifs, in_field, is_broken, named};

/// C, or C++ where there is more of it.
pub(super) struct C {
    pub(super) plus: bool,
}

impl Language for C {
    fn form<'t>(&self, node: Node<'t>, text: &str) -> Form<'t> {
        match node.kind() {
            "translation_unit" | "declaration_list" | "else_clause" | "attributed_statement" => {
                Form::Sequence(statements(node))
            }
            "compound_statement" => Form::Block(statements(node)),
            "expression_statement" if named(node).next().is_none() => Form::Nothing,
            "declaration" => self.declaration(node),
            "field_declaration" if node.child("default_value").is_some() => Form::Plain(Kind::Statement),
            "if_statement" => Self::branches(node),
            "while_statement" | "do_statement" | "for_statement" => {
                let (mut before, test) = Self::condition(node);
                before.extend(in_field(node, "initializer"));
                Form::Loop(Loop {
                    before,
                    test,
                    update: in_field(node, "update"),
                    body: node.child("body"),
                    otherwise: None,
                    test_last: node.kind() == "do_statement",
                })
            }
            "for_range_loop" => each(node),
            "init_statement" => Form::Sequence(named(node).collect()),
            "switch_statement" => {
                let (before, subject) = Self::condition(node);
                Form::Switch(Switch { before, subject, body: node.child("body").into_iter().collect() })
            }
            "case_statement" => Form::Case(case(node)),
            "labeled_statement" => match node.child("label") {
                Some(name) => Form::Label(name, named(node).find(|it| *it != name)),
                None => Form::Broken,
            },
            "goto_statement" => Form::Jump(Jump { way: Way::Goto, label: node.child("label") }),
            "break_statement" => jump(Way::Break),
            "continue_statement" => jump(Way::Continue),
            "return_statement" | "co_return_statement" => jump(Way::Return),
            "throw_statement" => jump(Way::Throw),
            "try_statement" => guarded(node),
            "function_definition" => {
                if node.child("body").is_some() || node.child_of_kind("try_statement").is_some() {
                    Form::Function(node, false)
                } else {
                    Form::Nothing
                }
            }
            "linkage_specification" | "namespace_definition" => {
                Form::Sequence(node.child("body").into_iter().collect())
            }
            "template_declaration" => Form::Sequence(
                named(node).filter(|it| !it.kind().starts_with("template_parameter")).collect(),
            ),
            "struct_specifier" | "class_specifier" | "union_specifier" => match node.child("body") {
                Some(body) => Form::Class(Class {
                    head: Vec::new(),
                    name: node.child("name"),
                    members: statements(body),
                    runs: ClassRuns::LaterSilently,
                }),
                None => Form::Nothing,
            },
            "preproc_if" | "preproc_ifdef" | "preproc_elif" | "preproc_elifdef" => directive(node, text),
            "preproc_else" => Form::Sequence(statements(node)),
            kind if is_silent(kind) => Form::Nothing,
            _ if is_broken(node) => Form::Broken,
            _ => Form::Plain(Kind::Statement),
        }
    }

    fn circuit<'t>(&self, node: Node<'t>, _text: &str) -> Circuit<'t> {
        match node.kind() {
            "binary_expression" => binary(node, |it| self.bare(it)),
            "unary_expression"
                if node.child("operator").is_some_and(|it| matches!(it.kind(), "!" | "not")) =>
            {
                node.child("argument").map_or(Circuit::None, Circuit::Not)
            }
            "conditional_expression" => {
                let (condition, other) = (node.child("condition"), node.child("alternative"));
                match (condition, node.child("consequence"), other) {
                    (Some(condition), Some(one), Some(other)) => Circuit::Choice([condition, one, other]),
                    // GNU: `a ?: b`.
                    (Some(condition), None, Some(other)) => Circuit::Or(vec![condition, other]),
                    _ => Circuit::None,
                }
            }
            "compound_statement" => Circuit::Block(node),
            "lambda_expression"
            | "function_definition"
            | "class_specifier"
            | "struct_specifier"
            | "sizeof_expression" => Circuit::Apart,
            _ => Circuit::None,
        }
    }

    fn names<'t>(&self, node: Node<'t>, role: Role, text: &str, steps: &mut Vec<Step<'t>>) {
        self.read(node, role, text, steps);
    }

    fn parts<'t>(&self, node: Node<'t>, text: &str) -> Parts<'t> {
        let mut at = node.child("declarator");
        while let Some(inner) = at.filter(|it| !it.kind().ends_with("function_declarator")) {
            at = inner
                .child("declarator")
                .or_else(|| named(inner).last().filter(|_| inner.kind().ends_with("declarator")));
        }
        let mut name = at.and_then(|it| it.child("declarator"));
        let mut class = None;
        while let Some(qualified) = name.filter(|it| it.kind() == "qualified_identifier") {
            class = qualified.child("scope");
            name = qualified.child("name");
        }
        let parameters = at.and_then(|it| it.child("parameters"));
        let rest = parameters.is_some_and(|it| it.children().any(|child| child.kind() == "..."));
        let mut list: Vec<_> =
            parameters.into_iter().flat_map(named).filter_map(|it| self.parameter(it, text)).collect();
        if let Some(dots) =
            parameters.filter(|_| rest).and_then(|it| it.children().find(|it| it.kind() == "..."))
        {
            list.push(Parameter {
                node: dots,
                role: Role::Value,
                optional: true,
                rest: true,
                by_name: false,
            });
        }
        let body = node.child("body").or_else(|| node.child_of_kind("try_statement"));
        let initial = node.child_of_kind("field_initializer_list");
        Parts {
            name,
            parameters: list,
            body,
            is_expression: false,
            before: initial.into_iter().flat_map(named).collect(),
            class,
        }
    }

    fn hoisted<'t>(
        &self,
        scope: Node<'t>,
        place: Place,
        _text: &str,
        found: &mut dyn FnMut(Node<'t>, Hoist),
    ) {
        if place == Place::Class {
            for member in scope.child("body").into_iter().flat_map(named) {
                for declarator in in_field(member, "declarator") {
                    let plain = !self.plus && declarator.kind() == "field_identifier";
                    let hoist = if plain { Hoist::PlainVariable } else { Hoist::Variable };
                    let name = declarator.subtree().find(|it| it.kind() == "field_identifier");
                    let is_method = declarator.kind() == "function_declarator";
                    if let Some(it) = name.filter(|_| !is_method) {
                        found(it, hoist);
                    }
                }
            }
        }
    }

    fn bare<'t>(&self, node: Node<'t>) -> Node<'t> {
        bare(node, &["parenthesized_expression", "expression_statement", "condition_clause"])
    }

    fn constant(&self, node: Node<'_>, text: &str) -> Option<bool> {
        match node.kind() {
            "true" => Some(true),
            "false" => Some(false),
            "number_literal" => match text.get(node.range())? {
                "0" => Some(false),
                "1" => Some(true),
                _ => None,
            },
            _ => None,
        }
    }

    fn argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        Some(node).filter(|it| it.kind() == "identifier")
    }

    fn is_quiet(&self, name: &str) -> bool {
        quiet::C.split_ascii_whitespace().any(|it| it == name)
    }

    fn methods_see_fields(&self) -> bool {
        true
    }

    fn has_goto(&self) -> bool {
        true
    }
}

impl C {
    fn declaration<'t>(&self, node: Node<'t>) -> Form<'t> {
        let declarators = in_field(node, "declarator");
        let is_function = |it: &Node<'t>| {
            let inner =
                it.subtree().find(|it| !matches!(it.kind(), "pointer_declarator" | "reference_declarator"));
            inner.is_some_and(|it| it.kind() == "function_declarator")
        };
        let is_extern = node.children().any(|it| {
            it.kind() == "storage_class_specifier" && it.children().any(|it| it.kind() == "extern")
        });
        let inside = node
            .parent()
            .is_some_and(|it| it.kind() == "compound_statement" || it.kind() == "case_statement");
        let calls = self.plus && inside;
        if declarators.is_empty() || is_extern || !calls && declarators.iter().all(is_function) {
            // It may be a class all the same.
            return match node.child("type").filter(|it| it.child("body").is_some()) {
                Some(class) if class.kind() != "enum_specifier" => Form::Sequence(vec![class]),
                _ => Form::Nothing,
            };
        }
        let computes =
            declarators.iter().any(|it| it.kind() == "init_declarator" || calls && is_function(it));
        Form::Plain(if computes { Kind::Statement } else { Kind::Declaration })
    }

    /// What runs before a condition, and the condition.
    fn condition(node: Node<'_>) -> (Vec<Node<'_>>, Option<Node<'_>>) {
        let condition = node.child("condition").filter(|it| it.is_named());
        match condition.filter(|it| it.kind() == "condition_clause") {
            Some(clause) => (in_field(clause, "initializer"), clause.child("value")),
            None => (Vec::new(), condition),
        }
    }

    fn branches<'t>(node: Node<'t>) -> Form<'t> {
        let simple = |it: Node<'t>| Self::condition(it).0.is_empty();
        let (arms, otherwise) = else_ifs(node, |it| Self::condition(it).1, simple);
        Form::If(If { before: Self::condition(node).0, arms, otherwise })
    }

    fn parameter<'t>(&self, node: Node<'t>, text: &str) -> Option<Parameter<'t>> {
        let declarator = node.child("declarator");
        let is_void =
            declarator.is_none() && node.child("type").is_some_and(|it| text.get(it.range()) == Some("void"));
        if is_void {
            return None;
        }
        let kind = node.kind();
        let rest = kind.starts_with("variadic");
        Some(Parameter {
            node,
            role: if self.plus { Role::DeclareCopy } else { Role::DeclarePlain },
            optional: rest || kind.starts_with("optional"),
            rest,
            by_name: false,
        })
    }
}

/// Statements with directives among them.
fn statements(node: Node<'_>) -> Vec<Node<'_>> {
    named(node)
        .filter(|it| {
            !matches!(it.field(), Some("condition" | "name" | "alternative"))
                || it.kind().ends_with("statement")
                || it.kind().ends_with("specifier")
        })
        .collect()
}

/// Parts of a program at which nothing happens when it runs.
fn is_silent(kind: &str) -> bool {
    kind.ends_with("comment")
        || kind.starts_with("preproc_")
        || matches!(
            kind,
            "field_declaration"
                | "access_specifier"
                | "friend_declaration"
                | "using_declaration"
                | "type_definition"
                | "static_assert_declaration"
                | "alias_declaration"
                | "enum_specifier"
                | "template_instantiation"
                | "namespace_alias_definition"
                | "concept_definition"
                | "attribute_declaration"
                | "attribute_specifier"
                | "requires_clause"
        )
}

fn jump<'t>(way: Way) -> Form<'t> {
    Form::Jump(Jump { way, label: None })
}

fn each(node: Node<'_>) -> Form<'_> {
    let Some(items) = node.child("right") else { return Form::Broken };
    Form::Each(Each {
        before: in_field(node, "initializer"),
        target: node.child("declarator").map(|it| (it, Role::Declare)),
        items,
        start: node.child("type").map_or(node.start(), Node::start),
        body: node.child("body"),
        otherwise: None,
    })
}

fn case(node: Node<'_>) -> Case<'_> {
    let value = node.child("value");
    Case {
        tests: value.into_iter().collect(),
        role: Role::Value,
        certain: false,
        default: value.is_none(),
        guard: None,
        body: named(node).filter(|it| Some(*it) != value).collect(),
        falls: true,
        gives_value: false,
    }
}

fn guarded(node: Node<'_>) -> Form<'_> {
    let Some(body) = node.child("body") else { return Form::Broken };
    let handlers = named(node).filter(|it| it.kind() == "catch_clause").map(|clause| {
        let parameters = clause.child("parameters");
        let caught = parameters.and_then(|it| named(it).next());
        Handler {
            node: clause,
            names: caught.into_iter().map(|it| (it, Role::Declare)).collect(),
            catches_all: caught.is_none(),
            body: clause.child("body"),
        }
    });
    let handlers = handlers.collect();
    Form::Try(Try { resources: Vec::new(), body, handlers, otherwise: None, last: None })
}

/// Code that a directive chooses: inside of functions it is a branch, outside it is there in any case.
fn directive<'t>(node: Node<'t>, text: &str) -> Form<'t> {
    let otherwise = node.child("alternative");
    let mut body = statements(node);
    let inside = node.ancestors().find(|it| !it.kind().starts_with("preproc_"));
    let in_function = inside.is_some_and(|it| matches!(it.kind(), "compound_statement" | "case_statement"));
    if !in_function {
        body.extend(otherwise);
        return Form::Sequence(body);
    }
    let head = node.child("condition").or_else(|| node.child("name"));
    let end = head.map_or(node.start(), Node::end);
    debug_assert!(end <= text.len());
    Form::Directive(Directive { head_end: end, body, otherwise })
}
