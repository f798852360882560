//! One graph of all functions: calls, returns, parameters (Horwitz, Reps and Binkley 1990, Sections 2 and 4).
//!
//! A function that is called has a node for each value that goes in or out: its parameters, its result, and the outer
//! variables that it reads or writes. Each call of it has the nodes that correspond. Calls of functions that are not in
//! the text have none.

use familiar_source::LineIndex;
use rustc_hash::FxHashMap;

use super::calls::arguments;
use super::model::{ENTRY, EXIT, Function, FunctionKind, Kind, Site, When};
use super::program::{Facts, Program};
use super::view::{Edge, EdgeKind, Graph, GraphFunction, Node, View};

/// The longest label, in bytes.
const MOST_OF_LABEL: usize = 200;

/// Nodes between functions may be so many for each instruction before the rest is left out.
const MOST_FOR_EACH: usize = 8;
const MOST_IN_ANY_CASE: usize = 10_000;
/// Edges may be so many for each of these nodes.
const MOST_EDGES: usize = 16;

pub(super) fn graph(program: &Program<'_>, view: View) -> Graph {
    let mut writer = Writer::new(program);
    for at in 0..program.functions.len() {
        writer.function(at);
    }
    writer.most = writer.graph.nodes.len() * MOST_FOR_EACH + MOST_IN_ANY_CASE;
    let system = if view.has_system() { System::of(&mut writer) } else { System::default() };
    for (at, (function, facts)) in program.functions.iter().zip(&program.facts).enumerate() {
        let Some(base) = writer.base[at] else { continue };
        if view.has_flow() {
            for edge in &function.flow {
                writer.edge(base + edge.from, base + edge.to, EdgeKind::Flow, edge.when);
            }
        }
        if view.has_control() {
            for edge in &facts.control.dependences {
                writer.edge(base + edge.on, base + edge.node, EdgeKind::Control, edge.when);
            }
        }
        if view.has_data() {
            writer.data(at as u32, base, facts, &system);
        }
        if view.has_returns() || view.has_system() {
            writer.calls(function, base, view.has_returns());
        }
        if view.has_system() {
            writer.parameters(at as u32, function, base, facts, &system);
        }
    }
    writer.finish()
}

/// The nodes through which values go into functions and out of them.
#[derive(Default)]
struct System {
    /// By function and variable.
    formal_in: FxHashMap<(u32, u32), u32>,
    formal_out: FxHashMap<(u32, u32), u32>,
    result: FxHashMap<u32, u32>,
}

impl System {
    fn of(writer: &mut Writer<'_, '_>) -> Self {
        let program = writer.program;
        let mut system = Self::default();
        let mut called: Vec<u32> = program
            .functions
            .iter()
            .flat_map(|it| &it.sites)
            .flat_map(|it| it.targets.iter().copied())
            .collect();
        called.sort_unstable();
        called.dedup();
        for at in called {
            let Some(base) = writer.base[at as usize] else { continue };
            let (function, outside) = (&program.functions[at as usize], &program.outside[at as usize]);
            let place = (function.start, function.start);
            for variable in &outside.reads {
                let label = program.variables[*variable as usize].name;
                let Some(node) = writer.between(Kind::FormalIn, at, place, label) else { break };
                system.formal_in.insert((at, *variable), node);
                writer.edge(base + ENTRY, node, EdgeKind::Control, When::Always);
            }
            let changed = function.parameters.iter().zip(&outside.changes).filter(|it| *it.1);
            let changed = changed.filter_map(|it| it.0.variable);
            for variable in outside.writes.iter().copied().chain(changed) {
                let label = program.variables[variable as usize].name;
                let Some(node) = writer.between(Kind::FormalOut, at, place, label) else { break };
                system.formal_out.insert((at, variable), node);
                writer.edge(base + ENTRY, node, EdgeKind::Control, When::Always);
            }
            let gives = |kind: Kind| matches!(kind, Kind::Return | Kind::Yield);
            if function.instructions.iter().any(|it| gives(it.kind)) {
                let Some(node) = writer.between(Kind::FormalOut, at, place, "result") else { break };
                system.result.insert(at, node);
                writer.edge(base + ENTRY, node, EdgeKind::Control, When::Always);
                for (number, instruction) in function.instructions.iter().enumerate() {
                    let reached = program.facts[at as usize].control.reached[number];
                    if gives(instruction.kind) && reached {
                        writer.edge(base + number as u32, node, EdgeKind::Data, When::Always);
                    }
                }
            }
        }
        system
    }
}

