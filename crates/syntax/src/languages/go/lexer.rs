//! The tokens of Go, line ends included where they may end a statement.

use familiar_source::TokenClass;
use logos::{Lexer, Logos};
use memchr::memchr;

use crate::languages::lexing::block_end;

/// What a token of Go is.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[logos(utf8 = false, extras = bool)]
#[logos(skip br"[ \t]+")]
#[logos(skip(br"//[^\r\n]*", allow_greedy = true))]
#[repr(u8)]
pub(super) enum Kind {
    #[regex(br"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*", priority = 1)]
    Name,
    #[token(b"any")]
    #[token(b"bool")]
    #[token(b"byte")]
    #[token(b"comparable")]
    #[token(b"complex64")]
    #[token(b"complex128")]
    #[token(b"error")]
    #[token(b"float32")]
    #[token(b"float64")]
    #[token(b"int")]
    #[token(b"int8")]
    #[token(b"int16")]
    #[token(b"int32")]
    #[token(b"int64")]
    #[token(b"rune")]
    #[token(b"string")]
    #[token(b"uint")]
    #[token(b"uint8")]
    #[token(b"uint16")]
    #[token(b"uint32")]
    #[token(b"uint64")]
    #[token(b"uintptr")]
    Type,
    #[regex(br"[0-9][0-9a-zA-Z_]*(\.[0-9a-zA-Z_]*)?([eEpP][+\-][0-9][0-9_]*i?)?")]
    #[regex(br"\.[0-9][0-9_]*([eE][+\-]?[0-9][0-9_]*)?i?")]
    #[regex(br"[0-9][0-9_]*\.?[0-9_]*[eE][+\-][0-9][0-9_]*i?")]
    #[regex(br"0[xX][0-9a-fA-F_]*\.?[0-9a-fA-F_]*[pP][+\-][0-9][0-9_]*i?")]
    Number,
    #[regex(br#"""#, interpreted)]
    #[regex(br"`", raw)]
    String,
    #[regex(br"'", rune)]
    Char,
    /// Predeclared constants; no reserved words, so they can be declared anew.
    #[token(b"false")]
    #[token(b"iota")]
    #[token(b"nil")]
    #[token(b"true")]
    Constant,
    /// Keywords after which a line end ends a statement.
    #[token(b"break")]
    #[token(b"continue")]
    #[token(b"fallthrough")]
    #[token(b"return")]
    Last,
    /// `++` and `--`.
    #[token(b"++")]
    #[token(b"--")]
    Step,
    #[token(b")")]
    CloseParen,
    #[token(b"]")]
    CloseBracket,
    /// The last kind after which a line end ends a statement.
    #[token(b"}")]
    CloseBrace,
    #[token(b"(")]
    OpenParen,
    #[token(b"[")]
    OpenBracket,
    #[token(b"{")]
    OpenBrace,
    #[token(b";")]
    Semicolon,
    #[token(b":")]
    Colon,
    #[token(b".")]
    Dot,
    #[token(b"*")]
    Star,
    #[token(b",")]
    Comma,
    #[token(b"~")]
    Tilde,
    #[token(b"<-")]
    Arrow,
    #[regex(
        br"[-+/%&|^<>=!?@#$\\]|<<|>>|&\^|[+\-*/%&|^]=|<<=|>>=|&\^=|&&|\|\||==|!=|<=|>=|:=|\.\.\.",
        priority = 3
    )]
    Operator,
    #[token(b"const")]
    #[token(b"defer")]
    #[token(b"go")]
    #[token(b"goto")]
    #[token(b"range")]
    #[token(b"var")]
    Keyword,
    #[token(b"chan")]
    Chan,
    #[token(b"map")]
    Map,
    #[token(b"case")]
    #[token(b"default")]
    Case,
    #[token(b"else")]
    Else,
    #[token(b"for")]
    #[token(b"if")]
    Branch,
    #[token(b"select")]
    #[token(b"switch")]
    Switch,
    #[token(b"func")]
    Func,
    #[token(b"type")]
    TypeWord,
    #[token(b"interface")]
    #[token(b"struct")]
    Body,
    #[token(b"import")]
    #[token(b"package")]
    Import,
    #[regex(br"\r\n|\r|\n")]
    NewLine,
    #[regex(br"/\*", comment)]
    Comment,
}

impl Kind {
    /// Whether a line end after a token of this kind ends the statement.
    pub(super) fn may_end_statement(self) -> bool {
        self <= Self::CloseBrace
    }

    pub(super) fn class(self) -> TokenClass {
        match self {
            Self::Name => TokenClass::Identifier,
            Self::Type => TokenClass::Type,
            Self::Number => TokenClass::Number,
            Self::String => TokenClass::String,
            Self::Char => TokenClass::Char,
            Self::Constant
            | Self::Last
            | Self::Keyword
            | Self::Chan
            | Self::Map
            | Self::Case
            | Self::Else
            | Self::Branch
            | Self::Switch
            | Self::Func
            | Self::TypeWord
            | Self::Body
            | Self::Import => TokenClass::Keyword,
            _ => TokenClass::Operator,
        }
    }
}

/// A lexer whose extra says whether something had no end.
pub(super) type Lex<'s> = Lexer<'s, Kind>;

fn interpreted(lex: &mut Lex<'_>) {
    quoted(lex, b'"');
}

fn rune(lex: &mut Lex<'_>) {
    quoted(lex, b'\'');
}

/// Moves to after the closing quote, or to the line's end.
fn quoted(lex: &mut Lex<'_>, quote: u8) {
    let rest = lex.remainder();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            _ if byte == quote => return lex.bump(at + 1),
            b'\\' if !matches!(rest.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
            b'\n' | b'\r' => break,
            _ => at += 1,
        }
    }
    lex.extras = true;
    lex.bump(at.min(rest.len()));
}

fn raw(lex: &mut Lex<'_>) {
    let end = memchr(b'`', lex.remainder()).map(|at| at + 1);
    bump_or_finish(lex, end);
}

fn comment(lex: &mut Lex<'_>) {
    bump_or_finish(lex, block_end(lex.remainder()));
}

fn bump_or_finish(lex: &mut Lex<'_>, length: Option<usize>) {
    lex.extras |= length.is_none();
    lex.bump(length.unwrap_or(lex.remainder().len()));
}
