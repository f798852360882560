//! Which variable does a name stand for?

use rustc_hash::FxHashMap;

use super::super::form::Hoist;
use super::super::model::Variable;

#[derive(Clone, Copy, Debug)]
struct Scope {
    parent: u32,
    function: u32,
    /// Whether functions inside see past it: the class scopes of Python are hidden.
    is_hidden: bool,
    is_class: bool,
}

#[derive(Clone, Copy, Debug)]
enum Binding {
    Variable(u32),
    Fixed,
    Global,
    Nonlocal,
}

/// What a name stands for where it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    Variable(u32),
    /// A function, a class or a module.
    Fixed,
    /// Nothing in this text.
    Nothing,
}

/// All scopes of a program, and their variables.
pub(crate) struct Scopes<'t> {
    scopes: Vec<Scope>,
    bindings: FxHashMap<(u32, &'t str), Binding>,
    pub(crate) variables: Vec<Variable<'t>>,
}

/// The scope of the whole program.
pub(crate) const PROGRAM: u32 = 0;

impl<'t> Scopes<'t> {
    pub(crate) fn new() -> Self {
        let program = Scope { parent: 0, function: 0, is_hidden: false, is_class: false };
        Self { scopes: vec![program], bindings: FxHashMap::default(), variables: Vec::new() }
    }

    /// The scope of a function or a block.
    pub(crate) fn open(&mut self, parent: u32, function: u32) -> u32 {
        self.scopes.push(Scope { parent, function, is_hidden: false, is_class: false });
        self.scopes.len() as u32 - 1
    }

    /// The scope of a class; `is_hidden` where its functions do not see its names.
    pub(crate) fn open_class(&mut self, parent: u32, function: u32, is_hidden: bool) -> u32 {
        self.scopes.push(Scope { parent, function, is_hidden, is_class: true });
        self.scopes.len() as u32 - 1
    }

    /// The scope of the class around a scope, or that of the program.
    pub(crate) fn class_around(&self, scope: u32) -> u32 {
        let mut at = scope;
        while at != PROGRAM && !self.scopes[at as usize].is_class {
            at = self.scopes[at as usize].parent;
        }
        at
    }

    /// A variable without a name.
    pub(crate) fn unnamed(&mut self, owner: u32) -> u32 {
        self.variables.push(Variable { name: "", owner, is_plain: true, is_copy: true });
        self.variables.len() as u32 - 1
    }

    /// Makes a name known in a scope; one that is known there stays what it is.
    pub(crate) fn hoist(&mut self, scope: u32, name: &'t str, hoist: Hoist) {
        let known = self.bindings.get(&(scope, name)).copied();
        let is_variable = matches!(hoist, Hoist::Variable | Hoist::PlainVariable);
        let binding = match (hoist, known) {
            (Hoist::Global, _) => Binding::Global,
            (Hoist::Nonlocal, _) => Binding::Nonlocal,
            (Hoist::Fixed, None) => Binding::Fixed,
            (_, None | Some(Binding::Fixed)) if is_variable => {
                self.declare(scope, name, hoist == Hoist::PlainVariable);
                return;
            }
            _ => return,
        };
        if matches!(binding, Binding::Global) && !self.bindings.contains_key(&(PROGRAM, name)) {
            self.declare(PROGRAM, name, false);
        }
        self.bindings.insert((scope, name), binding);
    }

    /// A new variable of this name, which hides others.
    pub(crate) fn declare(&mut self, scope: u32, name: &'t str, is_plain: bool) -> u32 {
        let variable = self.variables.len() as u32;
        let owner = self.scopes[scope as usize].function;
        self.variables.push(Variable { name, owner, is_plain, is_copy: is_plain });
        self.bindings.insert((scope, name), Binding::Variable(variable));
        variable
    }

    /// Notes that nobody outside sees what is written to a variable.
    pub(crate) fn is_copy(&mut self, variable: u32) {
        self.variables[variable as usize].is_copy = true;
    }

    /// The variable of this very scope.
    pub(crate) fn own(&self, scope: u32, name: &str) -> Option<u32> {
        match self.bindings.get(&(scope, name)) {
            Some(Binding::Variable(variable)) => Some(*variable),
            _ => None,
        }
    }

    pub(crate) fn find(&self, scope: u32, name: &str) -> Found {
        let start = self.scopes[scope as usize].function;
        let mut at = scope;
        let mut past = false;
        loop {
            let here = self.scopes[at as usize];
            let is_visible = !here.is_hidden || !past;
            match self.bindings.get(&(at, name)).filter(|_| is_visible) {
                Some(Binding::Variable(variable)) => return Found::Variable(*variable),
                Some(Binding::Fixed) => return Found::Fixed,
                Some(Binding::Global) => {
                    return self.own(PROGRAM, name).map_or(Found::Nothing, Found::Variable);
                }
                Some(Binding::Nonlocal) | None => {}
            }
            if at == PROGRAM {
                return Found::Nothing;
            }
            past |= self.scopes[here.parent as usize].function != start || here.is_hidden;
            at = here.parent;
        }
    }
}
