//! Simplified parse trees (Aroma: Luan et al. 2019, Section 3.1), as Project CodeNet writes them.
//!
//! The tree of a program is its parse tree without what says nothing: comments, nodes without text, and each inner node that has one
//! child, in whose place the child stands. So two things hold. Every inner node has more than one child, and it has as many as in the
//! parse tree. The last leaf below the root is `<EOF>`.
//!
//! The nodes stand in breadth-first order, so the children of a node follow each other. `build` makes the tree of
//! `node`s, `labels` says what a node is called, and `json`, `dot`, `gnn` and `table` write it.

mod build;
pub mod dot;
pub mod gnn;
pub mod json;
mod labels;
mod node;
pub mod table;

use familiar_source::Language;
use familiar_syntax::languages;
use familiar_syntax::tree::Nodes;

use crate::tokens::{Tokenizer, TooManyTokens};

pub use node::{EOF, ERROR, Node};

/// A simplified parse tree.
#[derive(Debug)]
pub struct Tree<'t> {
    text: &'t str,
    /// The parse tree.
    parsed: Nodes,
    nodes: Vec<Node>,
}

/// Why a program has no tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTree {
    /// There is no grammar for the language.
    Grammar(Language),
    /// It would take more memory than it may, or more work than texts of this length do.
    Budget,
}

impl std::fmt::Display for NoTree {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Grammar(language) => write!(f, "there is no grammar for {}", language.name()),
            Self::Budget => f.write_str("parsing takes more than this --memory or its budget of work allows"),
        }
    }
}

impl std::error::Error for NoTree {}

impl<'t> Tree<'t> {
    /// The tree of `text`, which need not be free of errors. Its parse tree may take `memory` bytes.
    pub fn of(language: Language, text: &'t str, memory: usize) -> Result<Self, NoTree> {
        let grammar = languages::definition(language).tree.ok_or(NoTree::Grammar(language))?;
        let parsed = Nodes::parse(grammar, text, memory).ok_or(NoTree::Budget)?;
        let mut tokenizer = Tokenizer::default();
        let tokens = tokenizer.tokens(language, text.as_bytes()).map_err(|TooManyTokens| NoTree::Budget)?;
        let nodes = build::nodes(language, text, &parsed, tokens.list);
        Ok(Self { text, parsed, nodes })
    }

    /// All nodes in breadth-first order; a node's number is its place here. The root is the first one.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Where the first thing stands that the grammar does not allow.
    pub fn first_error(&self) -> Option<usize> {
        self.parsed.first_error()
    }

    /// The line, counted from 1, of the first thing that the grammar does not allow.
    pub fn first_error_line(&self) -> Option<usize> {
        let at = self.first_error()?;
        Some(1 + memchr::memchr_iter(b'\n', &self.text.as_bytes()[..at]).count())
    }
}
