//! What is encoded.

use familiar_source::Language;

/// A piece of code to be encoded: decoded text of one language.
#[derive(Clone, Copy, Debug)]
pub struct Code<'c> {
    pub language: Language,
    pub text: &'c [u8],
}
