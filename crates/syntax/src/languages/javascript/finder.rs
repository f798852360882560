//! Tokens to fragments: a state machine with a stack of what is open, one pass and no recursion.
//!
//! It knows no more of the grammar than it needs: where a statement, a member or an operand is due, what a `{` opens,
//! and where an expression ends that nothing closes — the body of an arrow function. Types hold no functions and are
//! stepped over.

use familiar_source::{FragmentKind, Token};

use super::kind::Kind;
use super::layout::begins_statement;
use crate::finder::{Brackets, MIN_BLOCK_STATEMENTS, fragment};
use crate::languages::lexing::breaks_between;
use crate::{Confidence, Output};

/// No position.
pub(super) const NOWHERE: u32 = u32::MAX;

/// What is due at the current token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// A statement of the innermost list.
    Statement,
    /// The body of an `if`, a loop, a label or an `export`: part of a statement that was counted.
    Substatement,
    /// A member of a class or of an object literal.
    Member,
    Operand,
    /// An operator, or what ends the expression.
    Operator,
}

/// What follows what is open now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Operator,
    Statement,
    Substatement,
    Member,
    /// `while (…)` after the body of `do`.
    DoWhile,
    /// The `;` that may end `do … while (…)`.
    DoSemicolon,
    /// `{` of a `switch`.
    Cases,
    /// A return type and a body, after parameters.
    Body,
    /// A return type, `=>` and a body.
    Arrow,
    /// What a decorator stands before: a member, a parameter, a class.
    Decorated,
}

/// What a stretch of the stack stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A list of statements: the file, a block, a function's body.
    Block,
    Switch,
    Class,
    Object,
    /// `(`, `[`, `${`, or `{` in an element.
    Group,
    Parameters,
    /// The body of an arrow function that is an expression.
    Arrow,
    /// From `class` to its body.
    ClassHead,
}

/// Something that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) place: Place,
    /// What the state is after its end.
    pub(super) next: Next,
    /// Position of its first token.
    pub(super) open: u32,
    /// The fragment that ends with it starts here, if any does.
    pub(super) start: u32,
    pub(super) name: u32,
    /// Kind of that fragment; parameters carry it on to the body.
    pub(super) kind: FragmentKind,
    /// What follows the function or class that a head is part of.
    pub(super) after_body: Next,
    pub(super) statements: u32,
    /// `?` of conditional expressions that wait for their `:`.
    pub(super) conditions: u32,
    /// `do` whose `while` is still to come.
    pub(super) loops: u32,
    /// Inside of `case` up to its `:`.
    pub(super) in_case: bool,
    /// Inside of `let`, `const` or `var`, where `:` starts a type.
    pub(super) declares: bool,
    /// The first decorator of the class or member to come.
    pub(super) decorated: u32,
}

impl Frame {
    pub(super) fn new(place: Place, next: Next, open: usize) -> Self {
        Self {
            place,
            next,
            open: open as u32,
            start: NOWHERE,
            name: NOWHERE,
            kind: FragmentKind::Function,
            after_body: Next::Operator,
            statements: 0,
            conditions: 0,
            loops: 0,
            in_case: false,
            declares: false,
            decorated: NOWHERE,
        }
    }

    /// The same with a fragment from `start` that is called like the token `name`.
    pub(super) fn of(self, kind: FragmentKind, start: u32, name: u32, after_body: Next) -> Self {
        Self { start, name, kind, after_body, ..self }
    }

    /// Forgets the statement or member that ended.
    fn end_statement(&mut self) {
        self.conditions = 0;
        self.in_case = false;
        self.declares = false;
        self.decorated = NOWHERE;
    }
}

pub(super) struct Finder<'a> {
    pub(super) source: &'a [u8],
    pub(super) tokens: &'a [Token],
    pub(super) brackets: Brackets,
    pub(super) typed: bool,
    pub(super) stack: Vec<Frame>,
    pub(super) state: State,
    /// Function bodies around the current token.
    functions: u32,
    /// A `=` and the name that it gives a value to, where something stands between them.
    pub(super) assigned: (u32, u32),
    /// How many tokens may still be looked at in vain.
    pub(super) fuel: usize,
    pub(super) sure: bool,
    found: Vec<familiar_source::Fragment>,
    lines: &'a familiar_source::LineIndex,
}

