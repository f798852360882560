//! The tree-sitter front end: for the languages that have no fast path, as fall-back, and as the oracle.
//!
//! The only module that knows tree-sitter.

use crate::Output;

/// What the node kinds of one grammar mean to us.
pub struct Grammar {
    pub language: fn() -> tree_sitter::Language,
    /// Function nodes; one without a `body` is none.
    pub functions: &'static [&'static str],
    /// Class, struct, trait, interface, impl, module and namespace nodes; one without a body is none.
    pub classes: &'static [&'static str],
    /// Nodes whose named children are the statements of a block.
    pub blocks: &'static [&'static str],
    /// Comment nodes (left out).
    pub comments: &'static [&'static str],
    pub identifiers: &'static [&'static str],
    /// Built-in type names.
    pub types: &'static [&'static str],
    pub numbers: &'static [&'static str],
    /// String nodes; one token each, whatever they hold.
    pub strings: &'static [&'static str],
    pub chars: &'static [&'static str],
    /// Import, include, use and package statements.
    pub imports: &'static [&'static str],
}

/// Puts tree-sitter's fragments in the place of those in `output` where it reads `code` without an error.
pub fn replace_fragments_where_clean(_grammar: &Grammar, _code: &[u8], _output: &mut Output) {}