struct Writer<'p, 't> {
    program: &'p Program<'t>,
    lines: LineIndex,
    graph: Graph,
    /// The first node of each function; `None` for one that is left out.
    base: Vec<Option<u32>>,
    number: Vec<u32>,
    names: FxHashMap<u32, u32>,
    most: usize,
    is_whole: bool,
}

impl<'p, 't> Writer<'p, 't> {
    fn new(program: &'p Program<'t>) -> Self {
        Self {
            program,
            lines: LineIndex::new(program.text.as_bytes()),
            graph: Graph::default(),
            base: Vec::new(),
            number: Vec::new(),
            names: FxHashMap::default(),
            most: 0,
            is_whole: true,
        }
    }

    /// The instructions of a function; code outside of functions only where there is some.
    fn function(&mut self, at: usize) {
        let (function, facts) = (&self.program.functions[at], &self.program.facts[at]);
        let is_empty = function.instructions.len() == 2;
        let leaves_out = match function.kind {
            FunctionKind::Program => is_empty && !self.program.language.is_script(),
            FunctionKind::Fields => is_empty,
            FunctionKind::Function | FunctionKind::Lambda => false,
        };
        self.number.push(self.graph.functions.len() as u32);
        if leaves_out {
            self.base.push(None);
            return;
        }
        let base = self.graph.nodes.len() as u32;
        self.base.push(Some(base));
        let number = self.graph.functions.len() as u32;
        for instruction in &function.instructions {
            let (start, end) = (instruction.start, instruction.end);
            let label = match instruction.kind {
                Kind::Entry | Kind::Exit => instruction.kind.name().to_owned(),
                kind => label(self.program.text, kind, start, end),
            };
            let node = self.node(instruction.kind, number, (start, end), label);
            self.graph.nodes.push(node);
        }
        self.graph.functions.push(GraphFunction {
            kind: function.kind,
            name: function.name.to_owned(),
            class: function.class.map(str::to_owned),
            line: self.lines.line(function.start),
            first: base,
            end: self.graph.nodes.len() as u32,
            is_whole: facts.is_whole && facts.control.is_whole,
        });
    }

    fn node(&self, kind: Kind, function: u32, (start, end): (u32, u32), label: String) -> Node {
        let line = self.lines.line(start);
        let column = start - self.lines.start_of(line);
        Node { kind, function, line, column, start, end, label }
    }

    /// A node through which a value goes from one function to another; `None` where there are too many.
    fn between(&mut self, kind: Kind, function: u32, place: (u32, u32), label: &str) -> Option<u32> {
        if self.graph.nodes.len() >= self.most || self.graph.edges.len() >= self.most * MOST_EDGES {
            self.is_whole = false;
            return None;
        }
        let node = self.node(kind, self.number[function as usize], place, label.to_owned());
        self.graph.nodes.push(node);
        Some(self.graph.nodes.len() as u32 - 1)
    }

    fn edge(&mut self, from: u32, to: u32, kind: EdgeKind, when: When) {
        self.graph.edges.push(Edge { from, to, kind, when, variable: None, is_ambiguous: false });
    }

    fn value(&mut self, from: u32, to: u32, kind: EdgeKind, variable: u32, is_ambiguous: bool) {
        let variable = self.name(variable);
        self.graph.edges.push(Edge { from, to, kind, when: When::Always, variable, is_ambiguous });
    }

    /// The number of a variable among those that the graph names.
    fn name(&mut self, variable: u32) -> Option<u32> {
        let name = self.program.variables[variable as usize].name;
        if name.is_empty() {
            return None;
        }
        let next = self.graph.variables.len() as u32;
        let number = *self.names.entry(variable).or_insert(next);
        if number == next {
            self.graph.variables.push(name.to_owned());
        }
        Some(number)
    }

    fn data(&mut self, at: u32, base: u32, facts: &Facts, system: &System) {
        for edge in &facts.data {
            let from = match edge.from {
                ENTRY => system.formal_in.get(&(at, edge.variable)).copied(),
                _ => None,
            };
            let to = match edge.to {
                EXIT => system.formal_out.get(&(at, edge.variable)).copied(),
                _ => None,
            };
            let (from, to) = (from.unwrap_or(base + edge.from), to.unwrap_or(base + edge.to));
            self.value(from, to, EdgeKind::Data, edge.variable, false);
        }
    }

