//! What an instruction does to variables, and what it calls.

use familiar_syntax::tree::Node;

use super::super::form::{Call, Role, Step};
use super::super::model::{Does, EXIT, Flow, Kind, Site, Style, When};
use super::Builder;
use super::scopes::Found;

impl<'t> Builder<'t> {
    /// Reads what an instruction does: `visits` in their order, without the parts that ran before it.
    pub(super) fn read(&mut self, instruction: u32, visits: &[(Node<'t>, Role)], since: usize) {
        let mut stack: Vec<Step<'t>> =
            visits.iter().rev().map(|&(node, role)| Step::Visit(node, role)).collect();
        let mut steps = Vec::new();
        let mut raises = false;
        let mut acts = false;
        while let Some(step) = stack.pop() {
            match step {
                Step::Visit(node, role) => {
                    if let Some(value) = self.part(node, since) {
                        self.flow.access(instruction, value, node.start(), Does::Use);
                        continue;
                    }
                    self.language.names(node, role, self.text, &mut steps);
                    stack.extend(steps.drain(..).rev());
                }
                Step::Name(node, role) => self.name(instruction, node, role),
                Step::Field(node, role) => self.field(instruction, node, role),
                Step::Call(call) => {
                    (raises, acts) = (true, true);
                    self.call(instruction, &call);
                }
                Step::Function(node) => self.queue(node, Some(instruction), false),
                Step::Class(node) => self.queue(node, Some(instruction), true),
                Step::Raises => raises = true,
                Step::Acts => acts = true,
                Step::Yields => {
                    (raises, acts) = (true, true);
                    self.flow.edges.push(Flow {
                        from: instruction,
                        to: EXIT,
                        when: When::Yield,
                        early: true,
                    });
                    let kind = &mut self.flow.instructions[instruction as usize].kind;
                    if matches!(kind, Kind::Statement | Kind::Operand) {
                        *kind = Kind::Yield;
                    }
                }
            }
        }
        self.split.truncate(since);
        self.flow.instructions[instruction as usize].acts |= acts;
        if raises {
            self.flow.may_raise(instruction);
        }
    }

    /// The value of a part that has run before.
    fn part(&self, node: Node<'t>, since: usize) -> Option<u32> {
        let split = &self.split[since..];
        let at = split.binary_search_by_key(&node.number(), |(number, _)| *number).ok()?;
        Some(split[at].1)
    }

    fn name(&mut self, instruction: u32, node: Node<'t>, role: Role) {
        let name = self.text_of(node);
        let declares = matches!(role, Role::Declare | Role::DeclarePlain | Role::DeclareCopy);
        if declares && self.scopes.own(self.scope, name).is_none() {
            let variable = self.scopes.declare(self.scope, name, role == Role::DeclarePlain);
            if role == Role::DeclareCopy {
                self.scopes.is_copy(variable);
            }
        }
        let variable = match self.scopes.find(self.scope, name) {
            Found::Variable(variable) => variable,
            Found::Fixed => return,
            Found::Nothing if matches!(role, Role::Value | Role::Again | Role::Receiver) => return,
            Found::Nothing => self.scopes.declare(super::scopes::PROGRAM, name, false),
        };
        self.accesses(instruction, variable, node, role);
        if role == Role::Receiver {
            // The call that this belongs to is read right before it.
            let call = self.sites.len() as u32 - 1;
            self.flow.access(instruction, variable, node.start(), Does::Object(call));
        }
    }

    /// A field that its class declares is a variable of its own; any other is a part of the object.
    fn field(&mut self, instruction: u32, node: Node<'t>, role: Role) {
        let class = self.scopes.class_around(self.scope);
        if let Some(variable) = self.scopes.own(class, self.text_of(node)) {
            self.accesses(instruction, variable, node, role);
            return;
        }
        let object = self.language.object();
        let variable = self.scopes.own(class, object);
        let variable = variable.unwrap_or_else(|| self.scopes.declare(class, object, false));
        self.accesses(instruction, variable, node, role.of_base());
    }

    fn accesses(&mut self, instruction: u32, variable: u32, node: Node<'t>, role: Role) {
        let does: &[Does] = match role {
            Role::Value | Role::Again | Role::Receiver => &[Does::Use],
            Role::Target | Role::Declare | Role::DeclarePlain | Role::DeclareCopy => &[Does::Define],
            Role::Update => &[Does::Use, Does::Define],
            Role::Change => &[Does::Use, Does::Change],
        };
        for &does in does {
            self.flow.access(instruction, variable, node.start(), does);
        }
    }

    fn call(&mut self, instruction: u32, call: &Call<'t>) {
        let number = self.sites.len() as u32;
        let name = call.name.map_or("", |name| self.text_of(name));
        let found = self.scopes.find(self.scope, name);
        let is_variable = matches!(found, Found::Variable(variable) if self.parameters.contains(&variable));
        let receiver = call.receiver.map(|node| self.language.bare(node));
        let receiver = receiver.filter(|node| node.children().next().is_none());
        self.sites.push(Site {
            instruction,
            name,
            style: call.style,
            is_unknown: call.style == Style::Function && is_variable,
            receiver: receiver.map(|node| self.text_of(node)),
            arguments: call.arguments.iter().map(|it| it.start() as u32..it.end() as u32).collect(),
            keywords: call.keywords.iter().map(|&(at, name)| (at, self.text_of(name))).collect(),
            spread: call.spread,
            span: call.node.start() as u32..call.node.end() as u32,
            targets: Vec::new(),
        });
        for (at, argument) in call.arguments.iter().enumerate() {
            let Some(name) = self.language.argument(self.language.bare(*argument)) else { continue };
            if let Found::Variable(variable) = self.scopes.find(self.scope, self.text_of(name)) {
                let does = Does::Argument(number, at.min(usize::from(u16::MAX)) as u16);
                self.flow.access(instruction, variable, name.start(), does);
            }
        }
    }
}
