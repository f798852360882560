//! Notes where names stand, in which scope, and what is done to them.

use familiar_syntax::tree::Node;
use rustc_hash::FxHashMap;

use super::table::{Declared, Role, Scope, ScopeKind, Scopes, Seen};
use crate::text::Text;

/// Builtins through which a program can see names as text.
const REFLECTION: &[&str] = &[
    "exec",
    "eval",
    "locals",
    "globals",
    "vars",
    "dir",
    "compile",
    "__import__",
    "_getframe",
    "currentframe",
    "inspect",
    "settrace",
    "breakpoint",
    "get_type_hints",
    "__main__",
    "doctest",
];

/// Modules, and what of each sees names as text. Other objects may have parts of the same name.
const REFLECTING_PARTS: &[(&str, &[&str])] = &[
    ("builtins", &["compile"]),
    ("__builtins__", &["compile"]),
    ("sys", &["modules"]),
    ("timeit", &["timeit", "repeat", "Timer"]),
    ("typing", &["get_type_hints"]),
    ("typing_extensions", &["get_type_hints"]),
];

/// All scopes of a program, without variables, and all names that stand in it.
pub(super) fn read(program: &Text) -> (Scopes, Vec<Seen>) {
    let mut reader = Reader {
        program,
        scopes: Scopes::default(),
        seen: Vec::new(),
        parts: Vec::new(),
        modules: Vec::new(),
    };
    reader.enter(ScopeKind::Module, program.root(), 0);
    let children: Vec<_> = program.root().children().collect();
    for child in children {
        reader.read(child, 0);
    }
    reader.scopes.reflective |= reader.reaches_names();
    (reader.scopes, reader.seen)
}

struct Reader<'p> {
    program: &'p Text,
    scopes: Scopes,
    seen: Vec<Seen>,
    /// Objects, and the part of each that sees names as text if the object is the module.
    parts: Vec<(&'p str, &'p str)>,
    /// What is bound to a module of [`REFLECTING_PARTS`] by another name, and the module.
    modules: Vec<(&'p str, &'p str)>,
}

impl<'p> Reader<'p> {
    fn enter(&mut self, kind: ScopeKind, node: Node<'_>, parent: usize) -> usize {
        let is_later = kind != ScopeKind::Comprehension || node.kind() == "generator_expression";
        self.scopes.scopes.push(Scope {
            kind,
            node: node.number(),
            is_later,
            parent,
            names: FxHashMap::default(),
            declared: FxHashMap::default(),
        });
        self.scopes.scopes.len() - 1
    }

    fn note(&mut self, name: Node<'_>, scope: usize, role: Role) {
        let text = self.program.of(name);
        self.scopes.reflective |= REFLECTION.contains(&text) || !is_plain(text);
        self.seen.push(Seen { scope, node: name.number(), role });
    }

    fn read_all(&mut self, node: Node<'_>, scope: usize) {
        node.children().for_each(|child| self.read(child, scope));
    }

    fn read_child(&mut self, node: Node<'_>, field: &str, scope: usize) {
        if let Some(child) = node.child(field) {
            self.read(child, scope);
        }
    }

    fn read(&mut self, node: Node<'_>, scope: usize) {
        match node.kind() {
            "identifier" => self.note(node, scope, Role::Use),
            "function_definition" => self.function(node, scope),
            "lambda" if node.is_named() => self.lambda(node, scope),
            "class_definition" => self.class(node, scope),
            "list_comprehension"
            | "set_comprehension"
            | "dictionary_comprehension"
            | "generator_expression" => {
                self.comprehension(node, scope);
            }
            "attribute" => {
                if let Some(name) = node.child("attribute") {
                    self.attribute(node, self.program.of(name));
                }
                self.read_child(node, "object", scope);
            }
            "keyword_argument" => self.read_child(node, "value", scope),
            "assignment" => {
                if let (Some(left), Some(right)) = (node.child("left"), node.child("right")) {
                    self.bind_module(left, right);
                }
                self.bound(node, scope, &["type", "right"]);
            }
            "augmented_assignment" => self.bound(node, scope, &["right"]),
            "for_statement" => self.bound(node, scope, &["right", "body", "alternative"]),
            "named_expression" => {
                self.read_child(node, "value", scope);
                if let Some(name) = node.child("name") {
                    self.note(name, self.around_comprehensions(scope), Role::Bind);
                }
            }
            "as_pattern_target" => {
                let is_caught =
                    node.parent().and_then(Node::parent).is_some_and(|it| it.kind() == "except_clause");
                let role = if is_caught { Role::Caught } else { Role::Bind };
                node.named().for_each(|target| self.bind(target, scope, role));
            }
            "delete_statement" => node.named().for_each(|target| self.bind(target, scope, Role::Delete)),
            "global_statement" => self.declare(node, scope, Declared::Global),
            "nonlocal_statement" => self.declare(node, scope, Declared::Nonlocal),
            "import_statement" | "import_from_statement" | "future_import_statement" => {
                self.import(node, scope);
            }
            "wildcard_import" => self.scopes.imports_all = true,
            // The grammar calls what stands in the brackets of `list[int]` by the same word.
            "type_parameter" if node.parent().is_some_and(|it| it.kind() == "generic_type") => {
                self.read_all(node, scope);
            }
            "case_pattern" | "type_parameter" | "type_alias_statement" => self.fix_all(node, scope),
            "interpolation" => {
                if node.children().any(|child| child.kind() == "=") {
                    self.fix_all(node, scope);
                } else {
                    self.read_all(node, scope);
                }
            }
            _ => self.read_all(node, scope),
        }
    }

