//! A piece of code as it is read, with what the settings need of it.

use familiar_engine::snippet::{Snippet, SnippetReader};
use familiar_source::{Language, TokenClass, language_named};
use familiar_syntax::{Parser, Want, decode};

use super::words::of_name;
use super::{Negatives, PairsOptions};
use crate::Judge;
use crate::row_error::CodeError;

/// A piece of code that was read.
pub(super) struct Piece {
    pub(super) language: Language,
    pub(super) snippet: Snippet,
    /// Decoded text, where an encoder reads it.
    pub(super) text: Vec<u8>,
    /// Words of its identifiers, where negatives are drawn by them.
    pub(super) words: Vec<String>,
}

/// Reads one piece after another, keeping its memory. One for each thread.
pub(super) struct PieceReader<'o> {
    snippets: SnippetReader,
    parser: Parser,
    options: &'o PairsOptions,
}

impl<'o> PieceReader<'o> {
    pub(super) fn new(options: &'o PairsOptions) -> Self {
        Self { snippets: SnippetReader::default(), parser: Parser::default(), options }
    }

    /// The piece that all of `code` is, or why it is none.
    pub(super) fn read(&mut self, lang: &str, code: &[u8]) -> Result<Piece, CodeError> {
        let language = language_named(lang).ok_or_else(|| CodeError::Language(lang.to_owned()))?;
        let snippet = self.snippets.read(language, code)?;
        let text = decode::decode(code)?.text;
        let mut words = Vec::new();
        if self.options.negatives == Some(Negatives::TfIdf) {
            for token in self.parser.parse(language, &text, Want::default()).tokens {
                if token.class == TokenClass::Identifier {
                    of_name(&String::from_utf8_lossy(token.text(&text)), &mut words);
                }
            }
        }
        let text = match self.options.judge {
            Judge::Encoder(_) => text.into_owned(),
            Judge::Measure(_) => Vec::new(),
        };
        Ok(Piece { language, snippet, text, words })
    }
}
