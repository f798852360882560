//! Tokens and logical lines: joins what brackets hold together, marks imports and hides docstrings.

use familiar_source::{Token, TokenClass};
use logos::Logos;

use super::lexer::{Kind, Lex};
use crate::finder::NONE;
use crate::languages::lexing::byte_order_mark;
use crate::{Tokens, Want};

/// A logical line that holds at least one token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Position of its first token; it ends before the next line's.
    pub(super) first: u32,
    /// Column of the first token, tabs counted to the next multiple of eight.
    pub(super) indent: u32,
    /// Position of the colon that ends the header of a compound statement, or [`NONE`].
    pub(super) colon: u32,
    /// Simple statements on the line: all, or those after the colon.
    pub(super) statements: u32,
}

/// What [`read`] gives besides the tokens.
#[derive(Debug)]
pub(super) struct Read {
    /// All logical lines where fragments are wanted.
    pub(super) lines: Vec<Line>,
    /// Whether brackets match and strings end.
    pub(super) sound: bool,
}

/// Reads all tokens of `source`.
pub(super) fn read(source: &[u8], want: Want, tokens: &mut Tokens) -> Read {
    let mut reader = Reader::new(source, want, tokens);
    let mut lex = Kind::lexer(source);
    let mark = byte_order_mark(source);
    lex.bump(mark);
    reader.line_start = mark;
    while let Some(result) = lex.next() {
        let span = lex.span();
        let kind = result.unwrap_or(Kind::Operator);
        if kind < Kind::FIRST_SPECIAL && !reader.at_start {
            reader.push(kind, span.start, span.end);
        } else {
            reader.special(kind, span.start, span.end);
        }
        if reader.tokens.is_full() {
            break;
        }
    }
    reader.finish(&lex)
}

/// Where in the file the next docstring may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doc {
    /// The current statement is one if it holds nothing but strings.
    Here,
    No,
}

struct Reader<'a> {
    source: &'a [u8],
    want: Want,
    tokens: &'a mut Tokens,
    lines: Vec<Line>,
    sound: bool,
    /// Open brackets, by their closing kinds.
    open: Vec<Kind>,
    /// Whether the next token is the first of its logical line.
    at_start: bool,
    /// Byte offset of the current physical line.
    line_start: usize,
    line: Line,
    /// Position of the first token of the current statement.
    statement: u32,
    /// What the line starts with, `async` left aside.
    head: Kind,
    /// Colons of lambdas to come before the header's.
    lambdas: u32,
    /// Whether the statement is an import of the file: an import in a function or a class is a statement like any other.
    importing: bool,
    /// Column of the outermost `def` or `class` that the line is inside of, or [`NONE`].
    inside: u32,
    doc: Doc,
}

impl<'a> Reader<'a> {
    fn new(source: &'a [u8], want: Want, tokens: &'a mut Tokens) -> Self {
        Self {
            source,
            want,
            tokens,
            lines: Vec::new(),
            sound: true,
            open: Vec::new(),
            at_start: true,
            line_start: 0,
            line: Line { first: 0, indent: 0, colon: NONE, statements: 0 },
            statement: 0,
            head: Kind::Name,
            lambdas: 0,
            importing: false,
            inside: NONE,
            doc: Doc::Here,
        }
    }

