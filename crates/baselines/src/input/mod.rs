//! What models see of a program: symbols, and for trees the edges between them.
//!
//! `words` reads sequences of tokens, `masked` those of the masked model with the names in `library`, and `tree` simplified parse trees.
//! `names` says what names in them are, and `program` is what comes out. `vocabulary` gives symbols their numbers.

mod library;
mod masked;
pub(crate) mod names;
mod program;
mod tree;
mod vocabulary;
mod words;

use familiar_source::Language;
use serde::{Deserialize, Serialize};

pub use program::{Program, Symbols};
pub use vocabulary::{MASK, PADDING, Vocabulary};

/// What of a program is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum View {
    /// Operators and keywords.
    Words,
    /// All tokens but comments.
    Text,
    /// Keywords, functions of the library and classes of tokens (Table 14).
    Masked,
    /// The simplified parse tree; a name is seen as a name.
    Tree,
    /// The simplified parse tree; a name is seen as what it is in its program.
    Context,
}

impl View {
    /// What is seen of a program, at most `length` symbols; nothing where it cannot be read within `memory` bytes.
    pub fn symbols(self, language: Language, code: &str, length: usize, memory: usize) -> Option<Symbols> {
        let mut symbols = match self {
            Self::Words => words::operators_and_keywords(language, code)?,
            Self::Text => words::all(language, code)?,
            Self::Masked => masked::symbols(language, code)?,
            Self::Tree => tree::plain(language, code, memory)?,
            Self::Context => tree::in_context(language, code, memory)?,
        };
        // The nodes of a tree come in breadth-first order, so what is left of it is a tree.
        symbols.names.truncate(length);
        let known = symbols.names.len() as u32;
        symbols.edges.retain(|edge| edge[0] < known && edge[1] < known);
        (!symbols.names.is_empty()).then_some(symbols)
    }

    /// How many different symbols are told apart; the rest is unknown.
    pub fn most(self) -> usize {
        match self {
            Self::Words => 512,
            Self::Masked => 1024,
            Self::Text => 5000,
            Self::Tree | Self::Context => 2000,
        }
    }
}
