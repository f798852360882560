//! Simplified parse trees as graphs.

use familiar_represent::tree::{Node, Tree};
use familiar_source::Language;

use super::names::{Variables, is_name, leaves};
use super::program::Symbols;

/// Keywords and operators by their text, and everything else by its rule.
pub(super) fn plain(language: Language, code: &str, memory: usize) -> Option<Symbols> {
    let tree = Tree::of(language, code, memory).ok()?;
    Some(symbols(
        &tree,
        |node, name| {
            if node.is_reserved { tree.label(node, name) } else { tree.rule(node, name) }
        },
    ))
}

/// Besides, a name is seen as a variable, or as the function that it calls. Numbers are seen by their text, and a rule with its label
/// (after MISIM: Ye et al. 2020, Section 3.1).
pub(super) fn in_context(language: Language, code: &str, memory: usize) -> Option<Symbols> {
    let tree = Tree::of(language, code, memory).ok()?;
    let variables = Variables::of(&tree);
    let (mut text, mut rule) = (String::new(), String::new());
    Some(symbols(&tree, |node, name| {
        if node.is_reserved {
            tree.label(node, name);
            return;
        }
        if !node.is_token() {
            tree.rule(node, name);
            name.push(' ');
            tree.label(node, name);
            return;
        }
        let is_name = is_name(&tree, node, &mut rule);
        text.clear();
        tree.label(node, &mut text);
        let is_short_number = text.len() <= 8 && text.starts_with(|it: char| it.is_ascii_digit());
        name.push_str(match () {
            () if is_name && variables.has(&text) => "#VAR",
            () if is_name || is_short_number => &text,
            () => &rule,
        });
    }))
}

fn symbols(tree: &Tree<'_>, mut name: impl FnMut(&Node, &mut String)) -> Symbols {
    let mut symbols = Symbols::default();
    let mut text = String::new();
    for (at, node) in (0_u32..).zip(tree.nodes()) {
        text.clear();
        name(node, &mut text);
        symbols.names.push(Box::from(text.as_str()));
        if at > 0 {
            symbols.edges.push([node.parent, at]);
        }
    }
    symbols.edges.extend(leaves(tree).windows(2).map(|pair| [pair[0], pair[1]]));
    symbols
}
