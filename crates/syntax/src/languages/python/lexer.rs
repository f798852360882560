//! The tokens of Python 2 and 3, line ends included.

use familiar_source::TokenClass;
use logos::{Lexer, Logos};

use super::strings;
use super::words::Words;
use crate::languages::lexing::line_comment;

/// What a token of Python is. Kinds from [`Kind::FIRST_SPECIAL`] on mean something to the reader of logical lines.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[logos(utf8 = false, extras = strings::Budget)]
#[logos(skip br"[ \t\x0c]+")]
#[logos(skip(br"#", line_comment))]
#[logos(skip br"\\(\r\n|\r|\n)")]
#[repr(u8)]
pub(super) enum Kind {
    /// A name; the words below are told apart from it by [`word`].
    #[regex(br"[A-Za-z_\x80-\xff]", word)]
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

/// Moves `lex` from after the first byte of a word to its end, and says which word it is.
#[inline]
fn word(lex: &mut Lex<'_>) -> Kind {
    WORDS.read(lex)
}

/// The words of the language; all others are names. The multiplier is found by trial.
static WORDS: Words<Kind> = Words::new(
    Kind::Name,
    0x1b77_476a_8995_579f,
    &[
        (b"False", Kind::Keyword),
        (b"None", Kind::Keyword),
        (b"True", Kind::Keyword),
        (b"and", Kind::Keyword),
        (b"as", Kind::Keyword),
        (b"assert", Kind::Keyword),
        (b"async", Kind::Async),
        (b"await", Kind::Keyword),
        (b"break", Kind::Keyword),
        (b"case", Kind::Match),
        (b"class", Kind::Class),
        (b"continue", Kind::Keyword),
        (b"def", Kind::Def),
        (b"del", Kind::Keyword),
        (b"elif", Kind::Clause),
        (b"else", Kind::Clause),
        (b"except", Kind::Clause),
        (b"finally", Kind::Clause),
        (b"for", Kind::Header),
        (b"from", Kind::Keyword),
        (b"global", Kind::Keyword),
        (b"if", Kind::Header),
        (b"import", Kind::Import),
        (b"in", Kind::Keyword),
        (b"is", Kind::Keyword),
        (b"lambda", Kind::Lambda),
        (b"match", Kind::Match),
        (b"nonlocal", Kind::Keyword),
        (b"not", Kind::Keyword),
        (b"or", Kind::Keyword),
        (b"pass", Kind::Keyword),
        (b"raise", Kind::Keyword),
        (b"return", Kind::Keyword),
        (b"try", Kind::Header),
        (b"type", Kind::Type),
        (b"while", Kind::Header),
        (b"with", Kind::Header),
        (b"yield", Kind::Keyword),
    ],
);
