//! The tokens of Python 2 and 3, line ends included.

use familiar_source::TokenClass;
use logos::{Lexer, Logos};

use super::{strings, words};
use crate::languages::lexing::line_comment;

/// What a token of Python is. Kinds from [`Kind::FIRST_SPECIAL`] on mean something to the reader of logical lines.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[logos(utf8 = false, extras = strings::Budget)]
#[logos(skip br"[ \t\x0c]+")]
#[logos(skip(br"#", line_comment))]
#[logos(skip br"\\(\r\n|\r|\n)")]
#[repr(u8)]
pub(super) enum Kind {
    /// A name; the words below are told apart from it by [`words::word`].
    #[regex(br"[A-Za-z_\x80-\xff]", words::word)]
    Name,
    #[regex(br"[0-9][0-9_]*(\.[0-9_]*)?([eE][+\-]?[0-9][0-9_]*)?[jJlL]?")]
    #[regex(br"\.[0-9][0-9_]*([eE][+\-]?[0-9][0-9_]*)?[jJ]?")]
    #[regex(br"0[xX][0-9a-fA-F_]+[lL]?")]
    #[regex(br"0[oO][0-7_]+[lL]?|0[bB][01_]+[lL]?")]
    Number,
    #[regex(
        br"[-+*/%&|^~<>=!.$?,`]|\*\*|//|<<|>>|<=|>=|==|!=|<>|->|:=|\.\.\.|[+\-*/%@&|^]=|\*\*=|//=|<<=|>>=",
        priority = 3
    )]
    Operator,
    #[token(b"@")]
    At,
    Keyword,
    #[regex(br#"([uU]|[bB]|[rR]|[bB][rR]|[rR][bB]|[uU][rR])?["']"#, strings::plain)]
    #[regex(br#"([fFtT]|[fFtT][rR]|[rR][fFtT])["']"#, strings::formatted)]
    String,
    /// A word that heads a suite when it stands first on a line.
    Header,
    /// A header that continues the statement above it.
    Clause,
    Async,
    Match,
    /// The last kind that the reader passes on without a look.
    Type,
    Def,
    Class,
    Import,
    Lambda,
    #[token(b":")]
    Colon,
    #[token(b";")]
    Semicolon,
    #[token(b"(")]
    OpenParen,
    #[token(b"[")]
    OpenBracket,
    #[token(b"{")]
    OpenBrace,
    #[token(b")")]
    CloseParen,
    #[token(b"]")]
    CloseBracket,
    #[token(b"}")]
    CloseBrace,
    #[regex(br"\r\n|\r|\n")]
    NewLine,
}

impl Kind {
    /// The first kind that the reader of logical lines acts on wherever it stands.
    pub(super) const FIRST_SPECIAL: Self = Self::Def;

    /// The class of tokens of this kind.
    pub(super) fn class(self) -> TokenClass {
        match self {
            Self::Name | Self::Match | Self::Type => TokenClass::Identifier,
            Self::Number => TokenClass::Number,
            Self::String => TokenClass::String,
            Self::Keyword
            | Self::Header
            | Self::Clause
            | Self::Async
            | Self::Def
            | Self::Class
            | Self::Import
            | Self::Lambda => TokenClass::Keyword,
            _ => TokenClass::Operator,
        }
    }
}

pub(super) type Lex<'s> = Lexer<'s, Kind>;
