//! The tokens of a program that say what it does: all but comments and the preprocessor's directives.

use std::ops::Range;

use familiar_source::{Language, TokenClass};
use familiar_syntax::{Limits, Parser, Want};

/// Reads the tokens of one program after the other. One for each thread.
pub struct Tokenizer {
    parser: Parser,
}

impl Tokenizer {
    /// No program may take more than `limits`.
    pub fn new(limits: Limits) -> Self {
        Self { parser: Parser::within(limits) }
    }

    /// Where the tokens of `code` stand. Without `strings`, the literals of strings and characters do not count.
    pub fn tokens(&mut self, language: Language, code: &[u8], strings: bool) -> Vec<Range<usize>> {
        let parsed = self.parser.parse(language, code, Want::default());
        let wanted = |class| strings || !matches!(class, TokenClass::String | TokenClass::Char);
        let tokens = parsed.tokens.iter().filter(|token| wanted(token.class));
        tokens.map(|token| token.start as usize..token.end as usize).collect()
    }
}
