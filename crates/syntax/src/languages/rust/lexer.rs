//! Rust's tokens.

use familiar_source::{Token, TokenClass};
use logos::{Lexer, Logos, Skip};

use crate::Tokens;

/// What the lexer found out besides the tokens.
#[derive(Default)]
pub(super) struct Extras {
    /// A comment or string has no end.
    open_ended: bool,
}

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(utf8 = false)]
#[logos(extras = Extras)]
#[logos(skip r"[ \t\r\n\x0C\x0B]+")]
#[repr(u8)]
pub(super) enum Kind {
    #[regex(r"//[^\r\n]*", logos::skip, allow_greedy = true)]
    #[token("/*", block_comment)]
    Comment,
    #[regex(r"(?-u:[A-Za-z_\x80-\xFF][A-Za-z0-9_\x80-\xFF]*)", priority = 2)]
    #[regex(r"r#(?-u:[A-Za-z_\x80-\xFF][A-Za-z0-9_\x80-\xFF]*)")]
    Identifier,
    #[token("'", quote)]
    #[token("b'", quote)]
    Quote,
    Lifetime,
    Char,
    #[regex(r"(?-u:[0-9][0-9A-Za-z_\x80-\xFF]*)", number)]
    Number,
    #[token("\"", string)]
    #[token("b\"", string)]
    #[token("c\"", string)]
    #[regex("[bc]?r#*\"", raw_string)]
    String,
    #[regex("bool|char|str|[iu](8|16|32|64|128|size)|f(16|32|64|128)", priority = 20)]
    Type,

    #[token("(")]
    OpenRound,
    #[token(")")]
    CloseRound,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("{")]
    OpenBrace,
    #[token("}")]
    CloseBrace,
    #[token(";")]
    Semicolon,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("::")]
    Path,
    #[token("#")]
    Hash,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("..")]
    #[token("..=")]
    #[token("...")]
    Range,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("=")]
    Equal,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,
    #[token("*")]
    Star,
    #[regex(r"<=|==|!=|&&|\|\||[-+*/%^&|]=|<<=|>>=")]
    #[regex(r"(?s-u:.)", priority = 0)]
    Operator,

    #[token("fn")]
    Fn,
    #[token("impl")]
    Impl,
    #[token("trait")]
    Trait,
    #[token("mod")]
    Mod,
    #[token("struct")]
    Struct,
    #[token("enum")]
    Enum,
    #[token("union")]
    Union,
    #[token("use")]
    Use,
    #[token("extern")]
    Extern,
    #[token("crate")]
    Crate,
    #[token("pub")]
    Pub,
    #[token("const")]
    Const,
    #[token("unsafe")]
    Unsafe,
    #[token("async")]
    Async,
    #[token("default")]
    Default,
    #[token("auto")]
    Auto,
    #[token("if")]
    If,
    #[token("else")]
    Else,
    #[token("while")]
    While,
    #[token("loop")]
    Loop,
    #[token("for")]
    For,
    #[token("in")]
    In,
    #[token("match")]
    Match,
    #[token("let")]
    Let,
    #[token("where")]
    Where,
    #[token("as")]
    As,
    #[token("move")]
    Move,
    /// Keywords after which an operand is complete.
    #[regex("self|Self|super|true|false|await")]
    Operand,
    /// Keywords that nothing here asks for.
    #[regex("break|continue|return|ref|mut|static|type|dyn|yield|macro_rules")]
    Word,
}

impl Kind {
    /// Whether the token kind with the number `kind` is one of `kinds`.
    #[inline]
    pub(super) fn is_one(kind: u8, kinds: &[Self]) -> bool {
        // Folded to a constant where the list is one.
        let mask = kinds.iter().fold(0_u128, |mask, &one| mask | 1 << one as u8);
        mask >> kind & 1 != 0
    }

    const CLASSES: [TokenClass; Self::Word as usize + 1] = {
        let mut classes = [TokenClass::Operator; Self::Word as usize + 1];
        let mut at = Self::Fn as usize;
        while at < classes.len() {
            classes[at] = TokenClass::Keyword;
            at += 1;
        }
        // Words of the language in some places only.
        classes[Self::Union as usize] = TokenClass::Identifier;
        classes[Self::Default as usize] = TokenClass::Identifier;
        classes[Self::Auto as usize] = TokenClass::Identifier;
        classes[Self::Identifier as usize] = TokenClass::Identifier;
        classes[Self::Lifetime as usize] = TokenClass::Identifier;
        classes[Self::Char as usize] = TokenClass::Char;
        classes[Self::Number as usize] = TokenClass::Number;
        classes[Self::String as usize] = TokenClass::String;
        classes[Self::Type as usize] = TokenClass::Type;
        classes
    };
}

