//! The fragment finder that C and C++ share: one pass over the tokens with a stack of open brackets, no recursion.

use familiar_source::{Fragment, FragmentKind, LineIndex, Span, Token};

use super::branches::Code;
use super::header::{Header, after_angles, after_requires};
use super::knr;
use super::lexer::{Directive, Kind};
use super::statements::Statements;
use crate::finder::{MIN_BLOCK_STATEMENTS, fragment};
use crate::{Confidence, Output};

/// What the tokens between two brackets are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scope {
    /// Declarations of a file, a namespace or a linkage block.
    Declarations(Header),
    /// Members of a class.
    Members(Header),
    /// Statements.
    Body(Statements),
    /// An expression in parentheses or square brackets.
    Group,
    /// An initialiser.
    Values,
}

/// What the outer scope reads after a bracket's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The next statement or declaration.
    Next,
    /// The statement that a control structure's head stands before.
    Controlled,
    /// More of what it was reading.
    Continue,
}

/// An open bracket.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) scope: Scope,
    pub(super) open: usize,
    close: usize,
    then: Then,
    /// Whether a function stands around it.
    pub(super) in_function: bool,
}

impl Frame {
    /// The position of the closing bracket.
    pub(super) fn close(&self) -> usize {
        self.close
    }
}

pub(super) struct Finder<'a, const CPP: bool> {
    pub(super) source: &'a [u8],
    pub(super) code: &'a Code,
    all: &'a [Token],
    lines: &'a LineIndex,
    fragments: &'a mut Vec<Fragment>,
    pub(super) frames: Vec<Frame>,
    /// The position in [`Code::braces`] of the next opening brace.
    next_brace: usize,
    sure: bool,
}

/// Appends the fragments of `out.tokens` to `out.fragments`.
pub(in crate::languages) fn find<const CPP: bool>(
    source: &[u8],
    directives: &[Directive],
    out: &mut Output,
) -> Confidence {
    let code = Code::new(&out.tokens, directives);
    let mut finder = Finder::<CPP> {
        source,
        code: &code,
        all: &out.tokens,
        lines: &out.lines,
        fragments: &mut out.fragments,
        frames: Vec::new(),
        next_brace: 0,
        sure: code.balanced,
    };
    finder.run();
    if finder.sure { Confidence::Sure } else { Confidence::Unsure }
}