    #[inline]
    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let class = if self.importing { TokenClass::Import } else { kind.class() };
        self.tokens.push(Token::new(class, kind as u8, start, end));
    }

    /// A token that may change what the line is.
    fn special(&mut self, kind: Kind, start: usize, end: usize) {
        if kind == Kind::NewLine {
            self.line_start = end;
            if self.open.is_empty() && !self.at_start {
                self.end_line();
            }
            return;
        }
        if self.at_start {
            self.start_line(kind, start);
        }
        match kind {
            Kind::OpenParen => self.open.push(Kind::CloseParen),
            Kind::OpenBracket => self.open.push(Kind::CloseBracket),
            Kind::OpenBrace => self.open.push(Kind::CloseBrace),
            Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                self.sound &= self.open.pop() == Some(kind);
            }
            Kind::Def | Kind::Class => self.definition(kind, start),
            Kind::Import if self.inside == NONE => self.import(),
            Kind::Lambda if self.open.is_empty() => self.lambdas += 1,
            Kind::Colon if self.open.is_empty() => return self.colon(start, end),
            Kind::Semicolon if self.open.is_empty() => return self.semicolon(start, end),
            _ => {}
        }
        self.push(kind, start, end);
    }

    fn start_line(&mut self, kind: Kind, start: usize) {
        let first = self.tokens.len() as u32;
        self.line = Line { first, indent: self.indent(start), colon: NONE, statements: 0 };
        if self.line.indent <= self.inside {
            self.inside = NONE;
        }
        self.statement = first;
        self.head = kind;
        self.lambdas = 0;
        self.at_start = false;
    }

    fn indent(&self, start: usize) -> u32 {
        self.source[self.line_start..start].iter().fold(0, |column, byte| match byte {
            b'\t' => (column / 8 + 1) * 8,
            b'\x0c' | b'\n' | b'\r' => 0,
            _ => column + 1,
        })
    }

    /// `def` and `class` never stand inside brackets: where a line starts with one, a bracket was left open.
    fn definition(&mut self, kind: Kind, start: usize) {
        if self.head == Kind::Async && self.statement + 1 == self.tokens.len() as u32 {
            self.head = kind;
        }
        if !self.open.is_empty()
            && self.source[self.line_start..start].iter().all(|b| matches!(b, b' ' | b'\t'))
        {
            self.sound = false;
            self.open.clear();
            self.end_line();
            self.start_line(kind, start);
        }
    }

    /// Marks the statement from its `from` on.
    fn import(&mut self) {
        self.importing = true;
        let tokens = &mut self.tokens.as_mut_slice()[self.statement as usize..];
        for token in tokens.iter_mut().rev() {
            let text = &self.source[token.start as usize..token.end as usize];
            let dots = token.kind == Kind::Operator as u8 && text[0] == b'.';
            let from = text == b"from";
            if !dots && !from && token.class != TokenClass::Identifier {
                break;
            }
            token.class = TokenClass::Import;
            if from {
                break;
            }
        }
    }

    fn colon(&mut self, start: usize, end: usize) {
        let at = self.tokens.len() as u32;
        self.push(Kind::Colon, start, end);
        if self.tokens.is_full() {
            return;
        }
        if self.lambdas > 0 {
            self.lambdas -= 1;
        } else if self.line.colon == NONE && self.heads_suite() {
            self.line.colon = at;
            self.start_printed_line();
            self.statement = at + 1;
            let defines = matches!(self.head, Kind::Def | Kind::Class);
            self.doc = if defines { Doc::Here } else { Doc::No };
            if defines {
                // No line is further to the left while the suite is open, so the outermost one stays.
                self.inside = self.inside.min(self.line.indent);
            }
        }
    }

    fn heads_suite(&self) -> bool {
        match self.head {
            Kind::Header | Kind::Clause | Kind::Async | Kind::Def | Kind::Class => true,
            // `match: int` and `case.x[i]: int` are annotations.
            Kind::Match => {
                let second = self.tokens.get(self.line.first as usize + 1);
                second.is_some_and(|token| !matches!(token.text(self.source), b"." | b"=" | b"," | b":"))
            }
            _ => false,
        }
    }

    /// A semicolon parts statements as a line end does, which is no token either.
    fn semicolon(&mut self, start: usize, end: usize) {
        self.end_statement();
        let semicolon = Token::new(TokenClass::Operator, Kind::Semicolon as u8, start, end);
        self.tokens.push(Token { hidden: true, ..semicolon });
        self.statement = self.tokens.len() as u32;
    }

    fn end_line(&mut self) {
        self.end_statement();
        self.at_start = true;
        if matches!(self.head, Kind::Match | Kind::Type) {
            self.soft_keyword();
        }
        if self.want.fragments {
            self.lines.push(self.line);
        }
    }

    /// Ends the statement before the token to come.
    fn end_statement(&mut self) {
        self.importing = false;
        let statement = self.statement as usize;
        if statement == self.tokens.len() {
            // Nothing since the colon or the semicolon; a docstring may follow on the next line.
            return;
        }
        self.line.statements += 1;
        self.start_printed_line();
        if self.doc == Doc::Here {
            self.doc = Doc::No;
            let tokens = &mut self.tokens.as_mut_slice()[statement..];
            if tokens.iter().all(|token| token.kind == Kind::String as u8) {
                for token in tokens {
                    token.hidden = true;
                }
            }
        }
    }

    /// A pretty printer gives the current statement a line of its own.
    fn start_printed_line(&mut self) {
        if self.want.line_starts {
            self.tokens.as_mut_slice()[self.statement as usize].starts_line = true;
        }
    }

    /// `match x:`, `case x:` and `type X = …` start with a keyword, `match(x)` and `type = 1` with a name.
    fn soft_keyword(&mut self) {
        let first = self.line.first as usize;
        let tokens = &mut self.tokens.as_mut_slice()[first..];
        let heads =
            self.line.colon != NONE && tokens.last().is_some_and(|token| token.kind == Kind::Colon as u8);
        let word_follows = tokens.get(1).is_some_and(|token| {
            matches!(token.class, TokenClass::Identifier | TokenClass::Number | TokenClass::String)
        });
        if heads || word_follows {
            tokens[0].class = TokenClass::Keyword;
        }
    }

    fn finish(mut self, lex: &Lex<'_>) -> Read {
        // At the token limit the line may have lost even its first token.
        if !self.at_start && (self.line.first as usize) < self.tokens.len() {
            self.end_line();
        }
        let sound = self.sound && self.open.is_empty() && !lex.extras.unterminated;
        Read { lines: self.lines, sound }
    }
}
