//! From the tree to functions of instructions: control flow, and what each instruction does to variables.
//!
//! One function after another is built. Functions and classes that are met on the way go on a list, so that nesting of
//! functions costs no stack. Nesting of statements and of short circuits does, up to a depth behind which the rest is
//! one opaque instruction.
//!
//! `flow` has the function that is being built, `statements` and `expressions` bring forms into it, `names` says what
//! an instruction does to variables, and `scopes` which variable a name is.

mod expressions;
mod flow;
mod names;
mod scopes;
mod statements;

use std::collections::VecDeque;

use familiar_syntax::tree::Node;

use self::flow::Flowing;
use self::scopes::{PROGRAM, Scopes};
use super::form::{Form, Hoist, Language, Place, Role, Way};
use super::model::{Argument, Does, ENTRY, EXIT, Function, FunctionKind, Kind, Site, Variable};

/// Statements and short circuits that are nested deeper are one opaque instruction.
const MOST_NESTED: u32 = 120;

/// Builds all functions of a program.
pub(crate) fn build<'t>(
    language: &'static dyn Language,
    root: Node<'t>,
    text: &'t str,
) -> (Vec<Function<'t>>, Vec<Variable<'t>>) {
    let mut builder = Builder {
        language,
        text,
        scopes: Scopes::new(),
        functions: Vec::new(),
        to_come: VecDeque::new(),
        number: 0,
        scope: PROGRAM,
        class: None,
        is_made: false,
        flow: Flowing::default(),
        sites: Vec::new(),
        split: Vec::new(),
        parameters: Vec::new(),
        labels: Vec::new(),
        depth: 0,
    };
    builder.program(root);
    while let Some(next) = builder.to_come.pop_front() {
        builder.number = builder.functions.len() as u32;
        (builder.class, builder.is_made) = (None, false);
        builder.flow = Flowing::new(next.node.start() as u32, next.node.end() as u32);
        builder.parameters.clear();
        builder.labels.clear();
        if next.is_class { builder.fields(&next) } else { builder.function(&next) }
    }
    (builder.functions, builder.scopes.variables)
}

/// A function or a class that is still to be built.
struct Unfinished<'t> {
    node: Node<'t>,
    scope: u32,
    made: Option<(u32, u32)>,
    class: Option<&'t str>,
    is_class: bool,
}

struct Builder<'t> {
    language: &'static dyn Language,
    text: &'t str,
    scopes: Scopes<'t>,
    functions: Vec<Function<'t>>,
    to_come: VecDeque<Unfinished<'t>>,
    /// The number of the function that is being built.
    number: u32,
    scope: u32,
    class: Option<&'t str>,
    /// Whether it is a class that is made by an expression, with all its functions.
    is_made: bool,
    flow: Flowing<'t>,
    sites: Vec<Site<'t>>,
    /// Nodes that have run before the instruction to which they belong, and the variable that has their value.
    split: Vec<(u32, u32)>,
    /// The variables of the parameters.
    parameters: Vec<u32>,
    /// The labels of the statement that is looked at next.
    labels: Vec<&'t str>,
    depth: u32,
}