    fn attribute(&mut self, node: Node<'_>, name: &'p str) {
        self.scopes.reflective |= !is_plain(name);
        // Patterns are compiled to no code. Whatever else has this part may be the module of builtins.
        let is_pattern =
            || node.child("object").is_some_and(|it| matches!(self.program.of(it), "re" | "regex"));
        if name == "compile" && !is_pattern() {
            self.scopes.reflective = true;
        } else if REFLECTING_PARTS.iter().any(|(_, parts)| parts.contains(&name)) {
            let object = node.child("object").map_or("", |it| self.program.of(it));
            self.parts.push((bare(object), name));
        } else {
            self.scopes.reflective |= REFLECTION.contains(&name);
        }
    }

    /// Notes what gets another name, if it may be a module with a part that sees names as text.
    fn bind_module(&mut self, target: Node<'_>, value: Node<'_>) {
        let module = last_word(bare(self.program.of(value)));
        if REFLECTING_PARTS.iter().any(|(it, _)| *it == module) {
            self.modules.push((self.program.of(target), module));
        }
    }

    fn reaches_names(&self) -> bool {
        let is_module =
            |object, module| last_word(object) == module || self.modules.contains(&(object, module));
        self.parts.iter().any(|&(object, name)| {
            REFLECTING_PARTS.iter().any(|(module, parts)| parts.contains(&name) && is_module(object, *module))
        })
    }

    fn bound(&mut self, node: Node<'_>, scope: usize, read: &[&str]) {
        if let Some(target) = node.child("left") {
            self.bind(target, scope, Role::Bind);
        }
        for child in node.children().filter(|child| child.field().is_some_and(|field| read.contains(&field)))
        {
            self.read(child, scope);
        }
    }

    /// Notes the names in a target. What stands in an index or before a dot is only used.
    fn bind(&mut self, target: Node<'_>, scope: usize, role: Role) {
        match target.kind() {
            "identifier" => self.note(target, scope, role),
            "pattern_list"
            | "tuple_pattern"
            | "list_pattern"
            | "list_splat_pattern"
            | "tuple"
            | "list"
            | "list_splat"
            | "expression_list"
            | "parenthesized_expression" => {
                target.named().for_each(|child| self.bind(child, scope, role));
            }
            _ => self.read(target, scope),
        }
    }

    /// Every name in it has a meaning outside of its scope.
    fn fix_all(&mut self, node: Node<'_>, scope: usize) {
        for name in node.descendants().filter(|it| it.kind() == "identifier") {
            if name.field() != Some("attribute") {
                self.note(name, scope, Role::Fixed);
            }
        }
    }

    fn declare(&mut self, node: Node<'_>, scope: usize, declared: Declared) {
        for name in node.named().filter(|it| it.kind() == "identifier") {
            let text = self.program.of(name).to_owned();
            self.scopes.scopes[scope].declared.insert(text, declared);
            self.note(name, scope, Role::Bind);
        }
    }

    fn import(&mut self, node: Node<'_>, scope: usize) {
        for child in node.named() {
            match (child.kind(), child.field()) {
                ("wildcard_import", _) => self.scopes.imports_all = true,
                ("aliased_import", _) => {
                    let alias = child.child("alias");
                    if let Some(name) = alias {
                        self.note(name, scope, Role::Fixed);
                        if let Some(module) = child.child("name") {
                            self.bind_module(name, module);
                        }
                    }
                }
                ("dotted_name", Some("name")) => {
                    let first = child.named().next();
                    if let Some(name) = first {
                        self.note(name, scope, Role::Fixed);
                    }
                }
                _ => {}
            }
            let mut words =
                child.subtree().filter(|it| it.kind() == "identifier").map(|it| self.program.of(it));
            self.scopes.reflective |= words.any(|it| REFLECTION.contains(&it));
        }
        let module = node.child("module_name").map_or("", |it| self.program.of(it));
        let reached =
            REFLECTING_PARTS.iter().find(|(it, _)| *it == module).map_or(&[][..], |(_, parts)| parts);
        let mut names = node.children().filter(|it| it.field() == Some("name"));
        self.scopes.reflective |= names.any(|it| {
            let name = it.child("name").unwrap_or(it);
            reached.contains(&self.program.of(name))
        });
    }

