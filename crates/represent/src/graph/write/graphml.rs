//! Graphs as GraphML, one after another in one document.

use super::super::{Graph, View};
use super::{escaped, mark};
use crate::text::number;

/// The beginning of a document.
pub const HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n",
    "<key id=\"name\" for=\"graph\" attr.name=\"src-file\" attr.type=\"string\"/>\n",
    "<key id=\"view\" for=\"graph\" attr.name=\"type\" attr.type=\"string\"/>\n",
    "<key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>\n",
    "<key id=\"kind\" for=\"node\" attr.name=\"node-type\" attr.type=\"string\"/>\n",
    "<key id=\"function\" for=\"node\" attr.name=\"function\" attr.type=\"string\"/>\n",
    "<key id=\"line\" for=\"node\" attr.name=\"line\" attr.type=\"int\"/>\n",
    "<key id=\"column\" for=\"node\" attr.name=\"column\" attr.type=\"int\"/>\n",
    "<key id=\"type\" for=\"edge\" attr.name=\"type\" attr.type=\"string\"/>\n",
    "<key id=\"mark\" for=\"edge\" attr.name=\"mark\" attr.type=\"string\"/>\n",
    "<key id=\"ambiguous\" for=\"edge\" attr.name=\"ambiguous\" attr.type=\"boolean\"/>\n",
);

/// The end of a document.
pub const FOOT: &str = "</graphml>\n";

/// Writes a graph as a part of a document. `source` names the program. The ids of its nodes begin with that of the graph, which is a
/// hash of `source`, so that they are not those of another program.
pub fn program(source: &str, graph: &Graph, view: View, out: &mut Vec<u8>) {
    let own = format!("g{:016x}", hash(source));
    let id = |node: u32, out: &mut Vec<u8>| {
        out.extend_from_slice(own.as_bytes());
        out.push(b'n');
        number(node, out);
    };
    out.extend_from_slice(format!("<graph id=\"{own}\" edgedefault=\"directed\">\n").as_bytes());
    data("name", source, out);
    data("view", view.name(), out);
    let names: Vec<String> = graph.functions.iter().map(super::super::GraphFunction::full_name).collect();
    for (at, node) in (0..).zip(&graph.nodes) {
        out.extend_from_slice(b"<node id=\"");
        id(at, out);
        out.extend_from_slice(b"\">");
        data("label", &node.label, out);
        data("kind", node.kind.name(), out);
        data("function", &names[node.function as usize], out);
        data("line", &node.line.to_string(), out);
        data("column", &node.column.to_string(), out);
        out.extend_from_slice(b"</node>\n");
    }
    for edge in &graph.edges {
        out.extend_from_slice(b"<edge source=\"");
        id(edge.from, out);
        out.extend_from_slice(b"\" target=\"");
        id(edge.to, out);
        out.extend_from_slice(b"\">");
        data("type", edge.kind.name(), out);
        let mark = mark(graph, edge);
        if !mark.is_empty() {
            data("mark", mark, out);
        }
        if edge.is_ambiguous {
            data("ambiguous", "true", out);
        }
        out.extend_from_slice(b"</edge>\n");
    }
    out.extend_from_slice(b"</graph>\n");
}

/// FNV-1a.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

fn data(key: &str, value: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"<data key=\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\">");
    escaped(value, out);
    out.extend_from_slice(b"</data>");
}
