//! A graph for Graphviz, with a box around each function.

use super::super::{EdgeKind, Graph, NodeKind, View};
use super::mark;
use crate::text::{number, string};

/// Writes a graph. `source` names the program.
pub fn program(source: &str, graph: &Graph, view: View, out: &mut Vec<u8>) {
    out.extend_from_slice(b"digraph ");
    string(format!("{source} ({})", view.name()).as_bytes(), out);
    out.extend_from_slice(b" {\n  node [shape=box, fontname=\"monospace\"];\n");
    let mut by_function = vec![Vec::new(); graph.functions.len()];
    for (id, node) in (0_u32..).zip(&graph.nodes) {
        by_function[node.function as usize].push(id);
    }
    for (at, function) in (0..).zip(&graph.functions) {
        out.extend_from_slice(b"  subgraph cluster_");
        number(at, out);
        out.extend_from_slice(b" {\n    label=");
        string(function.full_name().as_bytes(), out);
        out.extend_from_slice(b";\n");
        for id in &by_function[at as usize] {
            let node = &graph.nodes[*id as usize];
            out.extend_from_slice(b"    ");
            number(*id, out);
            out.extend_from_slice(b" [label=");
            string(node.label.as_bytes(), out);
            out.extend_from_slice(shape(node.kind));
        }
        out.extend_from_slice(b"  }\n");
    }
    for edge in &graph.edges {
        out.extend_from_slice(b"  ");
        number(edge.from, out);
        out.extend_from_slice(b" -> ");
        number(edge.to, out);
        out.extend_from_slice(b" [");
        out.extend_from_slice(line(edge.kind).as_bytes());
        let mark = mark(graph, edge);
        if !mark.is_empty() {
            out.extend_from_slice(b", label=");
            string(mark.as_bytes(), out);
        }
        out.extend_from_slice(b"];\n");
    }
    out.extend_from_slice(b"}\n");
}

fn shape(kind: NodeKind) -> &'static [u8] {
    match kind {
        NodeKind::Entry | NodeKind::Exit => b", shape=ellipse];\n",
        NodeKind::Condition | NodeKind::Loop | NodeKind::Switch | NodeKind::Case | NodeKind::Handler => {
            b", shape=diamond];\n"
        }
        NodeKind::ActualIn | NodeKind::ActualOut | NodeKind::FormalIn | NodeKind::FormalOut => {
            b", shape=note];\n"
        }
        _ => b"];\n",
    }
}

/// How an edge of a kind is drawn.
fn line(kind: EdgeKind) -> &'static str {
    match kind {
        EdgeKind::Flow => "color=\"black\"",
        EdgeKind::Call | EdgeKind::Return => "color=\"#8a3ffc\", style=bold",
        EdgeKind::Data => "color=\"#0f62fe\"",
        EdgeKind::Control => "color=\"#da1e28\", style=dashed",
        EdgeKind::ParameterIn | EdgeKind::ParameterOut => "color=\"#007d79\", style=dotted",
    }
}
