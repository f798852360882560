//! The tree-sitter front end: for the languages that have no fast path, as fall-back, and as the oracle.
//!
//! The only module that knows tree-sitter. [`Grammar`] says what the node kinds of a grammar mean; the rest is the
//! same for every language: [`parse`] makes the tree within a budget of work and memory, [`walk`] reads tokens and
//! fragments off it. [`Nodes`] is the whole tree, for those who rewrite code. A file that would cost more than the budget gets the generic tokenizer's tokens and no fragments.

mod classes;
mod grammar;
mod names;
mod nodes;
mod parse;
mod place;
#[cfg(test)]
mod tests;
mod walk;

use std::ops::Range;

use familiar_source::{Fragment, LineIndex};

use crate::{Confidence, FrontEnd, Output, Want};

pub use grammar::Grammar;
pub use nodes::{Node, Nodes, Part};

/// Tokens and fragments by a tree-sitter grammar.
pub struct TreeFrontEnd(pub &'static Grammar);

impl FrontEnd for TreeFrontEnd {
    fn parse(&self, source: &[u8], want: Want, out: &mut Output) -> Confidence {
        let Some(parsed) = parse::parse(self.0, source, out.limits.tree) else {
            self.0.fall_back.parse(source, Want::default(), out);
            return Confidence::GaveUp;
        };
        let mut raw = Vec::new();
        let mut sink = walk::Sink { tokens: Some(&mut out.tokens), line_starts: want.line_starts };
        walk::walk(&parsed, source, &mut sink, want.fragments.then_some(&mut raw));
        place::place(&raw, &out.tokens, &out.lines, &mut out.fragments);
        // There is nobody else to ask, so the caller need not.
        Confidence::Sure
    }
}

/// What tree-sitter found in one file.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// Whether the tree has neither an `ERROR` nor a `MISSING` node.
    pub clean: bool,
    /// Classes, functions and blocks by start; their token spans are empty.
    pub fragments: Vec<Fragment>,
}

/// The fragments of `source` for comparison with those of another front end; `None` where tree-sitter gave up.
pub fn read(grammar: &'static Grammar, source: &[u8]) -> Option<Reading> {
    let parsed = parse::parse(grammar, source, usize::MAX)?;
    let mut raw = Vec::new();
    walk::walk(&parsed, source, &mut walk::Sink { tokens: None, line_starts: false }, Some(&mut raw));
    let lines = LineIndex::new(source);
    let mut fragments: Vec<Fragment> = raw.iter().map(|found| found.fragment(&lines)).collect();
    crate::finder::sort_fragments(&mut fragments);
    Some(Reading { clean: parsed.clean, fragments })
}

/// The ranges of the nodes within `part` of `source` that stand in no other node within it, in their order; of the whole text those
/// below the root. `None` where the grammar does not read `source` without an error, within `memory` bytes for its tree.
pub fn outermost(
    grammar: &'static Grammar,
    source: &[u8],
    part: &Range<usize>,
    memory: usize,
) -> Option<Vec<Range<usize>>> {
    let tree = parse::clean(grammar, source, memory)?;
    let (mut cursor, mut found) = (tree.walk(), Vec::new());
    let mut is_below = cursor.goto_first_child();
    while is_below {
        let range = cursor.node().byte_range();
        if part.start <= range.start && range.end <= part.end {
            found.push(range);
        } else if range.start < part.end && part.start < range.end && cursor.goto_first_child() {
            continue;
        }
        is_below = loop {
            if cursor.goto_next_sibling() {
                break true;
            }
            if !cursor.goto_parent() {
                break false;
            }
        };
    }
    Some(found)
}

/// The tree of `source` as an S-expression, for a person who compares front ends; `None` where tree-sitter gave up.
pub fn s_expression(grammar: &'static Grammar, source: &[u8]) -> Option<String> {
    parse::parse(grammar, source, usize::MAX).map(|parsed| parsed.tree.root_node().to_sexp())
}

/// Puts tree-sitter's fragments in the place of those in `output` where it reads `code` without an error.
pub(crate) fn replace_fragments_where_clean(grammar: &'static Grammar, code: &[u8], output: &mut Output) {
    let Some(parsed) = parse::parse(grammar, code, output.limits.tree).filter(|parsed| parsed.clean) else {
        return;
    };
    let mut raw = Vec::new();
    walk::walk(&parsed, code, &mut walk::Sink { tokens: None, line_starts: false }, Some(&mut raw));
    output.fragments.clear();
    place::place(&raw, &output.tokens, &output.lines, &mut output.fragments);
}
