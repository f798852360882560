//! What the names in a program are.

use familiar_represent::tree::{Node, Tree};
use rustc_hash::FxHashSet;

/// The names of a program that are variables.
///
/// A name is a variable where it stands before anything but an opening parenthesis at least once: a function of the library is only
/// called. Scopes are not looked at.
pub(crate) struct Variables(FxHashSet<String>);

impl Variables {
    pub(crate) fn of(tree: &Tree<'_>) -> Self {
        let mut variables = FxHashSet::default();
        let (mut text, mut next) = (String::new(), String::new());
        let leaves = leaves(tree);
        for pair in leaves.windows(2) {
            let [node, after] = [pair[0], pair[1]].map(|at| &tree.nodes()[at as usize]);
            next.clear();
            tree.label(after, &mut next);
            if next != "(" && is_name(tree, node, &mut text) {
                text.clear();
                tree.label(node, &mut text);
                variables.insert(text.clone());
            }
        }
        Self(variables)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}

/// Whether a leaf is an identifier; `rule` is memory for it.
pub(crate) fn is_name(tree: &Tree<'_>, node: &Node, rule: &mut String) -> bool {
    rule.clear();
    tree.rule(node, rule);
    !node.is_reserved && rule.ends_with("identifier")
}

/// The leaves in the order of the text.
pub(crate) fn leaves(tree: &Tree<'_>) -> Vec<u32> {
    let nodes = tree.nodes();
    let mut leaves: Vec<u32> = (0..nodes.len() as u32).filter(|&at| nodes[at as usize].is_token()).collect();
    leaves.sort_unstable_by_key(|&at| nodes[at as usize].dfs);
    leaves
}
