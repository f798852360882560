//! Bytes to tokens: the generated lexer, and by hand what depends on the context — whether `/` divides or starts a
//! regular expression, whether `<` compares or starts an element, and what lies inside templates.

use familiar_source::Token;
use logos::{Lexer, Logos};

use super::kind::{Classes, Kind};
use crate::Tokens;
use crate::languages::lexing::{byte_order_mark, line_length};

/// What is open around the current position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// `control`: the head of an `if`, `while`, `for` or `with`, so that an operand follows it.
    Paren {
        control: bool,
    },
    Bracket,
    /// Braces; an operand ends with them where they are an `object`.
    Brace {
        object: bool,
    },
    /// `${` in a template.
    Template,
    /// `{` in an element.
    Expression,
    /// From `<` to `>` of a tag; `angles` counts the open type arguments.
    Tag {
        closing: bool,
        angles: u32,
    },
    /// From the end of an opening tag to its closing tag.
    Children,
}

/// What [`Scanner::run`] found out besides the tokens.
pub(super) struct Scanned {
    /// Whether all that was opened was closed.
    pub(super) clean: bool,
    /// Positions of the `import` keywords.
    pub(super) imports: Vec<u32>,
}

pub(super) struct Scanner<'s, 'o> {
    pub(super) source: &'s [u8],
    pub(super) lexer: Lexer<'s, Kind>,
    pub(super) tokens: &'o mut Tokens,
    pub(super) stack: Vec<Open>,
    classes: &'static Classes,
    /// Kind of the last token.
    previous: Kind,
    /// Whether an operand ends with the last token.
    pub(super) ended: bool,
    /// How many entries of the stack a `}` can close.
    braces: u32,
    /// Bytes that may still be read in vain.
    pub(super) fuel: usize,
    /// Where the last `</` stands, 0 where there is none; known once that was asked for.
    pub(super) last_closing: Option<usize>,
    pub(super) clean: bool,
    imports: Vec<u32>,
}

impl<'s, 'o> Scanner<'s, 'o> {
    pub(super) fn new(source: &'s [u8], classes: &'static Classes, tokens: &'o mut Tokens) -> Self {
        Self {
            source,
            lexer: Kind::lexer(source),
            tokens,
            stack: Vec::new(),
            classes,
            previous: Kind::Semicolon,
            ended: false,
            braces: 0,
            fuel: source.len() * 4 + (1 << 16),
            last_closing: None,
            clean: true,
            imports: Vec::new(),
        }
    }

    pub(super) fn run(mut self) -> Scanned {
        self.skip_first_line();
        while let Some(kind) = self.lexer.next() {
            let kind = kind.unwrap_or(Kind::Unknown);
            if kind.is_special() {
                self.special(kind);
            } else {
                self.plain(kind);
            }
            if self.tokens.is_full() {
                break;
            }
        }
        Scanned { clean: self.clean && self.stack.is_empty(), imports: self.imports }
    }

    /// A byte order mark and `#!`.
    fn skip_first_line(&mut self) {
        self.lexer.bump(byte_order_mark(self.source));
        if self.lexer.remainder().starts_with(b"#!") {
            self.lexer.bump(line_length(self.lexer.remainder()));
        }
    }

    #[inline]
    fn plain(&mut self, kind: Kind) {
        let after_dot = matches!(self.previous, Kind::Dot | Kind::OptionalDot);
        let kind = if after_dot && kind.is_word() { Kind::Ident } else { kind };
        if kind == Kind::Import {
            self.imports.push(self.tokens.len() as u32);
        }
        // `of` after an operand is the operator of a loop.
        let is_of = kind == Kind::Of && self.ended;
        self.push(kind);
        self.ended &= !is_of;
    }

    /// Adds the lexer's current token.
    #[inline]
    pub(super) fn push(&mut self, kind: Kind) {
        let span = self.lexer.span();
        self.push_at(kind, span.start, span.end);
    }

    #[inline]
    pub(super) fn push_at(&mut self, kind: Kind, start: usize, end: usize) {
        self.tokens.push(Token::new(self.classes.of(kind), kind as u8, start, end));
        self.previous = kind;
        self.ended = kind.ends_operand();
    }

    fn special(&mut self, kind: Kind) {
        match kind {
            Kind::LeftParen => {
                self.stack.push(Open::Paren { control: self.is_control() });
                self.push(kind);
            }
            Kind::LeftBracket => {
                self.stack.push(Open::Bracket);
                self.push(kind);
            }
            Kind::RightParen => {
                self.push(kind);
                if let Some(&Open::Paren { control }) = self.stack.last() {
                    self.stack.pop();
                    self.ended = !control;
                }
            }
            Kind::RightBracket => {
                self.push(kind);
                if self.stack.last() == Some(&Open::Bracket) {
                    self.stack.pop();
                }
            }
            Kind::LeftBrace => self.open_brace(),
            Kind::RightBrace => self.close_brace(),
            Kind::Less if !self.ended && self.is_element() => {
                self.push(Kind::JsxOpen);
                self.stack.push(Open::Tag { closing: false, angles: 0 });
                self.markup();
            }
            Kind::Slash | Kind::SlashAssign if !self.ended => self.regex(kind),
            Kind::Slash | Kind::SlashAssign => self.push(Kind::Binary),
            Kind::Question => self.question(),
            Kind::Bang if self.ended && self.touches_previous() => self.push(Kind::NonNull),
            Kind::MinusMinus if self.closes_html_comment() => self.skip_line(),
            Kind::HtmlComment if !self.ended => self.skip_line(),
            Kind::Backtick => self.template(Kind::TemplateHead, Kind::Template),
            _ => self.push(kind),
        }
    }

