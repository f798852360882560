//! What holds for the tokens and the tree of any text. The fuzz targets include this file.

use familiar_represent::tokens::{Extras, Tokenizer};
use familiar_represent::tree::Tree;
use familiar_source::Language;
use familiar_syntax::{Limits, regions};

/// Tokens follow each other, and with comments and white space they are all of the text.
pub(crate) fn tokens(language: Language, text: &[u8]) {
    let limits = Limits { tree: 64 << 20, ..Limits::default() };
    let mut tokenizer = Tokenizer::new(Extras::ALL, limits);
    let all = tokenizer.tokens(language, text).expect("there is no limit");
    let (mut end, mut place) = (0, (1, 0));
    for token in all.list {
        assert!(token.start < token.end, "{token:?}");
        assert_eq!(token.start, end, "{token:?} in {}", language.name());
        assert!((token.line, token.column) >= place, "{token:?}");
        (end, place) = (token.end, (token.line, token.column));
    }
    assert_eq!(end as usize, all.text.len(), "{}", language.name());
    let code: Vec<_> = all.list.iter().filter(|token| token.class.is_code()).copied().collect();
    let mut tokenizer = Tokenizer::new(Extras::default(), limits);
    assert_eq!(tokenizer.tokens(language, text).expect("there is no limit").list, code);
    if regions::split(language, text).is_none() {
        assert_eq!(all.text, text);
    }
}

/// The tree of a text, where its language has a grammar.
pub(crate) fn tree(language: Language, text: &str) {
    if let Ok(tree) = Tree::of(language, text, 64 << 20) {
        check(&tree);
    }
}

/// What holds for every tree.
pub(crate) fn check(tree: &Tree<'_>) {
    let nodes = tree.nodes();
    assert!(!nodes.is_empty());
    let mut labels = 0;
    let mut tokens: Vec<(u32, u32)> = Vec::new();
    let mut next = 1;
    for (id, node) in (0..).zip(nodes) {
        assert_ne!(node.children, 1, "node {id}");
        if node.children > 0 {
            assert_eq!(node.below().start, next, "node {id}");
            next = node.below().end;
        }
        for below in node.below() {
            let child = nodes[below as usize];
            assert_eq!((child.parent, child.depth), (id, node.depth + 1));
            assert!(child.dfs > node.dfs);
        }
        let mut label = String::new();
        tree.label(node, &mut label);
        let mut rule = String::new();
        tree.rule(node, &mut rule);
        assert!(!label.is_empty() && !rule.is_empty(), "node {id}");
        labels += label.len();
        if node.is_token() {
            tokens.push((node.dfs, node.token));
        }
    }
    assert_eq!(next as usize, nodes.len());
    assert!(labels >= nodes.len());
    let mut order: Vec<u32> = nodes.iter().map(|node| node.dfs).collect();
    order.sort_unstable();
    assert!(order.iter().copied().eq(0..nodes.len() as u32));
    tokens.sort_unstable();
    assert!(tokens.windows(2).all(|pair| pair[0].1 <= pair[1].1));
}
