//! Which names are one variable.
//!
//! Scopes, declarations, uses and captures as Python's reference describes them ("Execution model", naming and
//! binding). Names that code may reach by their text (`locals`, `exec`, an f-string's `=`) count as reached.

use familiar_syntax::tree::Node;
use rustc_hash::FxHashMap;

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
];

/// What kind of code a scope is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Class,
    Function,
    Lambda,
    Comprehension,
}

/// All scopes of a program and the variables in them.
#[derive(Debug, Default)]
pub(crate) struct Scopes {
    scopes: Vec<Scope>,
    variables: Vec<Variable>,
    /// The variable of each name that stands in the text, by the number of its node.
    at: FxHashMap<u32, usize>,
    reflective: bool,
    imports_all: bool,
}

#[derive(Debug)]
struct Scope {
    kind: ScopeKind,
    node: u32,
    /// Whether its code may run later than the code around it.
    is_later: bool,
    parent: usize,
    names: FxHashMap<String, usize>,
    /// Names that `global` or `nonlocal` declare.
    declared: FxHashMap<String, Declared>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared {
    Global,
    Nonlocal,
}

/// One variable, with all places where its name stands.
#[derive(Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// The node of the scope that binds it; the module for builtins and for what is not bound.
    pub(crate) scope: u32,
    pub(crate) kind: ScopeKind,
    /// Numbers of the identifiers, in the order of the text.
    pub(crate) places: Vec<u32>,
    /// Those of them that bind or delete it.
    pub(crate) bindings: Vec<u32>,
    pub(crate) is_parameter: bool,
    /// Bound by `import`, `def`, `class`, a pattern of `match` or a type parameter, or named by its text.
    pub(crate) is_fixed: bool,
    /// Whether an inner function, lambda or class uses it.
    pub(crate) is_captured: bool,
    /// Whether `global` or `nonlocal` lets another scope bind it.
    pub(crate) is_shared: bool,
    pub(crate) is_deleted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Use,
    Bind,
    Parameter,
    /// A binding whose name has a meaning outside.
    Fixed,
    Delete,
}

struct Seen {
    scope: usize,
    node: u32,
    role: Role,
}

impl Scopes {
    pub(crate) fn of(program: &Text) -> Self {
        let mut reader = Reader { program, scopes: Self::default(), seen: Vec::new() };
        reader.enter(ScopeKind::Module, program.root(), 0);
        let children: Vec<_> = program.root().children().collect();
        for child in children {
            reader.read(child, 0);
        }
        let Reader { mut scopes, seen, .. } = reader;
        scopes.resolve(program, &seen);
        scopes
    }

    /// The number of the variable whose name stands here.
    pub(crate) fn number(&self, name: Node<'_>) -> Option<usize> {
        self.at.get(&name.number()).copied()
    }

    /// The variable whose name stands here.
    pub(crate) fn variable(&self, name: Node<'_>) -> Option<&Variable> {
        self.at.get(&name.number()).map(|&variable| &self.variables[variable])
    }

    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Whether code may reach names by their text.
    pub(crate) fn is_reflective(&self) -> bool {
        self.reflective
    }

    /// Whether an identifier is the builtin of this name: nothing in the program binds it.
    pub(crate) fn is_builtin(&self, program: &Text, name: Node<'_>, builtin: &str) -> bool {
        let unbound = || self.variable(name).is_some_and(|it| it.bindings.is_empty());
        name.kind() == "identifier"
            && program.of(name) == builtin
            && !self.imports_all
            && !self.reflective
            && unbound()
    }

    /// Whether no code of the program gives `builtin` another meaning.
    pub(crate) fn has_builtin(&self, builtin: &str) -> bool {
        let bound = |it: &Variable| it.name == builtin && !it.bindings.is_empty();
        !self.imports_all && !self.reflective && !self.variables.iter().any(bound)
    }

    fn resolve(&mut self, program: &Text, seen: &[Seen]) {
        for seen in seen.iter().filter(|it| it.role != Role::Use) {
            let name = program.of(program.node(seen.node));
            let scope = self.binding_scope(seen.scope, name);
            self.variable_in(scope, name);
        }
        for seen in seen {
            let name = program.of(program.node(seen.node));
            let found = self.visible(seen.scope, name);
            let variable = found.unwrap_or_else(|| self.variable_in(0, name));
            self.at.insert(seen.node, variable);
            let crosses = self.crosses(seen.scope, variable);
            let declared = self.scopes[seen.scope].declared.contains_key(name);
            let entry = &mut self.variables[variable];
            entry.places.push(seen.node);
            if seen.role != Role::Use {
                entry.bindings.push(seen.node);
            }
            entry.is_captured |= crosses;
            entry.is_shared |= declared;
            entry.is_parameter |= seen.role == Role::Parameter;
            entry.is_fixed |= seen.role == Role::Fixed;
            entry.is_deleted |= seen.role == Role::Delete;
        }
    }