impl<const CPP: bool> Finder<'_, CPP> {
    fn run(&mut self) {
        let end = self.code.tokens.len();
        let file = Scope::Declarations(Header::at(0));
        self.frames.push(Frame { scope: file, open: 0, close: end, then: Then::Next, in_function: false });
        let mut at = 0;
        while let Some(frame) = self.frames.last_mut() {
            if at >= frame.close {
                at = self.close();
                continue;
            }
            at = match &mut frame.scope {
                Scope::Declarations(_) | Scope::Members(_) => self.declaration(at),
                Scope::Body(_) => self.statement(at),
                Scope::Group | Scope::Values => self.expression(at),
            };
        }
    }

    /// Leaves the innermost bracket; gives the position after it.
    fn close(&mut self) -> usize {
        let frame = self.frames.pop().expect("called with an open frame");
        if let Scope::Body(statements) = frame.scope
            && frame.in_function
            && statements.count >= MIN_BLOCK_STATEMENTS
        {
            self.emit(FragmentKind::Block, None, frame.open, frame.close);
        }
        let next = frame.close + 1;
        if let Some(outer) = self.frames.last_mut() {
            match &mut outer.scope {
                Scope::Declarations(header) | Scope::Members(header) if frame.then == Then::Next => {
                    *header = Header::at(next);
                }
                Scope::Declarations(header) | Scope::Members(header) => {
                    // `struct { … } f(…) { … }`: the class was the type of something.
                    *header = Header::at(header.start);
                }
                Scope::Body(statements) => statements.closed(frame.then),
                Scope::Group | Scope::Values => {}
            }
        }
        next
    }

    /// Opens the bracket at `at`; gives the position of its first token.
    pub(super) fn open(&mut self, at: usize, scope: Scope, then: Then, function: bool) -> usize {
        let in_function = function || self.frames.last().is_some_and(|frame| frame.in_function);
        let close = self.code.after(at) - 1;
        debug_assert!(close > at);
        self.frames.push(Frame { scope, open: at, close, then, in_function });
        at + 1
    }

    pub(super) fn emit(&mut self, kind: FragmentKind, name: Option<Span>, first: usize, last: usize) {
        let (first, last) = (self.code.original(first), self.code.original(last));
        let mut found = fragment(kind, None, first, last, self.all, self.lines);
        found.name = name.unwrap_or_default();
        self.fragments.push(found);
    }

    /// Whether no `{` stands in the group that opens at `at`.
    pub(super) fn is_braceless(&mut self, at: usize) -> bool {
        let braces = &self.code.braces;
        while braces.get(self.next_brace).is_some_and(|&brace| (brace as usize) < at) {
            self.next_brace += 1;
        }
        let after = self.code.after(at);
        braces.get(self.next_brace).is_none_or(|&brace| brace as usize >= after)
    }

    fn header(&mut self) -> &mut Header {
        match self.frames.last_mut().map(|frame| &mut frame.scope) {
            Some(Scope::Declarations(header) | Scope::Members(header)) => header,
            _ => unreachable!("called in a scope of declarations only"),
        }
    }

    fn restart(&mut self, at: usize) -> usize {
        *self.header() = Header::at(at);
        at
    }

    /// Reads one token of a declaration.
    fn declaration(&mut self, at: usize) -> usize {
        let (code, source) = (self.code, self.source);
        let kind = code.kind(at);
        if kind == Kind::Semi as u8 {
            return self.end_declaration(at);
        }
        if kind == Kind::LBrace as u8 {
            return self.open_in_declaration(at);
        }
        if kind == Kind::RBrace as u8 {
            return self.restart(at + 1);
        }
        if kind >= Kind::Specifier as u8 && self.header().starts_anew(at, kind, source, code) {
            self.restart(at);
        }
        if CPP && let Some(next) = self.declaration_word(at, kind) {
            return next;
        }
        if kind == Kind::Extern as u8 && code.is(at + 1, Kind::Str) && self.header().start == at {
            if code.is(at + 2, Kind::LBrace) && code.partner(at + 2).is_some() {
                return self.open(at + 2, Scope::Declarations(Header::at(at + 3)), Then::Next, false);
            }
            return self.restart(at + 2);
        }
        if (Kind::If as u8..=Kind::Jump as u8).contains(&kind) {
            self.header().statement = true;
        }
        self.header().read::<CPP>(at, source, code)
    }

    /// The words that only C++ has in declarations.
    fn declaration_word(&mut self, at: usize, kind: u8) -> Option<usize> {
        let code = self.code;
        let members = matches!(self.frames.last()?.scope, Scope::Members(_));
        let header = self.header();
        let first = header.start == at;
        if kind == Kind::Template as u8 && code.is(at + 1, Kind::Less) {
            let mut next = after_angles(at + 1, code);
            if code.is(next, Kind::Requires) {
                next = after_requires(next, code);
            }
            return Some(self.restart(next));
        }
        if (kind == Kind::Friend as u8 && header.params.is_none()) || (kind == Kind::Export as u8 && first) {
            return Some(self.restart(at + 1));
        }
        if kind == Kind::Namespace as u8 {
            header.namespace = true;
        } else if kind == Kind::Catch as u8 && first {
            header.catching = true;
        } else if kind == Kind::Colon as u8 && members && header.class_key.is_none() {
            // `public:`, Qt's `signals:` and `public slots:`, perhaps with a macro such as `Q_OBJECT` before it.
            let label = at == header.start + 1
                || (1..=2).any(|back| at >= header.start + back && code.is(at - back, Kind::Access));
            if label {
                return Some(self.restart(at + 1));
            }
        }
        None
    }

    fn end_declaration(&mut self, at: usize) -> usize {
        let (code, source) = (self.code, self.source);
        let header = *self.header();
        if !CPP
            && !header.assigned
            && let Some(params) = header.params
            && code.after(params) < at
            && let Some(body) = knr::body(params, source, code).filter(|&body| body > at)
        {
            return body;
        }
        self.restart(at + 1)
    }

    /// Reads the `{` at `at`.
    fn open_in_declaration(&mut self, at: usize) -> usize {
        let code = self.code;
        let Some(close) = code.partner(at) else {
            return self.restart(at + 1);
        };
        self.header().settle();
        let header = *self.header();
        if header.catching {
            return self.open(at, Scope::Body(Statements::default()), Then::Next, true);
        }
        if header.assigned {
            return close + 1;
        }
        if header.namespace {
            let first = if code.is(header.start, Kind::Specifier) || code.is(header.start, Kind::Namespace) {
                header.start
            } else {
                // The last one: a class before it that lacks its semicolon may hold others.
                (header.start..at).rev().find(|&at| code.is(at, Kind::Namespace)).unwrap_or(header.start)
            };
            let name = (first..at).rev().find(|&at| code.is(at, Kind::Ident));
            self.emit(FragmentKind::Class, name.map(|name| self.span(name, name)), first, close);
            return self.open(at, Scope::Declarations(Header::at(at + 1)), Then::Next, false);
        }
        if header.is_function() {
            let before = code.kind(at - 1);
            if header.initialisers && (before == Kind::Ident as u8 || before == Kind::Greater as u8) {
                return close + 1;
            }
            return self.function(&header, at, close);
        }
        if let Some(key) = header.class_key {
            return self.class(key, at, close);
        }
        let initialises =
            at > header.start && (code.is(close + 1, Kind::Semi) || code.is(close + 1, Kind::Comma));
        if initialises {
            return close + 1;
        }
        self.open(at, Scope::Body(Statements::default()), Then::Next, false)
    }

    fn function(&mut self, header: &Header, body: usize, close: usize) -> usize {
        let code = self.code;
        let mut last = close;
        // A body that is a `try` goes on to the end of its last handler.
        while CPP && code.is(last + 1, Kind::Catch) && code.is(last + 2, Kind::LParen) {
            let handler = code.after(last + 2);
            match code.partner(handler.min(code.tokens.len() - 1)) {
                Some(end) if code.is(handler, Kind::LBrace) => last = end,
                _ => break,
            }
        }
        let first = header.start_without_macros(self.source, code);
        let name = self.function_name(header);
        self.emit(FragmentKind::Function, name, first, last);
        self.open(body, Scope::Body(Statements::default()), Then::Next, true)
    }

    fn function_name(&self, header: &Header) -> Option<Span> {
        let params = header.params?;
        if let Some(operator) = header.operator {
            return Some(self.span(operator, params.max(operator + 1) - 1));
        }
        self.declared_name(params)
    }

    /// The name before the parenthesis at `params`.
    pub(super) fn declared_name(&self, params: usize) -> Option<Span> {
        let code = self.code;
        let named = |at: usize| code.is(at, Kind::Ident) || code.kind(at) >= Kind::Import as u8;
        let mut at = params.checked_sub(1)?;
        // `type (*name(int a))(int b)` and `(name)(int a)`; a type that is a plain name hid the inner parenthesis.
        let open = if code.is(params + 1, Kind::Star) { params } else { code.partner(at).unwrap_or(at) };
        if open != at && code.is(open, Kind::LParen) {
            at = (open + 1..code.after(open)).find(|&at| named(at)).unwrap_or(at);
        } else if code.is(at, Kind::Greater) {
            // `name<int>(…)`
            at = (0..at).rev().take(64).find(|&at| code.is(at, Kind::Less))?.checked_sub(1)?;
        }
        let first = if at > 0 && code.is(at - 1, Kind::Tilde) { at - 1 } else { at };
        named(at).then(|| self.span(first, at))
    }

    pub(super) fn span(&self, first: usize, last: usize) -> Span {
        Span::new(self.code.tokens[first].start, self.code.tokens[last].end)
    }

    /// The class, struct, union or enum whose keyword stands at `key` and whose body opens at `at`.
    pub(super) fn class(&mut self, key: usize, at: usize, close: usize) -> usize {
        let code = self.code;
        let mut name = None;
        let mut next = key + 1;
        while next < at && !code.is(next, Kind::Colon) && !code.is(next, Kind::Less) {
            if code.is(next, Kind::Ident) {
                name = Some(next);
            }
            next = if code.is(next, Kind::LParen) || code.is(next, Kind::LBracket) {
                code.after(next)
            } else {
                next + 1
            };
        }
        self.emit(FragmentKind::Class, name.map(|name| self.span(name, name)), key, close);
        if code.is(key, Kind::Enum) {
            // Nothing in it is a fragment; what follows may still be declared by it.
            let frame = self.frames.last_mut().expect("the file's frame is open");
            if let Scope::Declarations(header) | Scope::Members(header) = &mut frame.scope {
                *header = Header::at(header.start);
            }
            return close + 1;
        }
        self.open(at, Scope::Members(Header::at(at + 1)), Then::Continue, false)
    }
}