    fn calls(&mut self, function: &Function<'_>, base: u32, returns: bool) {
        for site in &function.sites {
            let is_ambiguous = site.targets.len() > 1;
            for target in &site.targets {
                let Some(other) = self.base[*target as usize] else { continue };
                let from = base + site.instruction;
                let when = When::Always;
                let edge = Edge {
                    from,
                    to: other + ENTRY,
                    kind: EdgeKind::Call,
                    when,
                    variable: None,
                    is_ambiguous,
                };
                self.graph.edges.push(edge);
                let first = function.flow.partition_point(|it| it.from < site.instruction);
                let on = function.flow[first..].iter().take_while(|it| it.from == site.instruction);
                for next in on.filter(|it| returns && it.when != When::Exception) {
                    let (from, to) = (other + EXIT, base + next.to);
                    let kind = EdgeKind::Return;
                    self.graph.edges.push(Edge { from, to, kind, when, variable: None, is_ambiguous });
                }
            }
        }
    }

    /// What a function's calls give and take.
    fn parameters(&mut self, at: u32, function: &Function<'_>, base: u32, facts: &Facts, system: &System) {
        // Data edges by the instruction to which they lead.
        let mut into: Vec<_> = facts.data.iter().map(|it| (it.to, it.variable, it.from)).collect();
        into.sort_unstable();
        for site in function.sites.iter().filter(|it| !it.targets.is_empty()) {
            let mut at_site = AtSite {
                at,
                base,
                site,
                inside: &into,
                ins: FxHashMap::default(),
                outs: FxHashMap::default(),
            };
            let is_ambiguous = site.targets.len() > 1;
            for target in &site.targets {
                if self.base[*target as usize].is_none() {
                    continue;
                }
                self.given(&mut at_site, *target, function, system, is_ambiguous);
                self.taken(&mut at_site, *target, system, is_ambiguous);
            }
        }
    }

    fn given(
        &mut self,
        at_site: &mut AtSite<'_, '_>,
        target: u32,
        function: &Function<'_>,
        system: &System,
        is_ambiguous: bool,
    ) {
        let program = self.program;
        let Some(other) = self.base[target as usize] else { return };
        let called = &program.functions[target as usize];
        for (argument, parameter) in arguments(program.language, called, at_site.site) {
            let span = at_site.site.arguments[argument].clone();
            let place = (span.start, span.end);
            let Some(node) = at_site.actual_in(self, Value::Argument(argument), place, function) else {
                return;
            };
            let to = other + called.parameters[parameter].instruction;
            if let Some(variable) = called.parameters[parameter].variable {
                self.value(node, to, EdgeKind::ParameterIn, variable, is_ambiguous);
            } else {
                let kind = EdgeKind::ParameterIn;
                let when = When::Always;
                self.graph.edges.push(Edge { from: node, to, kind, when, variable: None, is_ambiguous });
            }
        }
        for variable in &program.outside[target as usize].reads {
            let Some(to) = system.formal_in.get(&(target, *variable)) else { continue };
            let place = (at_site.site.span.start, at_site.site.span.end);
            let Some(node) = at_site.actual_in(self, Value::Variable(*variable), place, function) else {
                return;
            };
            self.value(node, *to, EdgeKind::ParameterIn, *variable, is_ambiguous);
        }
    }

    fn taken(&mut self, at_site: &mut AtSite<'_, '_>, target: u32, system: &System, is_ambiguous: bool) {
        let program = self.program;
        if let Some(from) = system.result.get(&target) {
            let Some(node) = at_site.actual_out(self, Value::Result) else { return };
            let (from, kind, when) = (*from, EdgeKind::ParameterOut, When::Always);
            self.graph.edges.push(Edge { from, to: node, kind, when, variable: None, is_ambiguous });
        }
        let outside = &program.outside[target as usize];
        for variable in &outside.writes {
            let Some(from) = system.formal_out.get(&(target, *variable)) else { continue };
            let Some(node) = at_site.actual_out(self, Value::Variable(*variable)) else { return };
            self.value(*from, node, EdgeKind::ParameterOut, *variable, is_ambiguous);
        }
        let called = &program.functions[target as usize];
        for (argument, parameter) in arguments(program.language, called, at_site.site) {
            let Some(variable) = called.parameters[parameter].variable else { continue };
            let Some(from) = system.formal_out.get(&(target, variable)) else { continue };
            let Some(node) = at_site.actual_out(self, Value::Argument(argument)) else { return };
            self.value(*from, node, EdgeKind::ParameterOut, variable, is_ambiguous);
        }
    }

