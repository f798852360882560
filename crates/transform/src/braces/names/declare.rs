//! Where names are declared, and which words are uses of them.

use familiar_source::Language;
use familiar_syntax::tree::Node;

use super::super::grammar::{self, is_script};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Local,
    Parameter,
    /// A variable outside of all functions.
    Global,
    /// A field of a class or a struct.
    Member,
    Function,
    /// What an import, a pattern, a class or the like binds.
    Other,
}

/// A name that stands where it is declared.
#[derive(Clone, Copy, Debug)]
pub(super) struct Declaration<'p> {
    pub(super) name: Node<'p>,
    pub(super) scope: Node<'p>,
    pub(super) kind: Kind,
    /// From where on it is seen; 0: in the whole scope.
    pub(super) from: usize,
    /// Whether a value comes with it.
    pub(super) has_value: bool,
    /// Whether an equal name of the same scope is the same variable.
    pub(super) joins: bool,
}

pub(super) fn is_scope(node: Node<'_>) -> bool {
    grammar::is_function(node)
        || grammar::is_block(node)
        || grammar::is_class_body(node)
        || grammar::is_loop(node)
        || grammar::is_switch(node)
        || node.parent().is_none()
        || is_head_of_type(node)
        || matches!(
            node.kind(),
            "if_statement"
                | "catch_clause"
                | "try_with_resources_statement"
                | "switch_block"
                | "switch_body"
                | "switch_rule"
                | "expression_case"
                | "default_case"
                | "type_case"
                | "communication_case"
                | "function_type"
                | "method_signature"
                | "call_signature"
                | "construct_signature"
                | "function_signature"
                | "constructor_type"
                | "abstract_method_signature"
                | "method_elem"
                | "method_spec"
                | "requires_expression"
                | "declaration_list"
                | "template_declaration"
                | "enum_body_declarations"
                | "record_declaration"
                | "class_static_block"
                | "internal_module"
        )
}

/// Whether a node of C or C++ declares parameters that no body sees: those of a type or of a prototype.
fn is_head_of_type(node: Node<'_>) -> bool {
    let is_list = node.kind() == "parameter_list";
    let head = if is_list { node.parent() } else { Some(node) };
    let Some(head) = head.filter(|it| it.kind().ends_with("function_declarator")) else { return false };
    // `int (*f(int a))(int b)`: the head inside may be that of a function with a body.
    let has_inner = head.child("declarator").is_some_and(|it| inner_head(it).is_some());
    has_inner == is_list && (has_inner || !is_own_head(head)) && !may_be_call(head)
}

