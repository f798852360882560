//! What tokens are.

use std::borrow::Cow;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Class {
    Identifier,
    Keyword,
    Integer,
    Floating,
    String,
    Character,
    Operator,
    /// `#` and `##` in languages that have a preprocessor.
    Preprocessor,
    LineComment,
    BlockComment,
    Newline,
    /// A backslash at the end of a line, with the line end.
    Continuation,
    Whitespace,
}

impl Class {
    pub const ALL: [Self; 13] = [
        Self::Identifier,
        Self::Keyword,
        Self::Integer,
        Self::Floating,
        Self::String,
        Self::Character,
        Self::Operator,
        Self::Preprocessor,
        Self::LineComment,
        Self::BlockComment,
        Self::Newline,
        Self::Continuation,
        Self::Whitespace,
    ];

    /// Whether it is a class of the language's tokens: neither a comment nor white space.
    pub fn is_code(self) -> bool {
        self < Self::LineComment
    }

    /// The name in every format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Keyword => "keyword",
            Self::Integer => "integer",
            Self::Floating => "floating",
            Self::String => "string",
            Self::Character => "character",
            Self::Operator => "operator",
            Self::Preprocessor => "preprocessor",
            Self::LineComment => "line_comment",
            Self::BlockComment => "block_comment",
            Self::Newline => "newline",
            Self::Continuation => "continuation",
            Self::Whitespace => "whitespace",
        }
    }
}

/// A token of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Bytes of the text.
    pub start: u32,
    pub end: u32,
    /// Counts from 1. A line ends with `\n`, `\r\n` or `\r`.
    pub line: u32,
    /// Counts bytes from 0.
    pub column: u32,
    pub class: Class,
    /// Whether it belongs to a directive of the preprocessor.
    pub directive: bool,
}

/// What is given besides the tokens of the language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    pub comments: bool,
    pub newlines: bool,
    pub continuations: bool,
    /// White space that is nothing of the above.
    pub whitespace: bool,
}

impl Extras {
    /// Everything.
    pub const ALL: Self = Self { comments: true, newlines: true, continuations: true, whitespace: true };

    pub(super) fn any(self) -> bool {
        self != Self::default()
    }
}

/// The tokens of one program, borrowed until the next one.
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    /// What the tokens are in: the text that was given, or the code of a notebook.
    pub text: Cow<'t, [u8]>,
    pub list: &'t [Token],
}

impl Tokens<'_> {
    /// The text of one of them.
    pub fn text_of(&self, token: &Token) -> &[u8] {
        &self.text[token.start as usize..token.end as usize]
    }
}

/// A program has more tokens than the limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyTokens;

impl std::fmt::Display for TooManyTokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("more tokens than this --memory allows")
    }
}

impl std::error::Error for TooManyTokens {}
