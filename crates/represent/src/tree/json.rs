//! A simplified parse tree as the JSON that CodeNet's generator writes.

use super::{Node, Tree};
use crate::text::{number, string};

/// Writes a tree on one line. `source` names the program.
pub fn row(source: &str, tree: &Tree<'_>, out: &mut Vec<u8>) {
    write(source, tree, "", out);
}

/// Writes a tree with each node and each edge on a line of its own.
pub fn lines(source: &str, tree: &Tree<'_>, out: &mut Vec<u8>) {
    write(source, tree, "\n", out);
}

fn write(source: &str, tree: &Tree<'_>, between: &str, out: &mut Vec<u8>) {
    let nodes = tree.nodes();
    out.extend_from_slice(b"{\"graph\":{\"version\":\"1.0\",\"src-file\":");
    string(source.as_bytes(), out);
    out.extend_from_slice(b",\"type\":\"tree\",\"directed\":true,\"order\":\"bfs\",\"num-of-nodes\":");
    number(nodes.len() as u32, out);
    out.extend_from_slice(b",\"num-of-edges\":");
    number(nodes.len() as u32 - 1, out);
    out.extend_from_slice(b",\"root\":0,\"nodes\":[");
    let (mut label, mut rule) = (String::new(), String::new());
    for (id, node) in (0..).zip(nodes) {
        out.extend_from_slice(if id == 0 { &b""[..] } else { b"," });
        out.extend_from_slice(between.as_bytes());
        label.clear();
        rule.clear();
        tree.label(node, &mut label);
        tree.rule(node, &mut rule);
        object(id, node, (&label, &rule, tree.rule_number(node)), out);
    }
    out.extend_from_slice(between.as_bytes());
    out.extend_from_slice(b"],\"edges\":[");
    for (id, node) in (0..).zip(nodes).skip(1) {
        out.extend_from_slice(if id == 1 { &b""[..] } else { b"," });
        out.extend_from_slice(between.as_bytes());
        out.extend_from_slice(b"{\"between\":[");
        number(node.parent, out);
        out.push(b',');
        number(id, out);
        out.extend_from_slice(b"]}");
    }
    out.extend_from_slice(between.as_bytes());
    out.extend_from_slice(b"]}}\n");
}

fn object(id: u32, node: &Node, (label, rule, rule_number): (&str, &str, i32), out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    number(id, out);
    out.extend_from_slice(b",\"label\":");
    string(label.as_bytes(), out);
    out.extend_from_slice(if node.is_token() {
        &b",\"node-type\":\"Token\",\"type-rule-name\":"[..]
    } else {
        b",\"node-type\":\"Rule\",\"type-rule-name\":"
    });
    string(rule.as_bytes(), out);
    out.extend_from_slice(b",\"type-rule-index\":");
    match u32::try_from(rule_number) {
        Ok(rule) => number(rule, out),
        // There is one negative number.
        Err(_) => out.extend_from_slice(b"-1"),
    }
    out.extend_from_slice(b",\"reserved-word-flag\":");
    out.extend_from_slice(if node.is_reserved { &b"true"[..] } else { b"false" });
    out.extend_from_slice(b",\"dfs-index\":");
    number(node.dfs, out);
    out.extend_from_slice(b",\"depth\":");
    number(node.depth, out);
    if node.is_token() {
        out.extend_from_slice(b",\"token-id\":");
        number(node.token, out);
    }
    out.push(b'}');
}
