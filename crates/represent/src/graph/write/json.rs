//! A graph as JSON in the form of CodeNet's graph schema, with kinds of edges.

use super::super::{Edge, Graph, GraphFunction, Node, View, When};
use crate::text::{number, string};

/// Writes a graph on one line. `source` names the program.
pub fn row(source: &str, graph: &Graph, view: View, out: &mut Vec<u8>) {
    write(source, graph, view, "", out);
}

/// Writes a graph with each function, node and edge on a line of its own.
pub fn lines(source: &str, graph: &Graph, view: View, out: &mut Vec<u8>) {
    write(source, graph, view, "\n", out);
}

fn write(source: &str, graph: &Graph, view: View, between: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    string(source.as_bytes(), out);
    out.extend_from_slice(b",\"graph\":{\"version\":\"1.0\",\"src-file\":");
    string(source.as_bytes(), out);
    out.extend_from_slice(b",\"type\":");
    string(view.name().as_bytes(), out);
    out.extend_from_slice(b",\"directed\":true,\"num-of-nodes\":");
    number(graph.nodes.len() as u32, out);
    out.extend_from_slice(b",\"num-of-edges\":");
    number(graph.edges.len() as u32, out);
    list("functions", &graph.functions, between, out, |function, _, out| object(function, out));
    list("nodes", &graph.nodes, between, out, self::node);
    list("edges", &graph.edges, between, out, |edge, _, out| self::edge(graph, edge, out));
    out.extend_from_slice(b"}}\n");
}

fn list<T>(name: &str, items: &[T], between: &str, out: &mut Vec<u8>, write: impl Fn(&T, u32, &mut Vec<u8>)) {
    out.push(b',');
    string(name.as_bytes(), out);
    out.extend_from_slice(b":[");
    for (at, item) in (0..).zip(items) {
        out.extend_from_slice(if at == 0 { &b""[..] } else { b"," });
        out.extend_from_slice(between.as_bytes());
        write(item, at, out);
    }
    out.extend_from_slice(between.as_bytes());
    out.push(b']');
}

fn key(name: &str, out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    string(name.as_bytes(), out);
    out.push(b':');
}

fn text(name: &str, value: &str, out: &mut Vec<u8>) {
    key(name, out);
    string(value.as_bytes(), out);
}

fn count(name: &str, value: u32, out: &mut Vec<u8>) {
    key(name, out);
    number(value, out);
}

fn object(function: &GraphFunction, out: &mut Vec<u8>) {
    out.push(b'{');
    text("name", &function.full_name(), out);
    count("line", function.line, out);
    count("entry", function.first, out);
    count("exit", function.first + 1, out);
    if !function.is_whole {
        key("complete", out);
        out.extend_from_slice(b"false");
    }
    out.push(b'}');
}

fn node(node: &Node, id: u32, out: &mut Vec<u8>) {
    out.push(b'{');
    count("id", id, out);
    text("label", &node.label, out);
    text("node-type", node.kind.name(), out);
    count("function", node.function, out);
    count("line", node.line, out);
    count("column", node.column, out);
    count("start", node.start, out);
    count("end", node.end, out);
    out.push(b'}');
}

fn edge(graph: &Graph, edge: &Edge, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"between\":[");
    number(edge.from, out);
    out.push(b',');
    number(edge.to, out);
    out.push(b']');
    text("type", edge.kind.name(), out);
    if edge.when != When::Always {
        text("when", edge.when.name(), out);
    }
    if let Some(variable) = edge.variable {
        text("variable", &graph.variables[variable as usize], out);
    }
    if edge.is_ambiguous {
        key("ambiguous", out);
        out.extend_from_slice(b"true");
    }
    out.push(b'}');
}
