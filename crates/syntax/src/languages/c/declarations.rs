//! Declarations: where functions, classes and namespaces open, in a file, a namespace or a class.

use familiar_source::{FragmentKind, Span};

use super::header::{Header, after_angles, after_requires};
use super::knr;
use super::lexer::Kind;
use super::scopes::{Finder, Scope, Statements, Then};

impl<const CPP: bool> Finder<'_, CPP> {
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
    pub(super) fn declaration(&mut self, at: usize) -> usize {
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
}