    fn finish(mut self) -> Graph {
        self.graph.edges.sort_unstable();
        self.graph.edges.dedup();
        if !self.is_whole {
            for function in &mut self.graph.functions {
                function.is_whole = false;
            }
        }
        self.graph
    }
}

/// A value that a call gives or takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Value {
    Argument(usize),
    Variable(u32),
    Result,
}

/// The nodes of one call, which all functions that it may run share.
struct AtSite<'s, 't> {
    at: u32,
    base: u32,
    site: &'s Site<'t>,
    /// Data edges as target, variable, source; sorted.
    inside: &'s [(u32, u32, u32)],
    ins: FxHashMap<Value, u32>,
    outs: FxHashMap<Value, u32>,
}

impl AtSite<'_, '_> {
    fn actual_in(
        &mut self,
        writer: &mut Writer<'_, '_>,
        value: Value,
        place: (u32, u32),
        function: &Function<'_>,
    ) -> Option<u32> {
        if let Some(node) = self.ins.get(&value) {
            return Some(*node);
        }
        let program = writer.program;
        let label = match value {
            Value::Variable(variable) => program.variables[variable as usize].name.to_owned(),
            _ => label(program.text, Kind::ActualIn, place.0, place.1),
        };
        let node = writer.between(Kind::ActualIn, self.at, place, &label)?;
        self.ins.insert(value, node);
        writer.edge(self.base + self.site.instruction, node, EdgeKind::Control, When::Always);
        let mut read = if let Value::Variable(variable) = value {
            vec![variable]
        } else {
            let first = function.accesses.partition_point(|it| it.instruction < self.site.instruction);
            let own = function.accesses[first..].iter();
            own.take_while(|it| it.instruction == self.site.instruction)
                .filter(|it| place.0 <= it.at && it.at < place.1 && it.does == super::model::Does::Use)
                .map(|it| it.variable)
                .collect()
        };
        read.sort_unstable();
        read.dedup();
        for variable in read {
            let first = self.inside.partition_point(|it| (it.0, it.1) < (self.site.instruction, variable));
            let sources = self.inside[first..].iter();
            for source in sources.take_while(|it| (it.0, it.1) == (self.site.instruction, variable)) {
                writer.value(self.base + source.2, node, EdgeKind::Data, variable, false);
            }
        }
        Some(node)
    }

    fn actual_out(&mut self, writer: &mut Writer<'_, '_>, value: Value) -> Option<u32> {
        if let Some(node) = self.outs.get(&value) {
            return Some(*node);
        }
        let program = writer.program;
        let span = &self.site.span;
        let (place, label) = match value {
            Value::Result => ((span.start, span.end), "result".to_owned()),
            Value::Variable(it) => ((span.start, span.end), program.variables[it as usize].name.to_owned()),
            Value::Argument(it) => {
                let span = &self.site.arguments[it];
                ((span.start, span.end), label(program.text, Kind::ActualOut, span.start, span.end))
            }
        };
        let node = writer.between(Kind::ActualOut, self.at, place, &label)?;
        self.outs.insert(value, node);
        let instruction = self.base + self.site.instruction;
        writer.edge(instruction, node, EdgeKind::Control, When::Always);
        writer.edge(node, instruction, EdgeKind::Data, When::Always);
        Some(node)
    }
}

/// A piece of the text on one line, without what ends a statement or begins a block.
fn label(text: &str, kind: Kind, start: u32, end: u32) -> String {
    let mut label = String::new();
    if kind == Kind::Close {
        label.push_str("close ");
    }
    let text = text.get(start as usize..end as usize).unwrap_or_default();
    let text = text.trim().trim_end_matches([';', '{', ':']).trim_end();
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            label.push(' ');
        }
        label.push_str(word);
        if label.len() > MOST_OF_LABEL {
            let mut end = MOST_OF_LABEL;
            while !label.is_char_boundary(end) {
                end -= 1;
            }
            label.truncate(end);
            label.push('…');
            break;
        }
    }
    label
}