/// The innermost head of a function on the way from a declarator to its name.
fn inner_head(declarator: Node<'_>) -> Option<Node<'_>> {
    let (mut node, mut found) = (declarator, None);
    loop {
        if node.kind().ends_with("function_declarator") {
            found = Some(node);
        }
        let inner = match node.kind() {
            "reference_declarator" | "parenthesized_declarator" | "attributed_declarator" => {
                node.named().find(|it| it.kind().ends_with("declarator"))
            }
            _ => node.child("declarator"),
        };
        match inner {
            Some(inner) => node = inner,
            None => return found,
        }
    }
}

/// Whether the head belongs to a function or a lambda that has a body.
fn is_own_head(head: Node<'_>) -> bool {
    let around =
        head.ancestors().find(|it| !it.kind().ends_with("declarator") && it.kind() != "operator_cast");
    around.is_some_and(grammar::is_function)
}

/// Whether what reads as a prototype inside a function may be an object that C++ makes: `Box b(n * m);`.
pub(super) fn may_be_call(head: Node<'_>) -> bool {
    let is_local = head.kind() == "function_declarator"
        && head.parent().is_some_and(|it| it.kind() == "declaration")
        && head.ancestors().any(grammar::is_block);
    let mut list = head.child("parameters").into_iter().flat_map(Node::named).peekable();
    is_local
        && list.peek().is_some()
        && list.all(|it| it.child("type").is_some_and(|it| it.kind() == "type_identifier"))
}

/// The scope around a node. The block of a function is the scope of its parameters too.
pub(super) fn scope_of(node: Node<'_>) -> Node<'_> {
    let mut last = node;
    for around in node.ancestors() {
        if is_scope(around) {
            let parent = around.parent().filter(|it| grammar::is_block(around) && grammar::is_function(*it));
            return parent.unwrap_or(around);
        }
        last = around;
    }
    last
}

fn hoisted(node: Node<'_>) -> Node<'_> {
    let mut last = node;
    for around in node.ancestors() {
        if grammar::is_function(around) {
            return around;
        }
        last = around;
    }
    last
}

fn declaration<'p>(name: Node<'p>, scope: Node<'p>, kind: Kind) -> Declaration<'p> {
    Declaration { name, scope, kind, from: 0, has_value: false, joins: false }
}

/// What a node declares.
pub(super) fn declared<'p>(node: Node<'p>, language: Language, found: &mut Vec<Declaration<'p>>) {
    if !node.is_named() {
        return;
    }
    match language {
        Language::Java => java(node, found),
        Language::C | Language::Cpp => {
            c(node, found);
            c_others(node, found);
        }
        Language::Go => go(node, found),
        _ => {
            script(node, found);
            imported(node, found);
        }
    }
}

fn java<'p>(node: Node<'p>, found: &mut Vec<Declaration<'p>>) {
    let Some(name) = node.child("name").filter(|it| it.kind() == "identifier") else {
        if node.kind() == "lambda_expression"
            && let Some(only) = node.child("parameters").filter(|it| it.kind() == "identifier")
        {
            found.push(Declaration { has_value: true, ..declaration(only, node, Kind::Parameter) });
        } else if node.kind() == "inferred_parameters" {
            let names = node.named().filter(|it| it.kind() == "identifier");
            found.extend(names.map(|name| Declaration {
                has_value: true,
                ..declaration(name, scope_of(node), Kind::Parameter)
            }));
        } else if matches!(node.kind(), "type_pattern" | "record_pattern_component") {
            let name = node.named().filter(|it| it.kind() == "identifier").last();
            found.extend(name.map(|name| declaration(name, hoisted(node), Kind::Other)));
        }
        return;
    };
    let scope = scope_of(node);
    let local = |kind| Declaration { from: name.start(), has_value: true, ..declaration(name, scope, kind) };
    match node.kind() {
        "variable_declarator" => {
            let is_field = node
                .parent()
                .is_some_and(|it| matches!(it.kind(), "field_declaration" | "constant_declaration"));
            let is_parameter = node.parent().is_some_and(|it| it.kind() == "spread_parameter");
            match (is_field, is_parameter) {
                (true, _) => found.push(declaration(name, scope, Kind::Member)),
                (_, true) => found.push(local(Kind::Parameter)),
                _ => {
                    found
                        .push(Declaration { has_value: node.child("value").is_some(), ..local(Kind::Local) });
                }
            }
        }
        "formal_parameter" if scope.kind() == "record_declaration" => found.push(local(Kind::Member)),
        "formal_parameter" => found.push(local(Kind::Parameter)),
        "catch_formal_parameter" => found.push(Declaration { scope: scope_of(node), ..local(Kind::Local) }),
        "enhanced_for_statement" => {
            // What it goes over may be a field of this name.
            let from = node.child("value").map_or(0, Node::end);
            found.push(Declaration { scope: node, from, ..local(Kind::Local) });
        }
        "resource" => found.push(Declaration { kind: Kind::Other, ..local(Kind::Other) }),
        "instanceof_expression" => found.push(declaration(name, hoisted(node), Kind::Other)),
        "method_declaration" => found.push(declaration(name, scope, Kind::Function)),
        "class_declaration"
        | "interface_declaration"
        | "enum_declaration"
        | "record_declaration"
        | "enum_constant" => {
            found.push(declaration(name, scope, Kind::Other));
        }
        _ => {}
    }
}

fn c<'p>(node: Node<'p>, found: &mut Vec<Declaration<'p>>) {
    let scope = scope_of(node);
    let mut add = |declarator: Node<'p>, scope: Node<'p>, kind: Kind, has_value: bool| {
        let Some(name) = grammar::declarator_name(declarator) else { return };
        let from = match kind {
            Kind::Parameter => 0,
            // What a loop goes over may be an outer variable of this name.
            _ if node.kind() == "for_range_loop" => node.child("right").map_or(name.end(), Node::end),
            _ => name.end(),
        };
        let kind = if is_prototype(declarator) { Kind::Function } else { kind };
        found.push(Declaration {
            from,
            has_value,
            joins: kind != Kind::Local,
            ..declaration(name, scope, kind)
        });
    };
    let outer = if scope.parent().is_none() || scope.kind() == "declaration_list" {
        Kind::Global
    } else {
        Kind::Local
    };
    match node.kind() {
        "declaration" => {
            for declarator in node.children().filter(|it| it.field() == Some("declarator")) {
                let has_value = declarator.kind() == "init_declarator" || node.child("value").is_some();
                let is_static = node.named().any(|it| it.kind() == "storage_class_specifier");
                let kind = if is_static && outer == Kind::Local { Kind::Other } else { outer };
                // `int f(a) int a; { … }` gives a type to what the list of parameters names.
                let is_old = node.parent().is_some_and(grammar::is_function);
                let kind = if is_old { Kind::Parameter } else { kind };
                add(declarator, scope, kind, has_value || is_old);
            }
        }
        "parameter_declaration" | "optional_parameter_declaration" => {
            if let Some(declarator) = node.child("declarator") {
                add(declarator, scope, Kind::Parameter, true);
            }
        }
        "for_range_loop" => {
            if let Some(declarator) = node.child("declarator") {
                add(declarator, node, Kind::Local, true);
            }
        }
        "function_definition" => {
            if let Some(declarator) = node.child("declarator") {
                add(declarator, scope, Kind::Function, false);
            }
        }
        _ => {}
    }
}