    fn function(&mut self, node: Node<'_>, scope: usize) {
        if let Some(name) = node.child("name") {
            self.note(name, scope, Role::Fixed);
        }
        let inner = self.enter(ScopeKind::Function, node, scope);
        for child in node.children() {
            match child.field() {
                Some("parameters") => self.parameters(child, inner, scope),
                Some("body") => self.read(child, inner),
                Some("type_parameters") => self.fix_all(child, inner),
                Some("name") => {}
                _ => self.read(child, scope),
            }
        }
    }

    fn lambda(&mut self, node: Node<'_>, scope: usize) {
        let inner = self.enter(ScopeKind::Lambda, node, scope);
        for child in node.children() {
            match child.field() {
                Some("parameters") => self.parameters(child, inner, scope),
                Some("body") => self.read(child, inner),
                _ => {}
            }
        }
    }

    /// Parameters are names of the function; their defaults and types are read outside of it.
    fn parameters(&mut self, parameters: Node<'_>, inner: usize, outer: usize) {
        for parameter in parameters.named() {
            match parameter.kind() {
                "identifier" => self.note(parameter, inner, Role::Parameter),
                "default_parameter" | "typed_default_parameter" => {
                    if let Some(name) = parameter.child("name") {
                        self.bind(name, inner, Role::Parameter);
                    }
                    self.read_child(parameter, "type", outer);
                    self.read_child(parameter, "value", outer);
                }
                "typed_parameter" => {
                    self.read_child(parameter, "type", outer);
                    let names = parameter.named().filter(|it| it.field() != Some("type"));
                    names.for_each(|name| self.parameters_of(name, inner));
                }
                _ => self.parameters_of(parameter, inner),
            }
        }
    }

    fn parameters_of(&mut self, node: Node<'_>, inner: usize) {
        for name in node.subtree().filter(|it| it.kind() == "identifier") {
            self.note(name, inner, Role::Parameter);
        }
    }

    fn class(&mut self, node: Node<'_>, scope: usize) {
        if let Some(name) = node.child("name") {
            self.note(name, scope, Role::Fixed);
        }
        let inner = self.enter(ScopeKind::Class, node, scope);
        for child in node.children() {
            match child.field() {
                Some("body") => self.read(child, inner),
                Some("type_parameters") => self.fix_all(child, inner),
                Some("name") => {}
                _ => self.read(child, scope),
            }
        }
    }

    /// The first collection is read outside of a comprehension, all else inside.
    fn comprehension(&mut self, node: Node<'_>, scope: usize) {
        let inner = self.enter(ScopeKind::Comprehension, node, scope);
        let mut is_first = true;
        for clause in node.named().filter(|it| it.kind() == "for_in_clause") {
            if let Some(target) = clause.child("left") {
                self.bind(target, inner, Role::Bind);
            }
            for child in clause.named().filter(|it| it.field() != Some("left")) {
                self.read(child, if is_first { scope } else { inner });
            }
            is_first = false;
        }
        let others = node.children().filter(|it| it.kind() != "for_in_clause");
        others.for_each(|child| self.read(child, inner));
    }

    fn around_comprehensions(&self, scope: usize) -> usize {
        let mut at = scope;
        while self.scopes.scopes[at].kind == ScopeKind::Comprehension {
            at = self.scopes.scopes[at].parent;
        }
        at
    }
}

/// An expression without the parentheses around it.
fn bare(expression: &str) -> &str {
    expression.trim_matches(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
}

/// What stands behind the last dot: `os.sys` is `sys`.
fn last_word(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name).trim_start()
}

/// Whether Python takes a name as it stands. Other letters may be written in several ways, such as the sign for micro and the
/// letter mu.
fn is_plain(name: &str) -> bool {
    let is_letter = |c: char| {
        c.is_ascii()
            || matches!(c, 'À'..='ſ' | 'Α'..='Ω' | 'α'..='ω' | 'А'..='я' | 'ぁ'..='ゖ' | 'ァ'..='ヺ' | '一'..='龥')
                && !matches!(c, 'Ĳ' | 'ĳ' | 'Ŀ' | 'ŀ' | 'ŉ' | 'ſ')
    };
    name.chars().all(is_letter)
}
