//! All scopes of a program and the variables in them.

use familiar_syntax::tree::Node;
use rustc_hash::FxHashMap;

use crate::text::Text;

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
    pub(super) scopes: Vec<Scope>,
    pub(super) variables: Vec<Variable>,
    /// The variable of each name that stands in the text, by the number of its node.
    pub(super) at: FxHashMap<u32, usize>,
    pub(super) reflective: bool,
    pub(super) imports_all: bool,
}

#[derive(Debug)]
pub(super) struct Scope {
    pub(super) kind: ScopeKind,
    pub(super) node: u32,
    /// Whether its code may run later than the code around it.
    pub(super) is_later: bool,
    pub(super) parent: usize,
    pub(super) names: FxHashMap<String, usize>,
    /// Names that `global` or `nonlocal` declare.
    pub(super) declared: FxHashMap<String, Declared>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Declared {
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
    /// Bound by `import`, `def`, `class`, a pattern of `match` or a type parameter, named by its text, or read by a class that binds
    /// the name, too.
    pub(crate) is_fixed: bool,
    /// Whether an inner function, lambda or class uses it.
    pub(crate) is_captured: bool,
    /// Whether `global` or `nonlocal` lets another scope bind it, or a class reads it before it binds the name itself.
    pub(crate) is_shared: bool,
    /// Whether `del` or the end of an `except` takes its value away.
    pub(crate) is_deleted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Use,
    Bind,
    Parameter,
    /// A binding whose name has a meaning outside.
    Fixed,
    /// A binding by `except`, which takes the name away at the end of the handler.
    Caught,
    Delete,
}

pub(super) struct Seen {
    pub(super) scope: usize,
    pub(super) node: u32,
    pub(super) role: Role,
}

impl Scopes {
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
}

impl Variable {
    /// Whether only the code of one function, lambda or comprehension binds and names it.
    pub(crate) fn is_local(&self) -> bool {
        let local = matches!(self.kind, ScopeKind::Function | ScopeKind::Lambda | ScopeKind::Comprehension);
        local && !self.is_fixed && !self.is_shared && !self.name.starts_with("__")
    }
}