impl<'t> Builder<'t> {
    fn text_of(&self, node: Node<'_>) -> &'t str {
        self.text.get(node.range()).unwrap_or_default()
    }

    /// Puts a function or a class on the list of those that are still to be built.
    fn queue(&mut self, node: Node<'t>, made_by: Option<u32>, is_class: bool) {
        let made_by = made_by.or(self.is_made.then_some(ENTRY));
        let made = made_by.map(|instruction| (self.number, instruction));
        let class = self.class.filter(|_| made_by.is_none_or(|it| it == ENTRY));
        self.to_come.push_back(Unfinished { node, scope: self.scope, made, class, is_class });
    }

    /// Makes the names known that a scope knows from its beginning.
    fn hoist(&mut self, node: Node<'t>, place: Place) {
        let (language, text, scope) = (self.language, self.text, self.scope);
        let scopes = &mut self.scopes;
        language.hoisted(node, place, text, &mut |name, hoist: Hoist| {
            if let Some(name) = text.get(name.range()) {
                scopes.hoist(scope, name, hoist);
            }
        });
    }

    /// The statements outside of all functions.
    fn program(&mut self, root: Node<'t>) {
        self.flow = Flowing::new(root.start() as u32, root.end() as u32);
        self.hoist(root, Place::Program);
        self.statement(root);
        self.finish(FunctionKind::Program, "", None, root, None, Vec::new());
    }

    fn function(&mut self, unfinished: &Unfinished<'t>) {
        let node = unfinished.node;
        let parts = self.language.parts(node, self.text);
        self.scope = self.scopes.open(unfinished.scope, self.number);
        self.hoist(node, Place::Function);
        let mut parameters = Vec::new();
        for parameter in &parts.parameters {
            let since = self.split.len();
            if !self.language.has_early_defaults() {
                self.value(parameter.node);
            }
            let visits = [(parameter.node, parameter.role)];
            let instruction = self.instruction(Kind::Parameter, parameter.node, &visits, since);
            let since = self.parameters.len();
            let defined = self.flow.accesses.iter().rev().take_while(|it| it.instruction == instruction);
            self.parameters.extend(defined.filter(|it| it.does == Does::Define).map(|it| it.variable));
            let variable = match self.parameters[since..] {
                [only] => Some(only),
                _ => None,
            };
            let name = variable.map_or("", |it| self.scopes.variables[it as usize].name);
            parameters.push(Argument {
                instruction,
                variable,
                name,
                optional: parameter.optional,
                rest: parameter.rest,
                by_name: parameter.by_name,
            });
        }
        for before in parts.before {
            self.statement(before);
        }
        if let Some(body) = parts.body {
            if parts.is_expression {
                let since = self.split.len();
                self.value(body);
                self.instruction(Kind::Return, body, &[(body, Role::Value)], since);
            } else {
                self.statement(body);
            }
        }
        let name = parts.name.map_or("", |name| self.text_of(name));
        let class = parts.class.map(|class| self.text_of(class)).or(unfinished.class);
        let kind = if parts.name.is_none() { FunctionKind::Lambda } else { FunctionKind::Function };
        self.finish(kind, name, class, node, unfinished.made, parameters);
    }

    /// The statements in the body of a class whose objects are made later, and the functions in it.
    fn fields(&mut self, unfinished: &Unfinished<'t>) {
        let node = unfinished.node;
        let Form::Class(class) = self.language.form(node, self.text) else { return };
        self.scope =
            self.scopes.open_class(unfinished.scope, self.number, !self.language.methods_see_fields());
        self.hoist(node, Place::Class);
        let name = class.name.map(|name| self.text_of(name)).unwrap_or_default();
        (self.class, self.is_made) = (Some(name), unfinished.made.is_some());
        for member in class.members {
            self.statement(member);
        }
        self.finish(FunctionKind::Fields, name, Some(name), node, unfinished.made, Vec::new());
    }

    fn finish(
        &mut self,
        kind: FunctionKind,
        name: &'t str,
        class: Option<&'t str>,
        node: Node<'t>,
        made: Option<(u32, u32)>,
        parameters: Vec<Argument<'t>>,
    ) {
        self.flow.lead(EXIT);
        let unmet = self.flow.labels.iter().filter(|it| !it.is_met).map(|it| it.at);
        for at in unmet.collect::<Vec<_>>() {
            self.flow.ends = self.flow.from(at);
            self.flow.lead(EXIT);
        }
        let flow = self.flow.contracted();
        let mut accesses = std::mem::take(&mut self.flow.accesses);
        accesses.sort_by_key(|access| access.instruction);
        self.functions.push(Function {
            kind,
            name,
            class,
            start: node.start() as u32,
            made,
            parameters,
            instructions: std::mem::take(&mut self.flow.instructions),
            flow,
            accesses,
            sites: std::mem::take(&mut self.sites),
        });
        self.split.clear();
        self.depth = 0;
    }

    /// An instruction that stands in the text where `node` stands.
    fn instruction(&mut self, kind: Kind, node: Node<'t>, visits: &[(Node<'t>, Role)], since: usize) -> u32 {
        let instruction = self.flow.add(kind, node.start(), node.end());
        self.read(instruction, visits, since);
        instruction
    }

    /// Leads all open ends to where a jump of this kind goes; out of the function where nothing says where.
    fn go(&mut self, way: Way, label: Option<&str>) {
        let aim = self.flow.aim(way, label).unwrap_or(flow::Aim { to: EXIT, depth: 0 });
        self.flow.jump(aim);
    }
}
