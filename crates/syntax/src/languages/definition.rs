//! What one language's file says of it: names, front end, grammar.

use familiar_source::Language;

use crate::FrontEnd;

/// What Familiar knows about one language.
pub struct Definition {
    pub language: Language,
    /// File name endings, lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Whole file names, such as `Makefile`.
    pub file_names: &'static [&'static str],
    /// Interpreters named by a shebang line, without version numbers.
    pub interpreters: &'static [&'static str],
    pub front_end: &'static dyn FrontEnd,
    /// Node kinds of the tree-sitter grammar, for the fall-back and the oracle.
    #[cfg(feature = "trees")]
    pub tree: Option<&'static crate::tree::Grammar>,
}
