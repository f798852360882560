//! The tokens of a program that say what it does: all but comments and the preprocessor's directives.

use std::borrow::Cow;
use std::ops::Range;

use familiar_represent::tokens::{self, Class, Extras};
use familiar_source::Language;
use familiar_syntax::Limits;

/// A text, and where tokens stand in it.
pub(crate) type Places<'t> = (Cow<'t, [u8]>, Vec<Range<usize>>);

/// Reads the tokens of one program after the other. One for each thread.
pub(crate) struct Tokenizer {
    tokenizer: tokens::Tokenizer,
}

impl Tokenizer {
    /// No program may take more than `limits`.
    pub(crate) fn new(limits: Limits) -> Self {
        Self { tokenizer: tokens::Tokenizer::new(Extras::default(), limits) }
    }

    /// The text in which the tokens stand, and where; or why there are none. Without `strings`, the literals of strings and
    /// characters do not count.
    pub(crate) fn tokens<'t>(
        &'t mut self,
        language: Language,
        code: &'t [u8],
        strings: bool,
    ) -> Result<Places<'t>, tokens::TooManyTokens> {
        let tokens = self.tokenizer.tokens(language, code)?;
        let wanted = |class| strings || !matches!(class, Class::String | Class::Character);
        let list = tokens.list.iter().filter(|token| !token.directive && wanted(token.class));
        let places = list.map(|token| token.start as usize..token.end as usize).collect();
        Ok((tokens.text, places))
    }
}
