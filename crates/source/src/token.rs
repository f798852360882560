//! A token of source code: its class and where it stands.

/// What a token is, as far as normal forms care.
///
/// The discriminants are stable: they are the low three bits of a `familiar_index` symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum TokenClass {
    /// Operators, brackets and other punctuation.
    Operator = 0,
    Keyword = 1,
    Identifier = 2,
    /// A built-in type's name where it is a word of the language, such as `int`.
    Type = 3,
    Number = 4,
    String = 5,
    Char = 6,
    /// Any token of an import, include, use or package statement; never renamed, and no run crosses it.
    Import = 7,
}

impl TokenClass {
    pub const ALL: [Self; 8] = [
        Self::Operator,
        Self::Keyword,
        Self::Identifier,
        Self::Type,
        Self::Number,
        Self::String,
        Self::Char,
        Self::Import,
    ];

    /// Whether the token is a literal.
    pub fn is_literal(self) -> bool {
        matches!(self, Self::Number | Self::String | Self::Char)
    }
}

/// A token: white space and comments are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Byte offset of the first byte.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
    pub class: TokenClass,
    /// The language's own number for the kind of token; only its front end reads it.
    pub kind: u8,
    /// Whether the token is the first of its statement, as a pretty printer would break lines.
    pub starts_line: bool,
    /// Whether the token bounds fragments but takes no part in similarity: a docstring, code left out on request.
    pub hidden: bool,
}

impl Token {
    /// A visible token that starts no line.
    pub fn new(class: TokenClass, kind: u8, start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32, class, kind, starts_line: false, hidden: false }
    }

    pub fn text<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.start as usize..self.end as usize]
    }
}

/// Ascending positions of the tokens that start a statement; none where the front end was not asked for them.
pub fn line_starts(tokens: &[Token]) -> Vec<u32> {
    (0u32..).zip(tokens).filter(|(_, token)| token.starts_line).map(|(at, _)| at).collect()
}
