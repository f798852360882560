//! Simplified parse trees as CodeNet's data sets for graph neural networks hold them: tables of numbers, one line of which stands for
//! a node, an edge or a graph.
//!
//! The tables have no first line. Nodes count from 0 in each graph, in breadth-first order.

use super::{EOF, Tree};
use crate::text::number;

/// What stands for a feature that a node does not have.
const NONE: i32 = -2;

/// The tables, by the names of their files without `.csv`.
pub const NAMES: [&str; 7] = [
    "edge",
    "node-feat",
    "node_depth",
    "node_dfs_order",
    "node_is_attributed",
    "num-node-list",
    "num-edge-list",
];

/// Lines of each table, in the order of [`NAMES`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables(pub [Vec<u8>; NAMES.len()]);

impl Tables {
    /// Adds a graph.
    pub fn add(&mut self, tree: &Tree<'_>) {
        let [edges, features, depths, orders, attributed, node_counts, edge_counts] = &mut self.0;
        let nodes = tree.nodes();
        for (id, node) in (0..).zip(nodes) {
            if id > 0 {
                line([node.parent, id], edges);
            }
            let (rule, is_token) = (tree.rule_number(node), node.is_token());
            debug_assert!(rule >= EOF);
            signed(i32::from(is_token), features);
            features.push(b',');
            signed(if is_token { rule } else { NONE }, features);
            features.push(b',');
            signed(if is_token { NONE } else { rule }, features);
            features.push(b',');
            signed(i32::from(node.is_reserved), features);
            features.push(b'\n');
            line([node.depth], depths);
            line([node.dfs], orders);
            line([u32::from(is_token)], attributed);
        }
        line([nodes.len() as u32], node_counts);
        line([nodes.len() as u32 - 1], edge_counts);
    }
}

fn line<const N: usize>(numbers: [u32; N], out: &mut Vec<u8>) {
    for (at, value) in numbers.into_iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        number(value, out);
    }
    out.push(b'\n');
}

fn signed(value: i32, out: &mut Vec<u8>) {
    if value < 0 {
        out.push(b'-');
    }
    number(value.unsigned_abs(), out);
}