/// What is declared in C and C++, and is no plain variable.
fn c_others<'p>(node: Node<'p>, found: &mut Vec<Declaration<'p>>) {
    let other =
        |name: Node<'p>, scope| Declaration { from: name.end(), ..declaration(name, scope, Kind::Other) };
    match node.kind() {
        "structured_binding_declarator" => {
            let names = node.named().filter(|it| it.kind() == "identifier");
            found.extend(names.map(|name| other(name, scope_of(node))));
        }
        "enumerator" | "preproc_def" | "preproc_function_def" => {
            found.extend(node.child("name").map(|name| other(name, scope_of(node))));
        }
        "lambda_capture_initializer" => {
            let name = node.child("left").or_else(|| node.named().next());
            found.extend(name.map(|name| other(name, hoisted(node))));
        }
        _ => {}
    }
}

fn is_prototype(declarator: Node<'_>) -> bool {
    let mut node = declarator;
    loop {
        match node.kind() {
            "function_declarator" => {
                // `int (*f)(int)` declares a variable.
                return node.child("declarator").is_some_and(|it| it.kind() != "parenthesized_declarator");
            }
            "pointer_declarator" | "init_declarator" => match node.child("declarator") {
                Some(inner) => node = inner,
                None => return false,
            },
            "reference_declarator" => match node.named().last() {
                Some(inner) => node = inner,
                None => return false,
            },
            _ => return false,
        }
    }
}

fn go<'p>(node: Node<'p>, found: &mut Vec<Declaration<'p>>) {
    let scope = scope_of(node);
    let is_global = scope.parent().is_none();
    let identifiers = |fields: &[&str]| -> Vec<Node<'p>> {
        let fits = |it: &Node<'p>| {
            it.kind() == "identifier" && it.field().is_some_and(|field| fields.contains(&field))
        };
        node.children().filter(fits).collect()
    };
    let value = |name, kind, from| Declaration { from, has_value: true, ..declaration(name, scope, kind) };
    match node.kind() {
        "parameter_declaration" | "variadic_parameter_declaration" => {
            // Named results are read by `return`, so they are no plain variables.
            let is_result = node.parent().is_some_and(|it| it.field() == Some("result"));
            let kind = if is_result { Kind::Other } else { Kind::Parameter };
            found.extend(identifiers(&["name"]).into_iter().map(|name| value(name, kind, 0)));
        }
        "var_spec" => {
            let kind = if is_global { Kind::Global } else { Kind::Local };
            let from = if is_global { 0 } else { node.end() };
            found.extend(identifiers(&["name"]).into_iter().map(|name| value(name, kind, from)));
        }
        "const_spec" => {
            let from = if is_global { 0 } else { node.end() };
            found.extend(identifiers(&["name"]).into_iter().map(|name| value(name, Kind::Other, from)));
        }
        "short_var_declaration" | "range_clause" | "receive_statement" => {
            let declares =
                node.kind() == "short_var_declaration" || node.children().any(|it| it.kind() == ":=");
            let left = node.child("left").filter(|_| declares);
            let names = left.into_iter().flat_map(Node::named).filter(|it| it.kind() == "identifier");
            let kind = if is_global { Kind::Global } else { Kind::Local };
            found.extend(names.map(|name| Declaration { joins: true, ..value(name, kind, node.end()) }));
        }
        "type_switch_statement" => {
            let names = node.child("alias").into_iter().flat_map(Node::named);
            found.extend(names.map(|name| Declaration { scope: node, ..value(name, Kind::Other, 0) }));
        }
        "function_declaration" => {
            found.extend(node.child("name").map(|name| declaration(name, scope, Kind::Function)));
        }
        _ => {}
    }
}

