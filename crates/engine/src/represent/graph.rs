//! Code graphs, in each format.

use std::fs::File;
use std::io;

use familiar_represent::graph::write::table::Facts;
use familiar_represent::graph::write::{dot, graphml, json, svg, table};
use familiar_represent::graph::{Graph, Program as Read, parse};
use familiar_source::{LineIndex, memory};
use familiar_syntax::Limits;

use super::{Form, Program, Programs, Rows, Table};

pub use familiar_represent::graph::View;

/// An empty table of graphs in an empty file.
pub fn table(file: File) -> io::Result<Table> {
    Table::new(file, table::SCHEMA)
}

/// Bytes that a node and an edge take in a text format, beside the label.
const TEXT_OF_A_NODE: usize = 240;
const TEXT_OF_AN_EDGE: usize = 80;

/// A text format of graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphFormat {
    /// Each graph on a line.
    Json,
    /// Each node on a line.
    JsonLines,
    GraphMl,
    Dot,
    Svg,
}

impl GraphFormat {
    /// What stands before all graphs.
    pub fn head(self) -> &'static [u8] {
        if self == Self::GraphMl { graphml::HEAD.as_bytes() } else { b"" }
    }

    /// What stands behind all graphs.
    pub fn foot(self) -> &'static [u8] {
        if self == Self::GraphMl { graphml::FOOT.as_bytes() } else { b"" }
    }
}

/// Which graphs are made.
#[derive(Clone, Debug)]
pub struct GraphOptions {
    pub view: View,
    /// Only functions of this name.
    pub function: Option<String>,
    /// Leave out programs that the grammar does not allow.
    pub without_errors: bool,
    /// In bytes.
    pub memory: usize,
}

impl GraphOptions {
    /// Gives the graph of each program to `add`, which says why it does not take one.
    pub(super) fn each(
        &self,
        programs: &mut Programs<'_>,
        mut add: impl FnMut(&Program<'_>, &Graph, Facts<'_>) -> Result<(), String>,
    ) {
        let budget = Limits::of_memory(self.memory).tree;
        programs.each(|program| {
            let code = program.code();
            let text = String::from_utf8_lossy(&code);
            let language = program.code_language();
            let nodes = parse(language, &text, budget).map_err(|it| it.to_string())?;
            let line = |at: usize| LineIndex::new(text.as_bytes()).line(at as u32);
            let first_error_line = nodes.first_error().map(line);
            if let Some(line) = first_error_line.filter(|_| self.without_errors) {
                let name = program.language.name();
                return Err(format!("line {line}: the grammar of {name} does not allow what stands there"));
            }
            let read = Read::of(language, &nodes, &text).map_err(|it| it.to_string())?;
            let (id, name, view) = (program.id, program.language.name(), self.view);
            let facts = Facts { id, language: name, view, first_error_line, dead: read.dead() };
            let graph = read.graph(self.view);
            match &self.function {
                None => add(program, &graph, facts),
                Some(name) => {
                    let one = graph.only(name);
                    if one.functions.is_empty() {
                        return Err(format!("it has no function {name}"));
                    }
                    add(program, &one, facts)
                }
            }
        });
    }
}

/// Graphs as text.
#[derive(Clone, Debug)]
pub struct GraphText {
    pub format: GraphFormat,
    pub options: GraphOptions,
}

impl Form for GraphText {
    type Made = Vec<u8>;

    const GROWTH: usize = 512;

    type Worker = ();

    fn worker(&self) {}

    fn make(&self, (): &mut (), programs: &mut Programs<'_>) -> Vec<u8> {
        let most = memory::budget(self.options.memory) / 4;
        let view = self.options.view;
        let mut out = Vec::new();
        self.options.each(programs, |program, graph, _| {
            let size = graph.nodes.len() * TEXT_OF_A_NODE + graph.edges.len() * TEXT_OF_AN_EDGE;
            if size + program.text.len() > most {
                return Err("its graph takes more than this --memory allows".to_owned());
            }
            match self.format {
                GraphFormat::Json => json::row(program.id, graph, view, &mut out),
                GraphFormat::JsonLines => json::lines(program.id, graph, view, &mut out),
                GraphFormat::GraphMl => graphml::program(program.id, graph, view, &mut out),
                GraphFormat::Dot => dot::program(program.id, graph, view, &mut out),
                GraphFormat::Svg => svg::program(program.id, graph, view, &mut out),
            }
            Ok(())
        });
        out
    }
}

/// Graphs as rows of a table, one row for each program.
#[derive(Clone, Debug)]
pub struct GraphTable {
    pub options: GraphOptions,
}

impl Form for GraphTable {
    type Made = Rows;

    const GROWTH: usize = 128;

    type Worker = table::Table;

    fn worker(&self) -> table::Table {
        table::Table::default()
    }

    fn make(&self, table: &mut table::Table, programs: &mut Programs<'_>) -> Rows {
        self.options.each(programs, |_, graph, facts| {
            table.add(facts, graph);
            Ok(())
        });
        table.take()
    }
}
