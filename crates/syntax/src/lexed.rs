//! A file's text with its tokens, for reports that show code.

use familiar_source::{Language, SourceText};

use crate::decode::{self, NotText};
use crate::{Limits, Parser, Want};

/// The text of a file with its tokens in a language. Fails where its bytes are no text.
pub fn lexed(bytes: &[u8], language: Language, limits: Limits) -> Result<SourceText, NotText> {
    let decoded = decode::decode(bytes)?;
    let mut parser = Parser::within(limits);
    let tokens = parser.parse(language, &decoded.text, Want::default()).tokens.to_vec();
    Ok(SourceText { text: decoded.text.into_owned(), shift: decoded.shift, tokens })
}
