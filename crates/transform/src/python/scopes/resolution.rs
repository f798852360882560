//! Which variable each name is, by the rules of scopes.

use super::reader::read;
use super::table::{Declared, Role, ScopeKind, Scopes, Seen, Variable};
use crate::text::Text;

impl Scopes {
    /// The scopes of a program.
    pub(crate) fn of(program: &Text) -> Self {
        let (mut scopes, seen) = read(program);
        scopes.resolve(program, &seen);
        scopes
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
            entry.is_deleted |= matches!(seen.role, Role::Caught | Role::Delete);
        }
        self.share_with_classes(program, seen);
    }

    /// A class that binds a name reads that of the module before it has one of its own, as in `size = size`.
    fn share_with_classes(&mut self, program: &Text, seen: &[Seen]) {
        for seen in seen.iter().filter(|it| self.scopes[it.scope].kind == ScopeKind::Class) {
            let name = program.of(program.node(seen.node));
            let is_read = seen.role == Role::Use && self.scopes[seen.scope].names.contains_key(name);
            if let Some(&outer) = self.scopes[0].names.get(name).filter(|_| is_read) {
                let entry = &mut self.variables[outer];
                entry.is_fixed = true;
                entry.is_captured = true;
                entry.is_shared = true;
            }
        }
    }

    /// The scope in which a binding of `name` in `scope` counts.
    fn binding_scope(&self, scope: usize, name: &str) -> usize {
        match self.scopes[scope].declared.get(name) {
            Some(Declared::Global) => 0,
            Some(Declared::Nonlocal) => {
                let mut at = self.scopes[scope].parent;
                // The names of a class are not those of the functions inside it.
                while at != 0
                    && (self.scopes[at].kind == ScopeKind::Class || !self.scopes[at].names.contains_key(name))
                {
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
            // What a function declares global is global for the functions inside it, too.
            if self.scopes[at].kind != ScopeKind::Class
                && self.scopes[at].declared.get(name) == Some(&Declared::Global)
            {
                return self.scopes[0].names.get(name).copied();
            }
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
