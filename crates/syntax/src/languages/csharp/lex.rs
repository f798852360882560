//! C#'s tokens.

use familiar_source::{Token, TokenClass};
use logos::{Lexer, Logos};

use super::strings;
use crate::Tokens;
use crate::languages::lexing::{block_comment, byte_order_mark, line_comment, line_length};

/// What the lexer remembers from token to token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Memory {
    /// Strings without an end that were met.
    endless: u8,
    /// Where the last line ends whose end was looked for.
    line_end: usize,
}

/// After so many strings without an end, further ones are looked at to the end of their line only, which keeps a file
/// of nothing but such strings linear.
const MOST_ENDLESS: u8 = 8;

/// The kinds of tokens that the finder tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Logos)]
#[logos(utf8 = false, extras = Memory)]
#[logos(skip b"[ \t\r\n\x0b\x0c\x1a]+")]
#[repr(u8)]
pub(super) enum Kind {
    #[regex(b"@?[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*")]
    Identifier,
    #[token(b"record")]
    Record,
    /// What an attribute of the whole assembly is for.
    #[token(b"assembly")]
    #[token(b"module")]
    Assembly,
    #[token(b"global")]
    Global,
    #[token(b"where")]
    Where,
    #[token(b"when")]
    When,
    /// Words that are keywords where they stand alone before something.
    #[token(b"async")]
    #[token(b"await")]
    #[token(b"partial")]
    #[token(b"yield")]
    Soft,
    #[token(b"abstract")]
    #[token(b"as")]
    #[token(b"base")]
    #[token(b"break")]
    #[token(b"const")]
    #[token(b"continue")]
    #[token(b"event")]
    #[token(b"explicit")]
    #[token(b"goto")]
    #[token(b"implicit")]
    #[token(b"in")]
    #[token(b"internal")]
    #[token(b"is")]
    #[token(b"new")]
    #[token(b"out")]
    #[token(b"override")]
    #[token(b"params")]
    #[token(b"private")]
    #[token(b"protected")]
    #[token(b"public")]
    #[token(b"readonly")]
    #[token(b"ref")]
    #[token(b"return")]
    #[token(b"sealed")]
    #[token(b"sizeof")]
    #[token(b"stackalloc")]
    #[token(b"static")]
    #[token(b"throw")]
    #[token(b"typeof")]
    #[token(b"virtual")]
    #[token(b"volatile")]
    #[token(b"true")]
    #[token(b"false")]
    #[token(b"null")]
    Keyword,
    #[token(b"extern")]
    Extern,
    #[token(b"this")]
    This,
    #[token(b"class")]
    #[token(b"struct")]
    #[token(b"interface")]
    Class,
    #[token(b"enum")]
    Enum,
    #[token(b"namespace")]
    Namespace,
    #[token(b"delegate")]
    Delegate,
    #[token(b"operator")]
    OperatorWord,
    #[token(b"case")]
    #[token(b"default")]
    Case,
    #[token(b"switch")]
    Switch,
    /// Keywords whose parentheses stand before a statement.
    #[token(b"fixed")]
    #[token(b"for")]
    #[token(b"foreach")]
    #[token(b"if")]
    #[token(b"lock")]
    Control,
    #[token(b"using")]
    Using,
    #[token(b"while")]
    While,
    #[token(b"catch")]
    Catch,
    #[token(b"else")]
    Else,
    #[token(b"finally")]
    Finally,
    #[token(b"do")]
    Do,
    /// Other keywords that a block may stand after.
    #[token(b"checked")]
    #[token(b"try")]
    #[token(b"unchecked")]
    #[token(b"unsafe")]
    BeforeBlock,
    #[token(b"bool")]
    #[token(b"byte")]
    #[token(b"char")]
    #[token(b"decimal")]
    #[token(b"double")]
    #[token(b"dynamic")]
    #[token(b"float")]
    #[token(b"int")]
    #[token(b"long")]
    #[token(b"nint")]
    #[token(b"nuint")]
    #[token(b"object")]
    #[token(b"sbyte")]
    #[token(b"short")]
    #[token(b"string")]
    #[token(b"uint")]
    #[token(b"ulong")]
    #[token(b"ushort")]
    #[token(b"var")]
    #[token(b"void")]
    Type,
    #[regex(b"[0-9][0-9_]*(\\.[0-9][0-9_]*)?([eE][+-]?[0-9_]+)?[A-Za-z0-9_]*")]
    #[regex(b"\\.[0-9][0-9_]*([eE][+-]?[0-9_]+)?[fFdDmM]?")]
    #[regex(b"0[xX][0-9a-fA-F_]+[A-Za-z0-9_]*")]
    Number,
    #[regex(b"\"([^\"\\\\\r\n]|\\\\[^\r\n])*(\"(u8|U8)?)?")]
    #[regex(b"@\"([^\"]|\"\")*\"?")]
    #[regex(b"\\$+\"|\\$@\"|@\\$\"|\"\"\"", long_string)]
    String,
    #[regex(b"'([^'\\\\\r\n]|\\\\[^\r\n])*'?")]
    Char,
    /// `#if`, up to the end of its line.
    If,
    /// `#elif` and `#else`.
    ElseIf,
    EndIf,
    /// `#define`, `#undef`; in the lexer, every directive.
    #[regex(b"#[^\r\n]*", allow_greedy = true)]
    Directive,
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
    #[token(b".")]
    Dot,
    #[token(b":")]
    Colon,
    #[token(b"=")]
    Assign,
    #[token(b"=>")]
    Arrow,
    #[token(b">")]
    Greater,
    #[token(b"<")]
    Less,
    #[token(b"~")]
    Tilde,
    #[token(b"?")]
    Question,
    #[token(b"*")]
    Star,
    #[regex(b"[+*/%&|^!<>=-]=|<<=|>>=|>>>=|\\?\\?=|\\?\\?|\\?\\.|\\+\\+|--|&&|\\|\\||<<|->|::|\\.\\.")]
    #[regex(b"(?s-u:.)", priority = 0)]
    Operator,
    #[token(b"//", line_comment)]
    #[token(b"/*", block_comment)]
    Comment,
}