    fn skip_line(&mut self) {
        self.lexer.bump(line_length(self.lexer.remainder()));
    }

    /// Whether the parenthesis to come is the head of a statement whose body can start with an operand.
    fn is_control(&self) -> bool {
        match self.previous {
            Kind::If | Kind::While | Kind::For | Kind::With => true,
            Kind::Await => {
                let before = self.tokens.len().wrapping_sub(2);
                self.tokens.get(before).is_some_and(|token| token.kind == Kind::For as u8)
            }
            _ => false,
        }
    }

    /// Whether no space stands before the current token.
    fn touches_previous(&self) -> bool {
        self.tokens.last().is_some_and(|token| token.end as usize == self.lexer.span().start)
    }

    /// Whether this is the `-->` that some old scripts start a line with.
    fn closes_html_comment(&self) -> bool {
        let start = self.lexer.span().start;
        self.lexer.remainder().first() == Some(&b'>')
            && self.source[..start].iter().rev().take(200).find(|byte| !matches!(byte, b' ' | b'\t'))
                == Some(&b'\n')
    }

    fn question(&mut self) {
        let rest = self.lexer.remainder();
        if rest.first() == Some(&b'.') && !rest.get(1).is_some_and(u8::is_ascii_digit) {
            self.lexer.bump(1);
            self.push(Kind::OptionalDot);
        } else {
            self.push(Kind::Question);
        }
    }

    fn open_brace(&mut self) {
        let object = match self.previous {
            Kind::Arrow | Kind::Semicolon | Kind::LeftBrace | Kind::RightBrace | Kind::RightParen => false,
            Kind::Colon => {
                matches!(self.stack.last(), Some(Open::Brace { object: true } | Open::Paren { .. }))
            }
            Kind::Return | Kind::Typeof | Kind::Case | Kind::In | Kind::Default | Kind::Yield => true,
            kind => !kind.is_word() && !self.ended,
        };
        self.stack.push(Open::Brace { object });
        self.braces += 1;
        self.push(Kind::LeftBrace);
    }

    /// Closes the innermost `{`, `${` or `{` of an element, whatever else is still open inside of it.
    fn close_brace(&mut self) {
        let mut closed = None;
        while self.braces > 0
            && let Some(open) = self.stack.pop()
        {
            if matches!(open, Open::Brace { .. } | Open::Template | Open::Expression) {
                self.braces -= 1;
                closed = Some(open);
                break;
            }
        }
        match closed {
            Some(Open::Template) => {
                self.push(Kind::TemplateClose);
                self.template(Kind::TemplateMiddle, Kind::TemplateTail);
            }
            Some(Open::Expression) => {
                self.push(Kind::JsxRight);
                self.markup();
            }
            closed => {
                self.push(Kind::RightBrace);
                self.ended = closed == Some(Open::Brace { object: true });
            }
        }
    }

    /// Opens the braces around an expression in an element.
    pub(super) fn open_expression(&mut self, at: usize) {
        self.push_at(Kind::JsxLeft, at, at + 1);
        self.stack.push(Open::Expression);
        self.braces += 1;
    }

    /// Reads the text of a template from the current token on: up to a substitution it is of kind `inner`, up to the
    /// end of the template of kind `last`. The closing `}` of a substitution is a token of its own.
    fn template(&mut self, inner: Kind, last: Kind) {
        let span = self.lexer.span();
        let start = if inner == Kind::TemplateHead { span.start } else { span.end };
        let rest = self.lexer.remainder();
        let mut at = 0;
        while let Some(found) = memchr::memchr3(b'`', b'\\', b'$', rest.get(at..).unwrap_or_default()) {
            at += found;
            match rest[at] {
                b'`' => {
                    self.lexer.bump(at + 1);
                    self.push_at(last, start, span.end + at + 1);
                    return;
                }
                b'$' if rest.get(at + 1) == Some(&b'{') => {
                    self.lexer.bump(at + 2);
                    let end = span.end + at;
                    if start < end {
                        self.push_at(inner, start, end);
                    }
                    self.push_at(Kind::TemplateOpen, end, end + 2);
                    self.stack.push(Open::Template);
                    self.braces += 1;
                    return;
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        self.lexer.bump(rest.len());
        self.clean = false;
        if start < self.source.len() {
            self.push_at(last, start, self.source.len());
        }
    }

    /// A `/` where an operand must stand.
    fn regex(&mut self, kind: Kind) {
        let start = self.lexer.span().start;
        let tail = self.lexer.span().end;
        match self.regex_length(&self.source[start + 1..]) {
            Some(length) => {
                self.lexer.bump(start + 1 + length - tail);
                self.push(Kind::Regex);
            }
            None => self.push(if kind == Kind::Slash { Kind::Binary } else { kind }),
        }
    }

    /// Length of the regular expression, flags included, whose text after the first `/` is `rest`.
    fn regex_length(&mut self, rest: &[u8]) -> Option<usize> {
        let mut in_set = false;
        let mut at = 0;
        let limit = rest.len().min(self.fuel);
        while at < limit {
            match rest[at] {
                b'\\' => at += 1,
                b'[' => in_set = true,
                b']' => in_set = false,
                b'/' if !in_set => {
                    let flags = rest[at + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
                    return Some(at + 1 + flags);
                }
                b'\n' | b'\r' => break,
                _ => {}
            }
            at += 1;
        }
        self.fuel -= at.min(self.fuel);
        None
    }

    /// What stands before the current token.
    pub(super) fn previous(&self) -> Kind {
        self.previous
    }
}
