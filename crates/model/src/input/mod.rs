//! What the model reads: one representation of code for all languages.
//!
//! A [`Sequence`] is made of the same tokens as everything else. Punctuation that only says where blocks and statements
//! end is left out; how deep a token is nested and which statement it belongs to is said instead, so that braces,
//! indentation and a body without braces read alike. A name is a *piece* that says what the name is used as, its
//! *words*, and its *number* in the fragment, which ties its uses together: without the words all is left that
//! survives a renaming. A literal is its value; the words of a string are those of its text.

mod pieces;
mod placed;
mod sequence;
mod structure;
mod words;

use familiar_source::Language;
use familiar_syntax::{Parser, Want};

pub use pieces::{HIDDEN, PIECES};
pub(crate) use placed::Placed;
pub use sequence::{DEPTHS, Sequence};
pub use words::WORDS;
pub(crate) use words::idle;

/// Reads one piece of code after another, keeping its memory. One for each thread.
#[derive(Debug, Default)]
pub struct SequenceReader {
    parser: Parser,
}

impl SequenceReader {
    /// All of `text`, which is decoded, with where its statements stand and how its words are spelled.
    pub(crate) fn read_placed(&mut self, language: Language, text: &[u8]) -> Placed {
        let parsed = self.parser.parse(language, text, Want { fragments: false, line_starts: true });
        Placed::new(language, text, parsed.tokens)
    }

    /// All of `text`, which is decoded.
    pub fn read(&mut self, language: Language, text: &[u8]) -> Sequence {
        let parsed = self.parser.parse(language, text, Want { fragments: false, line_starts: true });
        Sequence::new(language, text, parsed.tokens)
    }
}