/// Appends the tokens of `source`; whether every comment and string had an end.
pub(super) fn lex(source: &[u8], tokens: &mut Tokens) -> bool {
    let start = shebang(source);
    let mut lexer = Kind::lexer(source);
    lexer.bump(start);
    let mut importing = false;
    let mut imports = Vec::new();
    let mut before = Kind::Semicolon;
    while let Some(found) = lexer.next() {
        let mut kind = found.unwrap_or(Kind::Operator);
        let span = lexer.span();
        if kind == Kind::Quote {
            kind = if source[span.end - 1] == b'\'' && span.len() > 1 { Kind::Char } else { Kind::Lifetime };
        }
        let mut class = Kind::CLASSES[kind as usize];
        if importing {
            importing = in_import(kind);
            class = if importing || kind == Kind::Semicolon { TokenClass::Import } else { class };
        } else if kind == Kind::Use && opens_item(before) || kind == Kind::Crate && before == Kind::Extern {
            importing = true;
            class = TokenClass::Import;
            imports.push(mark_before(tokens.as_mut_slice()) as u32);
        }
        before = kind;
        tokens.push(Token::new(class, kind as u8, span.start, span.end));
        if tokens.is_full() {
            break;
        }
    }
    release_local(tokens.as_mut_slice(), &imports);
    !lexer.extras.open_ended
}

/// Gives imports inside functions the classes that their tokens have elsewhere; `imports` are the positions of their first tokens.
fn release_local(tokens: &mut [Token], imports: &[u32]) {
    use Kind::{CloseBrace, CloseRound, CloseSquare, Fn, OpenBrace, OpenRound, OpenSquare, Semicolon};
    let Some(&last) = imports.last() else { return };
    let (mut braces, mut groups) = (0_u32, 0_u32);
    // Open groups around the `fn` whose body is to come; braces around the outermost body that is open.
    let (mut header, mut body) = (None, None);
    let mut imports = imports.iter().map(|&first| first as usize).peekable();
    for at in 0..tokens.len().min(last as usize + 1) {
        let is =
            |at: usize, kinds: &[Kind]| tokens.get(at).is_some_and(|token| Kind::is_one(token.kind, kinds));
        if is(at, &[OpenBrace]) {
            if body.is_none() && header == Some(groups) {
                (header, body) = (None, Some(braces));
            }
            braces += 1;
        } else if is(at, &[CloseBrace]) {
            braces = braces.saturating_sub(1);
            body = body.filter(|&around| around < braces);
        } else if is(at, &[OpenRound, OpenSquare]) {
            groups += 1;
        } else if is(at, &[CloseRound, CloseSquare]) {
            groups = groups.saturating_sub(1);
        } else if is(at, &[Semicolon]) {
            header = header.filter(|&around| around != groups);
        } else if body.is_none() && is(at, &[Fn]) && !is(at + 1, &[OpenRound]) {
            header = Some(groups);
        }
        if imports.next_if_eq(&at).is_some() && body.is_some() {
            let import = tokens[at..].iter_mut().take_while(|token| token.class == TokenClass::Import);
            // The next import's tokens follow at once; they are released in their turn, or now.
            import.for_each(|token| token.class = Kind::CLASSES[token.kind as usize]);
        }
    }
}

/// The bytes of a first line such as `#!/usr/bin/env run-cargo-script`; `#![…]` is an attribute.
fn shebang(source: &[u8]) -> usize {
    let Some(rest) = source.strip_prefix(b"#!") else { return 0 };
    if rest.trim_ascii_start().starts_with(b"[") {
        return 0;
    }
    memchr::memchr2(b'\n', b'\r', source).unwrap_or(source.len())
}

fn in_import(kind: Kind) -> bool {
    use Kind::{
        As, Auto, CloseBrace, Comma, Crate, Default, Identifier, OpenBrace, Operand, Path, Star, Type, Union,
    };
    const WORDS: &[Kind] = &[
        As, Auto, CloseBrace, Comma, Crate, Default, Identifier, OpenBrace, Operand, Path, Star, Type, Union,
    ];
    Kind::is_one(kind as u8, WORDS)
}

fn opens_item(before: Kind) -> bool {
    use Kind::{CloseBrace, CloseRound, CloseSquare, OpenBrace, Pub, Semicolon};
    matches!(before, CloseBrace | CloseRound | CloseSquare | OpenBrace | Pub | Semicolon)
}

/// Makes `pub`, `pub(in …)` or `extern` at the end of `tokens` part of an import; where that starts.
fn mark_before(tokens: &mut [Token]) -> usize {
    use Kind::{CloseRound, Crate, Extern, Identifier, In, OpenRound, Operand, Path, Pub};
    const VISIBILITY: &[Kind] = &[CloseRound, Crate, Extern, Identifier, In, OpenRound, Operand, Path, Pub];
    const LONGEST: usize = 12;
    let words =
        tokens.iter().rev().take(LONGEST).take_while(|token| Kind::is_one(token.kind, VISIBILITY)).count();
    let words = tokens.len() - words;
    let Some(first) = tokens[words..].iter().position(|token| Kind::is_one(token.kind, &[Pub, Extern]))
    else {
        return tokens.len();
    };
    for token in &mut tokens[words + first..] {
        token.class = TokenClass::Import;
    }
    words + first
}