fn script<'p>(node: Node<'p>, found: &mut Vec<Declaration<'p>>) {
    let scope = scope_of(node);
    let local = |scope: Node<'_>| if scope.parent().is_none() { Kind::Global } else { Kind::Local };
    match node.kind() {
        "variable_declarator" => {
            let is_var = node.parent().is_some_and(|it| it.kind() == "variable_declaration");
            let scope = if is_var { hoisted(node) } else { scope };
            let has_value = node.child("value").is_some();
            for name in node.child("name").into_iter().flat_map(bound) {
                found.push(Declaration {
                    has_value,
                    joins: is_var,
                    ..declaration(name, scope, local(scope))
                });
            }
        }
        "for_in_statement" => {
            let Some(kind) = node.child("kind") else { return };
            let scope = if kind.kind() == "var" { hoisted(node) } else { node };
            for name in node.child("left").into_iter().flat_map(bound) {
                let joins = kind.kind() == "var";
                found.push(Declaration { has_value: true, joins, ..declaration(name, scope, local(scope)) });
            }
        }
        "formal_parameters" => {
            for parameter in node.named().filter(|it| !grammar::is_comment(*it)) {
                let pattern = parameter.child("pattern").unwrap_or(parameter);
                for name in bound(pattern) {
                    found.push(Declaration {
                        has_value: true,
                        joins: true,
                        ..declaration(name, scope, Kind::Parameter)
                    });
                }
            }
        }
        "arrow_function" | "catch_clause" => {
            let kind = if node.kind() == "arrow_function" { Kind::Parameter } else { Kind::Local };
            for name in node.child("parameter").into_iter().flat_map(bound) {
                found.push(Declaration { has_value: true, ..declaration(name, node, kind) });
            }
        }
        "function_declaration" | "generator_function_declaration" | "function_signature" => {
            found.extend(
                node.child("name")
                    .map(|name| Declaration { joins: true, ..declaration(name, scope, Kind::Function) }),
            );
        }
        "function_expression" | "generator_function" | "class" => {
            found.extend(node.child("name").map(|name| declaration(name, node, Kind::Other)));
        }
        "class_declaration" | "enum_declaration" | "internal_module" | "abstract_class_declaration" => {
            found.extend(node.child("name").map(|name| declaration(name, scope, Kind::Other)));
        }
        _ => {}
    }
}

/// What JavaScript imports.
fn imported<'p>(node: Node<'p>, found: &mut Vec<Declaration<'p>>) {
    if matches!(node.kind(), "import_specifier" | "import_clause" | "namespace_import") {
        let name = node.child("alias").or_else(|| node.child("name"));
        let name = name.or_else(|| node.named().find(|it| it.kind() == "identifier"));
        found.extend(name.map(|name| declaration(name, scope_of(node), Kind::Other)));
    }
}

/// The names that a pattern binds.
fn bound(pattern: Node<'_>) -> Vec<Node<'_>> {
    match pattern.kind() {
        "identifier" | "shorthand_property_identifier_pattern" => vec![pattern],
        "object_pattern" | "array_pattern" | "rest_pattern" => pattern.named().flat_map(bound).collect(),
        "pair_pattern" => pattern.child("value").into_iter().flat_map(bound).collect(),
        "assignment_pattern" | "object_assignment_pattern" => {
            pattern.child("left").into_iter().flat_map(bound).collect()
        }
        _ => Vec::new(),
    }
}

/// The names that `var` of JavaScript declares at a node for the whole function.
pub(super) fn hoisted_names(node: Node<'_>) -> Vec<Node<'_>> {
    let pattern = match node.kind() {
        "variable_declarator" => {
            node.child("name").filter(|_| node.parent().is_some_and(|it| it.kind() == "variable_declaration"))
        }
        "for_in_statement" => {
            node.child("left").filter(|_| node.child("kind").is_some_and(|it| it.kind() == "var"))
        }
        _ => None,
    };
    pattern.into_iter().flat_map(bound).collect()
}

/// Whether a word stands for a variable, a function or the like that is found by its scope.
pub(crate) fn is_use(node: Node<'_>, language: Language) -> bool {
    let shorthand =
        matches!(node.kind(), "shorthand_property_identifier" | "shorthand_property_identifier_pattern");
    if !node.is_named() || node.kind() != "identifier" && !(is_script(language) && shorthand) {
        return false;
    }
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "method_invocation" | "annotation" | "marker_annotation" => node.field() != Some("name"),
        "field_access" => node.field() != Some("field"),
        "method_reference" => parent.named().next() == Some(node),
        "element_value_pair" => node.field() != Some("key"),
        "labeled_statement" | "break_statement" | "continue_statement" => language != Language::Java,
        "scoped_identifier"
        | "scoped_type_identifier"
        | "package_declaration"
        | "import_declaration"
        | "qualified_identifier"
        | "using_declaration"
        | "attribute"
        | "enum_constant"
        | "constructor_declaration"
        | "compact_constructor_declaration"
        | "destructor_name"
        | "export_specifier"
        | "import_specifier"
        | "nested_identifier"
        | "namespace_export" => false,
        _ => true,
    }
}