/// Finds the fragments of `out.tokens`.
pub(super) fn find(source: &[u8], typed: bool, out: &mut Output) -> Confidence {
    let tokens = out.tokens.as_slice();
    let brackets = Brackets::of(tokens, |token| Kind::of(token.kind).bracket());
    let mut finder = Finder {
        source,
        tokens,
        sure: brackets.balanced(),
        brackets,
        typed,
        stack: vec![Frame::new(Place::Block, Next::Statement, 0)],
        state: State::Statement,
        functions: 0,
        assigned: (NOWHERE, NOWHERE),
        fuel: tokens.len() * 4 + 1024,
        found: std::mem::take(&mut out.fragments),
        lines: &out.lines,
    };
    finder.run();
    let sure = finder.sure;
    out.fragments = finder.found;
    if sure { Confidence::Sure } else { Confidence::Unsure }
}

impl Finder<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while at < self.tokens.len() {
            at = self.step(at);
        }
        self.close_arrows(self.tokens.len());
        self.sure &= self.stack.len() == 1;
    }

    /// The kind of the token at `at`; a semicolon past the end.
    #[inline]
    pub(super) fn kind(&self, at: usize) -> Kind {
        self.tokens.get(at).map_or(Kind::Semicolon, |token| Kind::of(token.kind))
    }

    pub(super) fn is_word(&self, at: usize) -> bool {
        self.kind(at).is_word()
    }

    /// Whether a line ends before the token at `at`.
    pub(super) fn breaks_before(&self, at: usize) -> bool {
        match (at.checked_sub(1).and_then(|left| self.tokens.get(left)), self.tokens.get(at)) {
            (Some(&left), Some(&right)) => breaks_between(self.source, left.end, right.start),
            _ => true,
        }
    }

    pub(super) fn top(&mut self) -> &mut Frame {
        self.stack.last_mut().expect("the frame of the file is never taken off")
    }

    pub(super) fn place(&self) -> Place {
        self.stack.last().map_or(Place::Block, |frame| frame.place)
    }

    /// Reads the token at `at` and gives the position of the next one to read.
    fn step(&mut self, at: usize) -> usize {
        match self.kind(at) {
            Kind::RightParen
            | Kind::RightBracket
            | Kind::RightBrace
            | Kind::TemplateClose
            | Kind::JsxRight => self.close(at),
            Kind::Semicolon => self.semicolon(at),
            kind => match self.state {
                State::Statement | State::Substatement => self.statement(at, kind),
                State::Member => self.member(at),
                State::Operand => self.operand(at, kind),
                State::Operator => self.operator(at, kind),
            },
        }
    }

    /// Opens a group at the bracket at `at` in which an operand is due, and gives the position after it.
    pub(super) fn open_group(&mut self, at: usize, next: Next) -> usize {
        self.push(Frame::new(Place::Group, next, at));
        self.state = State::Operand;
        at + 1
    }

    pub(super) fn push(&mut self, frame: Frame) {
        let is_function = matches!(frame.place, Place::Block | Place::Arrow)
            && frame.start != NOWHERE
            && frame.kind == FragmentKind::Function;
        self.functions += u32::from(is_function);
        self.stack.push(frame);
    }

    /// Takes off the innermost frame, whose last token is at `last`; `whole` where it ends as it should.
    fn pop(&mut self, last: usize, whole: bool) -> Option<Frame> {
        if self.stack.len() < 2 {
            return None;
        }
        let frame = self.stack.pop()?;
        let has_body = matches!(frame.place, Place::Block | Place::Class | Place::Arrow);
        let is_block = frame.place == Place::Block && frame.statements >= MIN_BLOCK_STATEMENTS;
        if whole && is_block && self.functions > 0 && frame.kind != FragmentKind::Class {
            self.add(FragmentKind::Block, NOWHERE, frame.open, last);
        }
        if has_body && frame.start != NOWHERE {
            if whole && last >= frame.open as usize {
                self.add(frame.kind, frame.name, frame.start, last);
            }
            let is_function = frame.place != Place::Class && frame.kind == FragmentKind::Function;
            self.functions -= u32::from(is_function);
        }
        Some(frame)
    }

    pub(super) fn add(&mut self, kind: FragmentKind, name: u32, start: u32, last: usize) {
        let name = (name != NOWHERE).then_some(name as usize);
        let mut found = fragment(kind, name, start as usize, last, self.tokens, self.lines);
        // A computed name is all that stands in its brackets.
        if let Some(open) = name.filter(|&name| self.kind(name) == Kind::LeftBracket)
            && let Some(close) = self.brackets.partner(open)
        {
            found.name.end = self.tokens[close].end;
        }
        self.found.push(found);
    }

    /// Ends the arrow functions whose body is an expression that ends before `at`.
    pub(super) fn close_arrows(&mut self, at: usize) {
        while matches!(self.place(), Place::Arrow | Place::ClassHead) {
            self.sure &= self.place() == Place::Arrow;
            self.pop(at.saturating_sub(1), true);
        }
    }

    /// Ends the innermost arrow function before `at`.
    pub(super) fn close_one_arrow(&mut self, at: usize) {
        self.pop(at.saturating_sub(1), true);
    }

    fn close(&mut self, at: usize) -> usize {
        let Some(open) = self.brackets.partner(at) else {
            self.sure = false;
            return at + 1;
        };
        self.close_arrows(at);
        while self.stack.len() > 1 && self.top().open as usize > open {
            self.sure = false;
            self.pop(at - 1, false);
            self.close_arrows(at);
        }
        if self.top().open as usize != open || self.stack.len() == 1 {
            return at + 1;
        }
        match self.pop(at, true) {
            Some(frame) => self.go_on(frame, at + 1),
            None => at + 1,
        }
    }

    /// Sets the state after `frame`, which ended before `at`, and gives the position of the next token to read.
    fn go_on(&mut self, frame: Frame, at: usize) -> usize {
        self.state = State::Operator;
        match frame.next {
            Next::DoWhile if self.kind(at) == Kind::While && self.kind(at + 1) == Kind::LeftParen => {
                self.open_group(at + 1, Next::DoSemicolon)
            }
            Next::Statement | Next::DoWhile => {
                self.end_statement();
                at
            }
            Next::Substatement => {
                self.state = State::Substatement;
                at
            }
            Next::Member => {
                self.state = State::Member;
                self.top().end_statement();
                at
            }
            Next::DoSemicolon => {
                self.end_statement();
                at + usize::from(self.kind(at) == Kind::Semicolon)
            }
            Next::Cases if self.kind(at) == Kind::LeftBrace => {
                self.push(Frame::new(Place::Switch, Next::Statement, at));
                self.state = State::Statement;
                at + 1
            }
            Next::Decorated => {
                self.state = if self.place() == Place::Class { State::Member } else { State::Operand };
                at
            }
            Next::Operator | Next::Cases => at,
            Next::Body => self.body(frame, at),
            Next::Arrow => self.arrow_body(frame, at),
        }
    }

    /// Makes a statement due in the innermost list, or a member where that is a class.
    pub(super) fn end_statement(&mut self) {
        let frame = self.top();
        frame.end_statement();
        let place = frame.place;
        self.state = match place {
            Place::Class | Place::Object => State::Member,
            _ => State::Statement,
        };
    }

    fn semicolon(&mut self, at: usize) -> usize {
        self.close_arrows(at);
        let due = self.state == State::Statement;
        match self.place() {
            Place::Block | Place::Switch => {
                // A lone semicolon is a statement.
                self.top().statements += u32::from(due);
                self.end_statement();
            }
            Place::Class => self.end_statement(),
            _ => {
                self.top().end_statement();
                self.state = State::Operand;
            }
        }
        at + 1
    }

    /// Whether a statement or member ends before the token at `at`, which stands where an operator is due.
    pub(super) fn ends_by_line(&mut self, at: usize, kind: Kind) -> bool {
        if !begins_statement(kind) {
            return false;
        }
        let list = self
            .stack
            .iter()
            .rev()
            .map(|frame| frame.place)
            .find(|&place| place != Place::Arrow)
            .unwrap_or(Place::Block);
        matches!(list, Place::Block | Place::Switch | Place::Class) && self.breaks_before(at)
    }
}