fn block_comment(lexer: &mut Lexer<Kind>) -> Skip {
    let rest = lexer.remainder();
    let mut depth = 1;
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'/', b'*', &rest[at..]) {
        at += found;
        match &rest[at..rest.len().min(at + 2)] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            lexer.bump(at);
            return Skip;
        }
    }
    lexer.extras.open_ended = true;
    lexer.bump(rest.len());
    Skip
}

fn string(lexer: &mut Lexer<Kind>) {
    let rest = lexer.remainder();
    let mut at = 0;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &rest[at..]) {
        at += found + 1;
        if rest[at - 1] == b'"' {
            lexer.bump(at);
            return;
        }
        at = rest.len().min(at + 1);
    }
    lexer.extras.open_ended = true;
    lexer.bump(rest.len());
}

fn raw_string(lexer: &mut Lexer<Kind>) {
    // What the lexer has read is the prefix with its `r`, the hashes and a quote.
    let hashes = lexer.slice().len() - 2 - usize::from(lexer.slice()[0] != b'r');
    let rest = lexer.remainder();
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'"', &rest[at..]) {
        at += found + 1;
        let run = rest[at..].iter().take(hashes).take_while(|&&byte| byte == b'#').count();
        at += run;
        if run == hashes {
            lexer.bump(at);
            return;
        }
    }
    lexer.extras.open_ended = true;
    lexer.bump(rest.len());
}

/// Takes the rest of a character literal or lifetime.
fn quote(lexer: &mut Lexer<Kind>) {
    /// Longest escape: `\u{10_FF_FF}` with underscores to spare.
    const MOST: usize = 24;
    let rest = lexer.remainder();
    let length = match rest.first() {
        Some(b'\\') => {
            let close = rest[..rest.len().min(MOST)].iter().skip(2).position(|&byte| byte == b'\'');
            close.map_or(0, |at| at + 3)
        }
        Some(&byte) if byte != b'\n' && byte != b'\r' => {
            let wide = match byte {
                0xC0..=0xDF => 2,
                0xE0..=0xEF => 3,
                0xF0..=0xFF => 4,
                _ => 1,
            };
            if rest.get(wide) == Some(&b'\'') {
                wide + 1
            } else {
                let word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80;
                rest.iter().take_while(word).count()
            }
        }
        _ => 0,
    };
    lexer.bump(length);
}

/// Takes the fraction and the signed exponent of a number, which the lexer has read up to the first stop.
fn number(lexer: &mut Lexer<Kind>) {
    let radix = lexer.slice().starts_with(b"0x") || lexer.slice().starts_with(b"0b");
    let rest = lexer.remainder();
    let word = |from: usize| {
        rest[from..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
    };
    let mut length = 0;
    if !radix && rest.first() == Some(&b'.') {
        match rest.get(1) {
            Some(byte) if byte.is_ascii_digit() => length = 1 + word(1),
            Some(byte) if *byte == b'.' || *byte == b'_' || byte.is_ascii_alphabetic() || *byte >= 0x80 => {}
            _ => length = 1,
        }
    }
    let last = if length > 0 { rest[length - 1] } else { lexer.slice()[lexer.slice().len() - 1] };
    let sign = matches!(rest.get(length), Some(b'+' | b'-'));
    if !radix && sign && matches!(last, b'e' | b'E') && rest.get(length + 1).is_some_and(u8::is_ascii_digit) {
        length += 1 + word(length + 1);
    }
    lexer.bump(length);
}

/// Marks the first token of each line as rustfmt would break them: after `;`, `{` and `}`, and before `}`.
pub(super) fn mark_line_starts(tokens: &mut [Token]) {
    use Kind::{
        As, CloseRound, CloseSquare, Comma, Dot, Else, Equal, FatArrow, Greater, In, Operator, Question,
    };
    /// What follows a brace on its line, with the line going on after it.
    const JOINS: &[Kind] = &[As, Dot, Else, Equal, FatArrow, Greater, In, Operator, Question];
    /// What follows a brace on its line and ends it.
    const ENDS: &[Kind] = &[CloseRound, CloseSquare, Comma, Kind::Semicolon];
    let mut inside: Vec<u32> = Vec::new();
    let mut round = 0_u32;
    let mut line = true;
    for token in tokens {
        let kind = token.kind;
        let closes = kind == Kind::CloseBrace as u8;
        let ends = Kind::is_one(kind, ENDS);
        token.starts_line = closes || line && !ends && !Kind::is_one(kind, JOINS);
        line = line && ends;
        if kind == Kind::OpenBrace as u8 {
            inside.push(round);
            round = 0;
            line = true;
        } else if closes {
            round = inside.pop().unwrap_or(0);
            line = true;
        } else if kind == Kind::OpenRound as u8 || kind == Kind::OpenSquare as u8 {
            round += 1;
        } else if kind == Kind::CloseRound as u8 || kind == Kind::CloseSquare as u8 {
            round = round.saturating_sub(1);
        } else if kind == Kind::Semicolon as u8 && round == 0 {
            line = true;
        }
    }
}