    /// The scope in which a binding of `name` in `scope` counts.
    fn binding_scope(&self, scope: usize, name: &str) -> usize {
        match self.scopes[scope].declared.get(name) {
            Some(Declared::Global) => 0,
            Some(Declared::Nonlocal) => {
                let mut at = self.scopes[scope].parent;
                while at != 0 && !self.scopes[at].names.contains_key(name) {
                    at = self.scopes[at].parent;
                }
                at
            }
            None => scope,
        }
    }

    fn variable_in(&mut self, scope: usize, name: &str) -> usize {
        if let Some(&known) = self.scopes[scope].names.get(name) {
            return known;
        }
        let number = self.variables.len();
        let (kind, node) = (self.scopes[scope].kind, self.scopes[scope].node);
        self.variables.push(Variable {
            name: name.to_owned(),
            scope: node,
            kind,
            places: Vec::new(),
            bindings: Vec::new(),
            is_parameter: false,
            is_fixed: false,
            is_captured: false,
            is_shared: false,
            is_deleted: false,
        });
        self.scopes[scope].names.insert(name.to_owned(), number);
        number
    }

    /// The variable that `name` means in `scope`.
    fn visible(&self, scope: usize, name: &str) -> Option<usize> {
        let scope = self.binding_scope(scope, name);
        if let Some(&own) = self.scopes[scope].names.get(name) {
            return Some(own);
        }
        let mut at = scope;
        while at != 0 {
            at = self.scopes[at].parent;
            // Functions inside a class do not see its names.
            if self.scopes[at].kind != ScopeKind::Class
                && let Some(&outer) = self.scopes[at].names.get(name)
            {
                return Some(outer);
            }
        }
        None
    }

    /// Whether a function, lambda or class lies between `scope` and the one that has the variable. A comprehension runs at once, but
    /// for a generator.
    fn crosses(&self, scope: usize, variable: usize) -> bool {
        let mut at = scope;
        while self.scopes[at].node != self.variables[variable].scope {
            if self.scopes[at].is_later {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = self.scopes[at].parent;
        }
        false
    }
}

struct Reader<'p> {
    program: &'p Text,
    scopes: Scopes,
    seen: Vec<Seen>,
}

impl Reader<'_> {
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
        self.scopes.reflective |= REFLECTION.contains(&self.program.of(name));
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
                    self.scopes.reflective |= REFLECTION.contains(&self.program.of(name));
                }
                self.read_child(node, "object", scope);
            }
            "keyword_argument" => self.read_child(node, "value", scope),
            "assignment" => self.bound(node, scope, &["type", "right"]),
            "augmented_assignment" => self.bound(node, scope, &["right"]),
            "for_statement" => self.bound(node, scope, &["right", "body", "alternative"]),
            "named_expression" => {
                self.read_child(node, "value", scope);
                if let Some(name) = node.child("name") {
                    self.note(name, self.around_comprehensions(scope), Role::Bind);
                }
            }
            "as_pattern_target" => node.named().for_each(|target| self.bind(target, scope, Role::Bind)),
            "del_statement" => node.named().for_each(|target| self.bind(target, scope, Role::Delete)),
            "global_statement" => self.declare(node, scope, Declared::Global),
            "nonlocal_statement" => self.declare(node, scope, Declared::Nonlocal),
            "import_statement" | "import_from_statement" | "future_import_statement" => {
                self.import(node, scope);
            }
            "wildcard_import" => self.scopes.imports_all = true,
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
            self.scopes.reflective |= REFLECTION.contains(&self.program.of(child));
        }
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

impl Variable {
    /// Whether only the code of one function, lambda or comprehension binds and names it.
    pub(crate) fn is_local(&self) -> bool {
        let local = matches!(self.kind, ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Comprehension);
        local && !self.is_fixed && !self.is_shared && !self.name.starts_with("__")
    }
}
