//! A file's text as a report shows it.

use crate::Token;

/// A file's text and its tokens.
#[derive(Clone, Debug, Default)]
pub struct SourceText {
    /// Without a byte order mark.
    pub text: Vec<u8>,
    /// Bytes of the file before the text.
    pub shift: u32,
    /// In order; comments are none.
    pub tokens: Vec<Token>,
}
