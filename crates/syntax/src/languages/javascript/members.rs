//! Members of classes and of object literals.

use super::finder::{Finder, Frame, NOWHERE, Next, Place, State};
use super::kind::Kind;

impl Finder<'_> {
    /// The first token of a member.
    pub(super) fn member(&mut self, first: usize) -> usize {
        if self.kind(first) == Kind::At {
            if !self.typed {
                let frame = self.top();
                frame.decorated = frame.decorated.min(first as u32);
            }
            return self.decorator(first, Next::Decorated, State::Member);
        }
        let start = std::mem::replace(&mut self.top().decorated, NOWHERE).min(first as u32);
        let mut at = first;
        while self.is_modifier(at) {
            at += 1;
        }
        match self.kind(at) {
            Kind::Comma => return at + 1,
            Kind::Spread => {
                self.state = State::Operand;
                return at + 1;
            }
            Kind::LeftBrace if self.place() == Place::Class => {
                // `static { … }`
                self.push(Frame::new(Place::Block, Next::Member, at));
                self.state = State::Statement;
                return at + 1;
            }
            _ => {}
        }
        let Some(after) = self.after_member_name(at) else {
            self.state = State::Operand;
            self.sure = false;
            return at.max(first + 1);
        };
        self.member_rest(start, at, after)
    }

    /// What follows a member's name.
    fn member_rest(&mut self, start: u32, name: usize, mut at: usize) -> usize {
        if self.typed && matches!(self.kind(at), Kind::Question | Kind::Bang | Kind::NonNull) {
            at += 1;
        }
        let in_class = self.place() == Place::Class;
        match self.kind(at) {
            Kind::LeftParen | Kind::Less => {
                let list = self.after_type_parameters(at);
                let next = if in_class { Next::Member } else { Next::Operator };
                self.parameters(start, name as u32, list, next)
            }
            Kind::Colon if in_class => {
                if self.typed {
                    return self.annotation(at);
                }
                self.state = State::Operand;
                self.sure = false;
                at + 1
            }
            Kind::Colon => {
                self.state = State::Operand;
                at + 1
            }
            _ => {
                self.state = State::Operator;
                at
            }
        }
    }

    /// Whether the word at `at` says something about the member whose name follows.
    fn is_modifier(&self, at: usize) -> bool {
        let kind = self.kind(at);
        let may_be = match kind {
            Kind::Star => return true,
            Kind::Static | Kind::Async | Kind::Accessor => true,
            Kind::Modifier | Kind::Readonly | Kind::Abstract | Kind::Declare => self.typed,
            _ => false,
        };
        if !may_be {
            return false;
        }
        let next = self.kind(at + 1);
        let names = next.is_word()
            || matches!(next, Kind::String | Kind::Number | Kind::Private | Kind::LeftBracket | Kind::Star);
        (names && !(kind == Kind::Async && self.breaks_before(at + 1)))
            || (kind == Kind::Static && next == Kind::LeftBrace)
    }

    /// The position after the member's name at `at`.
    fn after_member_name(&self, at: usize) -> Option<usize> {
        match self.kind(at) {
            Kind::LeftBracket => self.brackets.partner(at).map(|close| close + 1),
            Kind::String | Kind::Number | Kind::Private => Some(at + 1),
            kind if kind.is_word() => Some(at + 1),
            _ => None,
        }
    }
}
