//! Java's tokens.

use familiar_source::{Token, TokenClass};
use logos::{Lexer, Logos};
use memchr::memchr2;

use crate::Tokens;
use crate::languages::lexing::{block_comment, byte_order_mark, line_comment};

/// The kinds of tokens that the finder tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(utf8 = false)]
#[logos(skip b"[ \t\r\n\x0c\x1a]+")]
#[repr(u8)]
pub(super) enum Kind {
    #[regex(b"[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*")]
    Identifier,
    #[token(b"record")]
    Record,
    #[token(b"abstract")]
    #[token(b"assert")]
    #[token(b"break")]
    #[token(b"case")]
    #[token(b"const")]
    #[token(b"continue")]
    #[token(b"extends")]
    #[token(b"final")]
    #[token(b"goto")]
    #[token(b"implements")]
    #[token(b"instanceof")]
    #[token(b"native")]
    #[token(b"private")]
    #[token(b"protected")]
    #[token(b"public")]
    #[token(b"return")]
    #[token(b"strictfp")]
    #[token(b"super")]
    #[token(b"this")]
    #[token(b"throw")]
    #[token(b"throws")]
    #[token(b"transient")]
    #[token(b"volatile")]
    Keyword,
    /// `true`, `false` and `null`.
    #[token(b"true")]
    #[token(b"false")]
    #[token(b"null")]
    Constant,
    #[token(b"class")]
    Class,
    #[token(b"interface")]
    Interface,
    #[token(b"enum")]
    Enum,
    #[token(b"static")]
    Static,
    #[token(b"default")]
    Default,
    #[token(b"new")]
    New,
    #[token(b"switch")]
    Switch,
    /// Keywords whose parentheses stand before a statement.
    #[token(b"if")]
    #[token(b"for")]
    #[token(b"synchronized")]
    Control,
    #[token(b"while")]
    While,
    #[token(b"catch")]
    Catch,
    #[token(b"else")]
    Else,
    #[token(b"finally")]
    Finally,
    #[token(b"try")]
    Try,
    #[token(b"do")]
    Do,
    #[token(b"import")]
    #[token(b"package")]
    Import,
    #[token(b"boolean")]
    #[token(b"byte")]
    #[token(b"char")]
    #[token(b"double")]
    #[token(b"float")]
    #[token(b"int")]
    #[token(b"long")]
    #[token(b"short")]
    #[token(b"void")]
    Type,
    #[regex(b"[0-9][0-9_]*(\\.[0-9_]*)?([eE][+-]?[0-9_]+)?[A-Za-z0-9_]*")]
    #[regex(b"\\.[0-9][0-9_]*([eE][+-]?[0-9_]+)?[fFdD]?")]
    #[regex(b"0[xX][0-9a-fA-F_]*(\\.[0-9a-fA-F_]*)?([pP][+-]?[0-9_]+)?[A-Za-z0-9_]*")]
    Number,
    #[regex(b"\"([^\"\\\\\r\n]|\\\\[^\r\n])*\"?")]
    #[token(b"\"\"\"", text_block)]
    String,
    #[regex(b"'([^'\\\\\r\n]|\\\\[^\r\n])*'?")]
    Char,
    #[token(b"(")]
    OpenParen,
    #[token(b")")]
    CloseParen,
    #[token(b"[")]
    OpenSquare,
    #[token(b"]")]
    CloseSquare,
    #[token(b"{")]
    OpenBrace,
    #[token(b"}")]
    CloseBrace,
    #[token(b";")]
    Semicolon,
    #[token(b",")]
    Comma,
    #[token(b".")]
    Dot,
    #[token(b":")]
    Colon,
    #[token(b"::")]
    Colons,
    #[token(b"=")]
    Assign,
    #[token(b"->")]
    Arrow,
    #[token(b"@")]
    At,
    #[token(b">")]
    Greater,
    #[regex(b"[+*/%&|^!<>=-]=|<<=|>>=|>>>=|\\+\\+|--|&&|\\|\\||<<|\\.\\.\\.")]
    #[regex(b"(?s-u:.)", priority = 0)]
    Operator,
    #[token(b"//", line_comment)]
    #[token(b"/*", block_comment)]
    Comment,
}

/// Goes on to the closing `"""`, or to the end of the file.
fn text_block(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    let mut at = 0;
    while let Some(next) = memchr2(b'"', b'\\', &rest[at..]) {
        at += next;
        if rest[at..].starts_with(b"\"\"\"") {
            lexer.bump(at + 3);
            return;
        }
        at = (at + if rest[at] == b'\\' { 2 } else { 1 }).min(rest.len());
    }
    lexer.bump(rest.len());
}

impl Kind {
    const fn class(self) -> TokenClass {
        match self {
            Self::Identifier | Self::Record => TokenClass::Identifier,
            Self::Type => TokenClass::Type,
            Self::Number => TokenClass::Number,
            Self::String => TokenClass::String,
            Self::Char => TokenClass::Char,
            Self::Import => TokenClass::Import,
            kind if kind as u8 >= Self::OpenParen as u8 => TokenClass::Operator,
            _ => TokenClass::Keyword,
        }
    }
}

/// Appends the tokens of `source`.
pub(super) fn tokens(source: &[u8], out: &mut Tokens) {
    let mut lexer = Kind::lexer(source);
    lexer.bump(byte_order_mark(source));
    let (mut in_import, mut seen_import) = (false, false);
    while let Some(kind) = lexer.next() {
        let kind = kind.unwrap_or(Kind::Operator);
        let span = lexer.span();
        let mut class = kind.class();
        if class == TokenClass::Import {
            if !seen_import {
                import_annotations(out.as_mut_slice());
            }
            (in_import, seen_import) = (true, true);
        } else if in_import {
            // A brace cannot stand in an import: a file cut short there is not all import.
            in_import = !matches!(kind, Kind::Semicolon | Kind::OpenBrace | Kind::CloseBrace);
            if in_import || kind == Kind::Semicolon {
                class = TokenClass::Import;
            }
        }
        out.push(Token::new(class, kind as u8, span.start, span.end));
        if out.is_full() {
            break;
        }
    }
}

/// Makes the annotations of a package part of its declaration: nothing else can stand before the first one.
fn import_annotations(tokens: &mut [Token]) {
    if tokens.first().is_some_and(|token| token.kind == Kind::At as u8)
        && !tokens.iter().any(|token| token.kind == Kind::Semicolon as u8)
    {
        for token in tokens {
            token.class = TokenClass::Import;
        }
    }
}
