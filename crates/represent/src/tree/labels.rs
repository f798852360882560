//! What nodes are called.

use super::{EOF, ERROR, Node, Tree};

/// What a rule calls every child that is no keyword, operator or sign.
const OTHER: &str = "#";

impl Tree<'_> {
    /// Appends the label of a node: the text of a token; of a rule its children, each reserved one by its text.
    pub fn label(&self, node: &Node, out: &mut String) {
        if node.is_token() {
            out.push_str(self.text_of(node));
            return;
        }
        for child in self.below(node) {
            out.push_str(if child.is_reserved { self.text_of(child) } else { OTHER });
        }
    }

    /// The children of a node.
    pub fn below(&self, node: &Node) -> &[Node] {
        let below = node.below();
        &self.nodes[below.start as usize..below.end as usize]
    }

    /// The text of a token.
    pub(super) fn text_of(&self, token: &Node) -> &str {
        if self.is_eof(token) { "<EOF>" } else { &self.text[token.start as usize..token.end as usize] }
    }

    fn is_eof(&self, node: &Node) -> bool {
        node.at as usize >= self.parsed.len()
    }

    /// Appends what the grammar calls a node. What it knows by its text alone stands in quotes.
    pub fn rule(&self, node: &Node, out: &mut String) {
        if self.is_eof(node) {
            out.push_str("EOF");
            return;
        }
        let parsed = self.parsed.node(node.at);
        match parsed.kind() {
            "" => out.push_str("ERROR"),
            kind if parsed.is_named() => out.push_str(kind),
            kind => {
                out.push('\'');
                out.push_str(kind);
                out.push('\'');
            }
        }
    }

    /// The number of its rule in the grammar.
    pub fn rule_number(&self, node: &Node) -> i32 {
        if self.is_eof(node) {
            return EOF;
        }
        let parsed = self.parsed.node(node.at);
        if parsed.kind().is_empty() { ERROR } else { i32::from(parsed.kind_number()) }
    }
}
