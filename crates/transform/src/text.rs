//! A text with its tree.

use std::ops::Range;
use std::sync::OnceLock;

use familiar_syntax::tree::{Node, Nodes};

/// A text whose grammar reads it without an error, and its tree.
#[derive(Debug)]
pub struct Text {
    text: String,
    nodes: Nodes,
    /// Where lines end, once somebody asks.
    line_ends: OnceLock<Vec<u32>>,
}

impl Text {
    pub(crate) fn new(text: String, nodes: Nodes) -> Self {
        Self { text, nodes, line_ends: OnceLock::new() }
    }

    /// The text in which nodes stand: as [`Program::bytes`](crate::Program::bytes), but what is not UTF-8 there are other characters
    /// here.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn root(&self) -> Node<'_> {
        self.nodes.root()
    }

    pub(crate) fn node(&self, number: u32) -> Node<'_> {
        self.nodes.node(number)
    }

    /// The text of a node.
    pub fn of(&self, node: Node<'_>) -> &str {
        self.slice(node.range())
    }

    pub(crate) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// The line in which a byte stands; the first is 1.
    pub fn line(&self, at: usize) -> usize {
        let ends = self.line_ends.get_or_init(|| {
            let ends = (0..).zip(self.text.bytes()).filter(|(_, byte)| *byte == b'\n');
            ends.map(|(at, _)| at).collect()
        });
        ends.partition_point(|end| (*end as usize) < at) + 1
    }

    /// How many characters of its line stand before a byte, plus 1.
    pub fn column(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or(&self.text);
        let line = before.rfind('\n').map_or(before, |end| &before[end + 1..]);
        line.chars().count() + 1
    }
}

/// The line of `text` in which a byte stands; the first is 1.
pub(crate) fn line(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|&byte| byte == b'\n').count() + 1
}
