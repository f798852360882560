//! Code graphs as a Parquet table: a row for each program, with lists of functions, nodes and edges.

use super::super::{Dead, Graph, View};
use crate::columns::{Flags, Lengths, Numbers, Plain, RowGroup, Strings};

/// The columns. The id of a node or of a function is its place in its list.
pub const SCHEMA: &str = "message graphs {
  required binary id (UTF8);
  required binary language (UTF8);
  required binary type (UTF8);
  required int32 first_error_line;
  required int32 statements;
  required int32 unreachable;
  required int32 without_effect;
  required group functions (LIST) {
    repeated group list {
      required group element {
        required binary name (UTF8);
        required int32 line;
        required int32 entry;
        required int32 exit;
        required boolean complete;
      }
    }
  }
  required group nodes (LIST) {
    repeated group list {
      required group element {
        required binary label (UTF8);
        required binary node_type (UTF8);
        required int32 function;
        required int32 line;
        required int32 column;
        required int32 start;
        required int32 end;
      }
    }
  }
  required group edges (LIST) {
    repeated group list {
      required group element {
        required int32 source;
        required int32 target;
        required binary type (UTF8);
        required binary when (UTF8);
        required binary variable (UTF8);
        required boolean ambiguous;
      }
    }
  }
}";

/// What stands for a number that there is none of.
const NONE: u32 = u32::MAX;

/// What is said of a program beside its graph.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'p> {
    pub id: &'p str,
    pub language: &'p str,
    pub view: View,
    /// Where the first thing stands that the grammar does not allow.
    pub first_error_line: Option<u32>,
    pub dead: Dead,
}

/// The graphs of some programs. What it takes it keeps for the next ones.
#[derive(Debug, Default)]
pub struct Table {
    ids: Plain,
    languages: Strings,
    views: Strings,
    errors: Numbers,
    statements: Numbers,
    unreachable: Numbers,
    without_effect: Numbers,
    functions: Functions,
    nodes: Nodes,
    edges: Edges,
}

#[derive(Debug, Default)]
struct Functions {
    lengths: Lengths,
    names: Strings,
    lines: Numbers,
    entries: Numbers,
    exits: Numbers,
    whole: Flags,
}

#[derive(Debug, Default)]
struct Nodes {
    lengths: Lengths,
    labels: Strings,
    kinds: Strings,
    functions: Numbers,
    lines: Numbers,
    columns: Numbers,
    starts: Numbers,
    ends: Numbers,
}

#[derive(Debug, Default)]
struct Edges {
    lengths: Lengths,
    sources: Numbers,
    targets: Numbers,
    kinds: Strings,
    whens: Strings,
    variables: Strings,
    ambiguous: Flags,
}

fn add(column: &mut Strings, text: &str) {
    column.add(text.as_bytes(), 0, text.len());
}

impl Table {
    /// Adds a program.
    pub fn add(&mut self, facts: Facts<'_>, graph: &Graph) {
        self.ids.add(facts.id);
        add(&mut self.languages, facts.language);
        add(&mut self.views, facts.view.name());
        self.errors.0.push(facts.first_error_line.unwrap_or(NONE));
        self.statements.0.push(facts.dead.statements as u32);
        self.unreachable.0.push(facts.dead.unreachable as u32);
        self.without_effect.0.push(facts.dead.without_effect as u32);
        self.functions.lengths.add(graph.functions.len());
        for function in &graph.functions {
            add(&mut self.functions.names, &function.full_name());
            self.functions.lines.0.push(function.line);
            self.functions.entries.0.push(function.first);
            self.functions.exits.0.push(function.first + 1);
            self.functions.whole.add(function.is_whole);
        }
        self.nodes.lengths.add(graph.nodes.len());
        for node in &graph.nodes {
            add(&mut self.nodes.labels, &node.label);
            add(&mut self.nodes.kinds, node.kind.name());
            self.nodes.functions.0.push(node.function);
            self.nodes.lines.0.push(node.line);
            self.nodes.columns.0.push(node.column);
            self.nodes.starts.0.push(node.start);
            self.nodes.ends.0.push(node.end);
        }
        self.edges.lengths.add(graph.edges.len());
        for edge in &graph.edges {
            self.edges.sources.0.push(edge.from);
            self.edges.targets.0.push(edge.to);
            add(&mut self.edges.kinds, edge.kind.name());
            add(&mut self.edges.whens, edge.when.name());
            add(&mut self.edges.variables, edge.variable.map_or("", |it| &graph.variables[it as usize]));
            self.edges.ambiguous.add(edge.is_ambiguous);
        }
    }

    /// Gives the rows of all programs, and starts anew.
    pub fn take(&mut self) -> RowGroup {
        let (functions, nodes, edges) = (&mut self.functions, &mut self.nodes, &mut self.edges);
        let of_functions = functions.lengths.take();
        let (of_nodes, of_edges) = (nodes.lengths.take(), edges.lengths.take());
        let columns = vec![
            self.ids.take(),
            self.languages.take_rows(),
            self.views.take_rows(),
            self.errors.take_rows(),
            self.statements.take_rows(),
            self.unreachable.take_rows(),
            self.without_effect.take_rows(),
            functions.names.take(&of_functions),
            functions.lines.take(&of_functions),
            functions.entries.take(&of_functions),
            functions.exits.take(&of_functions),
            functions.whole.take(&of_functions),
            nodes.labels.take(&of_nodes),
            nodes.kinds.take(&of_nodes),
            nodes.functions.take(&of_nodes),
            nodes.lines.take(&of_nodes),
            nodes.columns.take(&of_nodes),
            nodes.starts.take(&of_nodes),
            nodes.ends.take(&of_nodes),
            edges.sources.take(&of_edges),
            edges.targets.take(&of_edges),
            edges.kinds.take(&of_edges),
            edges.whens.take(&of_edges),
            edges.variables.take(&of_edges),
            edges.ambiguous.take(&of_edges),
        ];
        RowGroup { rows: of_nodes.rows, columns }
    }
}
