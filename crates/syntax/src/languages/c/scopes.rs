//! The open brackets around a token of C or C++, and what the tokens in each of them are.

use familiar_source::{Fragment, FragmentKind, LineIndex, Span, Token};

use super::branches::Code;
use super::header::Header;
use super::lexer::Kind;
use crate::finder::fragment;

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
    /// The position of the closing bracket.
    pub(super) close: usize,
    pub(super) then: Then,
    /// Whether a function stands around it.
    pub(super) in_function: bool,
}

/// Where in a statement the finder stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Position {
    /// A statement starts.
    #[default]
    Start,
    /// The statement of a control structure or label starts: it is none of its own.
    Controlled,
    Within,
}

/// A list of statements that is being read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Statements {
    /// Statements so far, as tree-sitter counts them: in a `switch` the cases.
    pub(super) count: u32,
    pub(super) position: Position,
    /// First token of the statement.
    pub(super) first: usize,
    /// `do` statements that still want their `while`.
    pub(super) dos: u32,
    pub(super) has_cases: bool,
    /// The next parenthesis is a control structure's head.
    pub(super) control: bool,
    pub(super) class_key: Option<usize>,
    /// The return type of a lambda is being read.
    pub(super) lambda: bool,
}

impl Statements {
    pub(super) fn begin(&mut self, at: usize) {
        self.count += u32::from(self.position == Position::Start && !self.has_cases);
        self.first = at;
        self.position = Position::Within;
        self.control = false;
        self.class_key = None;
        self.lambda = false;
    }

    pub(super) fn closed(&mut self, then: Then) {
        match then {
            Then::Next => self.position = Position::Start,
            Then::Controlled => self.position = Position::Controlled,
            Then::Continue => {}
        }
    }
}

/// What is found so far, and the open brackets.
pub(super) struct Finder<'a, const CPP: bool> {
    pub(super) source: &'a [u8],
    pub(super) code: &'a Code,
    pub(super) all: &'a [Token],
    pub(super) lines: &'a LineIndex,
    pub(super) fragments: &'a mut Vec<Fragment>,
    pub(super) frames: Vec<Frame>,
    /// The position in [`Code::braces`] of the next opening brace.
    pub(super) next_brace: usize,
    pub(super) sure: bool,
}

impl<const CPP: bool> Finder<'_, CPP> {
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
