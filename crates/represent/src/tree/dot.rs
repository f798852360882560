//! A simplified parse tree as a graph for Graphviz.

use super::Tree;
use crate::text::{number, string};

/// Writes a tree. `source` names the program.
pub fn program(source: &str, tree: &Tree<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"digraph ");
    string(source.as_bytes(), out);
    out.extend_from_slice(b" {\n  node [shape=box];\n");
    let mut label = String::new();
    for (id, node) in (0..).zip(tree.nodes()) {
        label.clear();
        tree.label(node, &mut label);
        out.extend_from_slice(b"  ");
        number(id, out);
        out.extend_from_slice(b" [label=");
        string(label.as_bytes(), out);
        out.extend_from_slice(if node.is_token() { &b"];\n"[..] } else { b", shape=ellipse];\n" });
    }
    for (id, node) in (0..).zip(tree.nodes()).skip(1) {
        out.extend_from_slice(b"  ");
        number(node.parent, out);
        out.extend_from_slice(b" -> ");
        number(id, out);
        out.extend_from_slice(b";\n");
    }
    out.extend_from_slice(b"}\n");
}