/// Goes on to the end of a raw or interpolated string; to the end of the line where it has none.
fn long_string(lexer: &mut Lexer<'_, Kind>) {
    let opening = lexer.span();
    let limit = if lexer.extras.endless < MOST_ENDLESS { lexer.source().len() } else { line_end(lexer) };
    if let Some(len) = strings::end(&lexer.source()[opening.start..limit]) {
        lexer.bump(opening.start + len - opening.end);
    } else {
        lexer.extras.endless = lexer.extras.endless.saturating_add(1);
        let end = line_end(lexer);
        lexer.bump(end - opening.end);
    }
    if lexer.remainder().starts_with(b"u8") || lexer.remainder().starts_with(b"U8") {
        lexer.bump(2);
    }
}

/// Byte offset at which the line that is being read ends.
fn line_end(lexer: &mut Lexer<'_, Kind>) -> usize {
    let at = lexer.span().end;
    if lexer.extras.line_end < at {
        lexer.extras.line_end = at + line_length(lexer.remainder());
    }
    lexer.extras.line_end
}

impl Kind {
    const fn class(self) -> TokenClass {
        match self {
            Self::Identifier | Self::Record | Self::Assembly | Self::Global => TokenClass::Identifier,
            Self::Type => TokenClass::Type,
            Self::Number => TokenClass::Number,
            Self::String => TokenClass::String,
            Self::Char => TokenClass::Char,
            kind if kind as u8 >= Self::OpenParen as u8 => TokenClass::Operator,
            _ => TokenClass::Keyword,
        }
    }
}

/// The kind of a directive and its length without a comment; `None` for those that are layout.
fn directive(line: &[u8]) -> Option<(Kind, usize)> {
    let word_at = 1 + line[1..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let word_len = line[word_at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let kind = match &line[word_at..word_at + word_len] {
        b"if" => Kind::If,
        b"elif" | b"else" => Kind::ElseIf,
        b"endif" => Kind::EndIf,
        b"define" | b"undef" => Kind::Directive,
        _ => return None,
    };
    let code = &line[..memchr::memmem::find(line, b"//").unwrap_or(line.len())];
    Some((kind, code.trim_ascii_end().len()))
}

/// Appends the tokens of `source`.
pub(super) fn tokens(source: &[u8], out: &mut Tokens) {
    let mut lexer = Kind::lexer(source);
    lexer.bump(byte_order_mark(source));
    // Where the `using` stands that may be an import.
    let mut using = None;
    while let Some(kind) = lexer.next() {
        let mut kind = kind.unwrap_or(Kind::Operator);
        let mut span = lexer.span();
        match kind {
            Kind::Using => using = Some(out.len()),
            Kind::OpenBrace | Kind::CloseBrace => using = None,
            Kind::Directive => match directive(lexer.slice()) {
                Some((directive, len)) => (kind, span.end) = (directive, span.start + len),
                None => continue,
            },
            _ => {}
        }
        out.push(Token::new(kind.class(), kind as u8, span.start, span.end));
        if out.is_full() {
            break;
        }
        if kind == Kind::Semicolon {
            match using.take() {
                Some(using) => mark_using(out.as_mut_slice(), using),
                None => mark_alias(source, out.as_mut_slice()),
            }
        }
    }
}

/// Marks the statement that ends `tokens` where it is `extern alias NAME;`.
fn mark_alias(source: &[u8], tokens: &mut [Token]) {
    if let [.., first, alias, name, last] = tokens
        && first.kind == Kind::Extern as u8
        && alias.text(source) == b"alias"
    {
        for token in [first, alias, name, last] {
            token.class = TokenClass::Import;
        }
    }
}

/// Marks the statement from the `using` at `at` to the end of `tokens` where it is an import and no declaration.
fn mark_using(tokens: &mut [Token], at: usize) {
    let is = |at: usize, kind: Kind| tokens.get(at).is_some_and(|token| token.kind == kind as u8);
    let alias = is(at + 2, Kind::Assign);
    let plain = !tokens[at..]
        .iter()
        .any(|token| [Kind::Assign, Kind::OpenParen].iter().any(|&kind| token.kind == kind as u8));
    if alias || plain {
        let first = if at > 0 && is(at - 1, Kind::Global) { at - 1 } else { at };
        for token in &mut tokens[first..] {
            token.class = TokenClass::Import;
        }
    }
}
