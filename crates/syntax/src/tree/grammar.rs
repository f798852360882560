//! What the node kinds of one grammar mean.

use crate::generic::Generic;

/// What the node kinds of one grammar mean to us. Kinds are those of named nodes.
///
/// Write one as `Grammar { functions: &[…], …, ..Grammar::new(language) }`.
#[derive(Clone, Copy)]
pub struct Grammar {
    pub(crate) language: fn() -> tree_sitter::Language,
    /// Other grammars of the same language, tried in order where `language` meets an error (TSX).
    pub(crate) variants: &'static [fn() -> tree_sitter::Language],
    /// Function nodes; one without a body is none. A body is the `body` field or a child of a kind in `bodies`.
    pub(crate) functions: &'static [&'static str],
    /// Class, struct, trait, interface, impl, module and namespace nodes; one without a body is none.
    pub(crate) classes: &'static [&'static str],
    /// Children that are the body of a function or class where the grammar has no `body` field for it.
    pub(crate) bodies: &'static [&'static str],
    /// Functions and classes that always have a body, even where no node stands for it (Ruby's `def x; end`).
    pub(crate) always_bodied: &'static [&'static str],
    /// Nodes whose named children are the statements of a block.
    pub(crate) blocks: &'static [&'static str],
    /// Children of blocks that are no statements, such as attributes.
    pub(crate) not_statements: &'static [&'static str],
    /// Children of blocks that hold the statements in the block's place (Go's `statement_list`).
    pub(crate) statement_lists: &'static [&'static str],
    /// Other nodes whose children each start a line: the root, class bodies, bodies of switches.
    pub(crate) lists: &'static [&'static str],
    /// Nodes that start a line wherever they stand, such as the cases of a switch.
    pub(crate) lines: &'static [&'static str],
    /// Comment nodes (left out), and whatever else is no code.
    pub(crate) comments: &'static [&'static str],
    pub(crate) identifiers: &'static [&'static str],
    /// Named leaves that are keywords; those whose kind is their text (`self`, `true`) need not be here.
    pub(crate) keywords: &'static [&'static str],
    /// Built-in type names.
    pub(crate) types: &'static [&'static str],
    pub(crate) numbers: &'static [&'static str],
    /// String nodes; one token each, whatever they hold.
    pub(crate) strings: &'static [&'static str],
    pub(crate) chars: &'static [&'static str],
    /// Class nodes whose imports are the file's all the same: modules and packages. A class that is in `imports` is one, too.
    pub(crate) namespaces: &'static [&'static str],
    /// Import, include, use and package statements; a namespace only where it has no body. Inside a function or a class they are code
    /// like any other.
    pub(crate) imports: &'static [&'static str],
    /// Functions whose call is an import (Ruby's `require`).
    pub(crate) import_calls: &'static [&'static str],
    /// Whether a line end parts statements as a semicolon does: then a semicolon is no token, as a line end is none.
    pub(crate) line_ends_statements: bool,
    /// Gives the tokens of a file that tree-sitter gives up on.
    pub(crate) fall_back: Generic,
}

impl Grammar {
    /// A grammar without any kinds.
    pub(crate) const fn new(language: fn() -> tree_sitter::Language) -> Self {
        Self {
            language,
            variants: &[],
            functions: &[],
            classes: &[],
            bodies: &[],
            always_bodied: &[],
            blocks: &[],
            not_statements: &[],
            statement_lists: &[],
            lists: &[],
            lines: &[],
            comments: &[],
            identifiers: &[],
            keywords: &[],
            types: &[],
            numbers: &[],
            strings: &[],
            chars: &[],
            namespaces: &[],
            imports: &[],
            import_calls: &[],
            line_ends_statements: false,
            fall_back: crate::languages::others::C_LIKE,
        }
    }
}
