//! A graph as users see it: nodes, edges and functions.

use super::model::{FunctionKind, Kind, When};

/// Which edges a graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Control flow of each function.
    Cfg,
    /// Control flow with calls and returns.
    Ipcfg,
    /// Data flow: from definitions to uses.
    Dfg,
    /// Control dependence.
    Cdg,
    /// Data flow and control dependence of each function.
    Pdg,
    /// The system dependence graph: data flow and control dependence, with calls and parameters between functions.
    Sdg,
    /// All edges there are.
    All,
}

impl View {
    pub const ALL: [Self; 7] =
        [Self::Cfg, Self::Ipcfg, Self::Dfg, Self::Cdg, Self::Pdg, Self::Sdg, Self::All];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Cfg => "cfg",
            Self::Ipcfg => "ipcfg",
            Self::Dfg => "dfg",
            Self::Cdg => "cdg",
            Self::Pdg => "pdg",
            Self::Sdg => "sdg",
            Self::All => "all",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.name() == name)
    }

    pub(crate) const fn has_flow(self) -> bool {
        matches!(self, Self::Cfg | Self::Ipcfg | Self::All)
    }

    pub(crate) const fn has_returns(self) -> bool {
        matches!(self, Self::Ipcfg | Self::All)
    }

    pub(crate) const fn has_data(self) -> bool {
        matches!(self, Self::Dfg | Self::Pdg | Self::Sdg | Self::All)
    }

    pub(crate) const fn has_control(self) -> bool {
        matches!(self, Self::Cdg | Self::Pdg | Self::Sdg | Self::All)
    }

    pub(crate) const fn has_system(self) -> bool {
        matches!(self, Self::Sdg | Self::All)
    }
}

/// What an edge means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeKind {
    /// The target runs right after the source.
    Flow,
    /// The source calls the function whose entry the target is.
    Call,
    /// The function whose exit the source is returns to the target.
    Return,
    /// The target may read what the source wrote.
    Data,
    /// The source decides whether the target runs.
    Control,
    /// The source gives a value to a parameter, or to an outer variable, of a called function.
    ParameterIn,
    /// The source gives a value back to the caller.
    ParameterOut,
}

impl EdgeKind {
    pub const ALL: [Self; 7] = [
        Self::Flow,
        Self::Call,
        Self::Return,
        Self::Data,
        Self::Control,
        Self::ParameterIn,
        Self::ParameterOut,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Flow => "flow",
            Self::Call => "call",
            Self::Return => "return",
            Self::Data => "data",
            Self::Control => "control",
            Self::ParameterIn => "parameter-in",
            Self::ParameterOut => "parameter-out",
        }
    }
}

/// One instruction, or one value between functions.
#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// The number of its function.
    pub function: u32,
    /// From 1.
    pub line: u32,
    /// In bytes, from 0.
    pub column: u32,
    /// Its bytes in the text.
    pub start: u32,
    pub end: u32,
    /// Its text on one line.
    pub label: String,
}

/// An edge between two nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    pub kind: EdgeKind,
    /// For flow and control: on which outcome of the source.
    pub when: When,
    /// For data and parameters: the number of the variable, if it has a name.
    pub variable: Option<u32>,
    /// For calls, returns and parameters: whether several functions have the name and take as many arguments.
    pub is_ambiguous: bool,
}

/// A function of the text.
#[derive(Clone, Debug)]
pub struct GraphFunction {
    pub kind: FunctionKind,
    /// Empty for the program's own code, and for a function without a name.
    pub name: String,
    /// The class of a method.
    pub class: Option<String>,
    pub line: u32,
    /// Its nodes; the first one is the entry, the second one the exit.
    pub first: u32,
    pub end: u32,
    /// Whether all edges are there: a function that is too large for them may lack some.
    pub is_whole: bool,
}

impl GraphFunction {
    /// Its name with that of its class.
    pub fn full_name(&self) -> String {
        let own = match self.kind {
            FunctionKind::Program => "<program>",
            FunctionKind::Lambda => "<lambda>",
            FunctionKind::Fields => "<fields>",
            FunctionKind::Function => &self.name,
        };
        match &self.class {
            Some(class) if !class.is_empty() => format!("{class}.{own}"),
            _ => own.to_owned(),
        }
    }
}

/// One view of a program.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    /// Sorted.
    pub edges: Vec<Edge>,
    pub functions: Vec<GraphFunction>,
    /// The names of variables by number.
    pub variables: Vec<String>,
}

impl Graph {
    /// The functions of this name, with or without that of their class, and what is between them.
    pub fn only(&self, name: &str) -> Self {
        let is_kept: Vec<bool> =
            self.functions.iter().map(|it| it.name == name || it.full_name() == name).collect();
        let mut functions = Vec::new();
        let mut number = vec![0; self.functions.len()];
        for (at, function) in self.functions.iter().enumerate().filter(|(at, _)| is_kept[*at]) {
            number[at] = functions.len() as u32;
            functions.push(function.clone());
        }
        let mut place = vec![None; self.nodes.len()];
        let mut nodes = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|(_, it)| is_kept[it.function as usize]) {
            place[at] = Some(nodes.len() as u32);
            nodes.push(Node { function: number[node.function as usize], ..node.clone() });
        }
        for function in &mut functions {
            let count = function.end - function.first;
            function.first = place[function.first as usize].unwrap_or_default();
            function.end = function.first + count;
        }
        let edges = self.edges.iter().filter_map(|edge| {
            let (from, to) = (place[edge.from as usize]?, place[edge.to as usize]?);
            Some(Edge { from, to, ..*edge })
        });
        Self { edges: edges.collect(), nodes, functions, variables: self.variables.clone() }
    }
}
