//! What statements start with.

use familiar_source::{FragmentKind, TokenClass};

use super::finder::{Finder, Frame, NOWHERE, Next, Place, State};
use super::kind::Kind;
use crate::finder::Bracket;

impl Finder<'_> {
    /// The first token of a statement.
    pub(super) fn statement(&mut self, at: usize, kind: Kind) -> usize {
        let closes_loop = kind == Kind::While && self.top().loops > 0;
        let goes_on = matches!(kind, Kind::Else | Kind::Catch | Kind::Finally) || closes_loop;
        let is_label = matches!(self.place(), Place::Switch) && matches!(kind, Kind::Case | Kind::Default);
        if self.state == State::Statement && !goes_on && !is_label {
            self.top().statements += 1;
        }
        self.state = State::Operand;
        match kind {
            Kind::LeftBrace => self.open_block(at, Next::Statement),
            Kind::While if closes_loop => {
                self.top().loops -= 1;
                self.head(at + 1, Next::DoSemicolon)
            }
            Kind::If | Kind::For | Kind::With | Kind::While => self.head(at + 1, Next::Substatement),
            Kind::Catch if self.kind(at + 1) == Kind::LeftParen => {
                self.push(Frame::new(Place::Parameters, Next::Substatement, at + 1));
                at + 2
            }
            Kind::Else | Kind::Try | Kind::Finally | Kind::Catch => self.substatement(at + 1),
            Kind::Switch => self.head(at + 1, Next::Cases),
            Kind::Do if self.kind(at + 1) == Kind::LeftBrace => self.open_block(at + 1, Next::DoWhile),
            Kind::Do => {
                self.top().loops += 1;
                self.substatement(at + 1)
            }
            Kind::Case => {
                self.top().in_case = true;
                at + 1
            }
            Kind::Default if self.kind(at + 1) == Kind::Colon => {
                self.state = State::Statement;
                at + 2
            }
            Kind::Return | Kind::Throw | Kind::Yield if self.breaks_before(at + 1) => {
                self.state = State::Operator;
                if self.kind(at + 1) != Kind::Semicolon {
                    self.end_statement();
                }
                at + 1
            }
            Kind::Return | Kind::Throw => at + 1,
            Kind::Break | Kind::Continue | Kind::Debugger => {
                self.state = State::Operator;
                at + 1 + usize::from(self.is_word(at + 1) && !self.breaks_before(at + 1))
            }
            Kind::Import if self.tokens[at].class == TokenClass::Import => self.import(at),
            Kind::Export => self.export(at),
            Kind::At => self.decorated(at),
            _ => self.declaration(at, kind),
        }
    }

    fn substatement(&mut self, at: usize) -> usize {
        self.state = State::Substatement;
        at
    }

    fn open_block(&mut self, at: usize, next: Next) -> usize {
        self.push(Frame::new(Place::Block, next, at));
        self.state = State::Statement;
        at + 1
    }

    /// The parenthesis after a keyword.
    fn head(&mut self, mut at: usize, next: Next) -> usize {
        at += usize::from(self.kind(at) == Kind::Await);
        if self.kind(at) == Kind::LeftParen {
            return self.open_group(at, next);
        }
        self.sure = false;
        at
    }

    fn import(&mut self, mut at: usize) -> usize {
        at += 1;
        while self.tokens.get(at).is_some_and(|token| token.class == TokenClass::Import)
            && self.kind(at) != Kind::Import
        {
            at += 1;
        }
        self.state = State::Statement;
        at
    }

    fn export(&mut self, at: usize) -> usize {
        // Decorators before `export` belong to the statement, not to the class.
        self.top().decorated = NOWHERE;
        let first = at + 1 + usize::from(self.kind(at + 1) == Kind::Type && self.is_list_or_star(at + 2));
        match self.kind(first) {
            Kind::Default => {
                let is_declaration = match self.kind(first + 1) {
                    Kind::Function | Kind::Class | Kind::At | Kind::Enum => true,
                    Kind::Async => self.kind(first + 2) == Kind::Function,
                    Kind::Abstract => self.kind(first + 2) == Kind::Class,
                    Kind::Interface => self.is_word(first + 2),
                    _ => false,
                };
                if is_declaration {
                    self.state = State::Substatement;
                }
                first + 1
            }
            Kind::LeftBrace => self.after_source(self.brackets.after(first)),
            Kind::Star if self.kind(first + 1) == Kind::As => self.after_source(first + 3),
            Kind::Star => self.after_source(first + 1),
            Kind::As => self.after_source(first + 3),
            Kind::Assign => first + 1,
            Kind::Import => {
                self.state = State::Substatement;
                first
            }
            _ => self.substatement(first),
        }
    }

    fn is_list_or_star(&self, at: usize) -> bool {
        matches!(self.kind(at), Kind::LeftBrace | Kind::Star)
    }

    /// Steps over `from "module"`.
    fn after_source(&mut self, at: usize) -> usize {
        self.state = State::Operator;
        if self.kind(at) != Kind::From {
            return at;
        }
        let after = at + 2;
        if matches!(self.kind(after), Kind::With | Kind::Assert) && self.kind(after + 1) == Kind::LeftBrace {
            return self.brackets.after(after + 1);
        }
        after
    }

    /// A statement that starts with a decorator.
    fn decorated(&mut self, at: usize) -> usize {
        let frame = self.top();
        frame.decorated = frame.decorated.min(at as u32);
        self.decorator(at, Next::Substatement, State::Substatement)
    }

    /// Steps over the decorator at `at`; its arguments are read as what they are.
    pub(super) fn decorator(&mut self, at: usize, next: Next, state: State) -> usize {
        let mut here = at + 1;
        if self.kind(here) != Kind::LeftParen {
            here = self.after_name(here);
            while matches!(self.kind(here), Kind::Dot | Kind::OptionalDot) {
                here = self.after_name(here + 1);
            }
            if self.typed && self.kind(here) == Kind::Less {
                here = self.after_angles(here).unwrap_or(here);
            }
        }
        if self.kind(here) == Kind::LeftParen {
            return self.open_group(here, next);
        }
        self.state = state;
        here
    }

    /// The position after the name that is due at `at`; a bracket is left to be read as what it is.
    fn after_name(&self, at: usize) -> usize {
        at + usize::from(self.kind(at).bracket() == Bracket::No)
    }

    fn declaration(&mut self, at: usize, kind: Kind) -> usize {
        match kind {
            Kind::Function => self.function(at, at, Next::Statement),
            Kind::Async if self.kind(at + 1) == Kind::Function && !self.breaks_before(at + 1) => {
                self.function(at, at + 1, Next::Statement)
            }
            Kind::Class => {
                let start = std::mem::replace(&mut self.top().decorated, NOWHERE).min(at as u32);
                self.class(start, at, Next::Statement)
            }
            Kind::Const if self.kind(at + 1) == Kind::Enum => self.enumeration(at, at + 1),
            Kind::Enum => self.enumeration(at, at),
            Kind::Var | Kind::Const => self.variables(at),
            Kind::Await if self.kind(at + 1) == Kind::Using && self.is_word(at + 2) => self.variables(at + 1),
            Kind::Let | Kind::Using
                if self.is_word(at + 1)
                    || matches!(self.kind(at + 1), Kind::LeftBrace | Kind::LeftBracket)
                        && kind == Kind::Let =>
            {
                self.variables(at)
            }
            kind if kind.is_word() && self.kind(at + 1) == Kind::Colon => {
                self.state = State::Substatement;
                at + 2
            }
            kind if self.typed && kind.is_name() => self.typed_declaration(at, kind),
            _ => self.operand(at, kind),
        }
    }

    fn variables(&mut self, at: usize) -> usize {
        self.top().declares = true;
        at + 1
    }

    /// Statements that TypeScript adds; their words are names everywhere else.
    fn typed_declaration(&mut self, at: usize, kind: Kind) -> usize {
        let named = self.is_word(at + 1) && !self.breaks_before(at + 1);
        match kind {
            Kind::Declare if named => self.substatement(at + 1),
            Kind::Abstract if self.kind(at + 1) == Kind::Class => {
                let start = std::mem::replace(&mut self.top().decorated, NOWHERE).min(at as u32);
                self.class(start, at + 1, Next::Statement)
            }
            Kind::Interface if named => self.interface(at),
            Kind::Type if named => {
                let after = self.after_type_parameters(at + 2);
                if self.kind(after) != Kind::Assign {
                    return self.operand(at, kind);
                }
                self.state = State::Operator;
                self.after_type(after + 1)
            }
            Kind::Namespace | Kind::Module if named => self.namespace(at, at + 1),
            Kind::Module if self.kind(at + 1) == Kind::String => self.namespace(at, at + 1),
            Kind::Global if self.kind(at + 1) == Kind::LeftBrace => self.open_block(at + 1, Next::Statement),
            _ => self.operand(at, kind),
        }
    }

    fn interface(&mut self, at: usize) -> usize {
        let mut here = self.after_type_parameters(at + 2);
        if self.kind(here) == Kind::Extends {
            here = self.after_type_list(here + 1);
        }
        self.body_of_types(at, at + 1, here)
    }

    /// The position after types between commas.
    pub(super) fn after_type_list(&mut self, mut at: usize) -> usize {
        loop {
            at = self.after_type(at);
            if self.kind(at) != Kind::Comma {
                return at;
            }
            at += 1;
        }
    }

    fn enumeration(&mut self, start: usize, at: usize) -> usize {
        self.body_of_types(start, at + 1, at + 2)
    }

    /// A class whose body at `body` holds no functions.
    fn body_of_types(&mut self, start: usize, name: usize, body: usize) -> usize {
        self.state = State::Operator;
        let close = self.brackets.partner(body).filter(|_| self.kind(body) == Kind::LeftBrace);
        let Some(close) = close else {
            self.sure = false;
            return body.max(start + 1);
        };
        self.add(FragmentKind::Class, name as u32, start as u32, close);
        self.end_statement();
        close + 1
    }

    fn namespace(&mut self, start: usize, name: usize) -> usize {
        let mut here = name + 1;
        while self.kind(here) == Kind::Dot {
            here += 2;
        }
        if self.kind(here) != Kind::LeftBrace {
            self.state = State::Operator;
            return here;
        }
        let frame = Frame::new(Place::Block, Next::Statement, here);
        let name = (here - 1).max(name);
        self.push(frame.of(FragmentKind::Class, start as u32, name as u32, Next::Statement));
        self.state = State::Statement;
        here + 1
    }
}
