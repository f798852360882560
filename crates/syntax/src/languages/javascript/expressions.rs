//! Operands and operators.

use familiar_source::FragmentKind;

use super::finder::{Finder, Frame, NOWHERE, Next, Place, State};
use super::kind::Kind;

impl Finder<'_> {
    /// The token at `at`, where an operand is due.
    pub(super) fn operand(&mut self, at: usize, kind: Kind) -> usize {
        self.state = State::Operand;
        match kind {
            Kind::LeftParen => self.parenthesis(at, at),
            Kind::LeftBrace if self.place() == Place::ClassHead => self.class_body(at),
            Kind::LeftBrace => {
                self.push(Frame::new(Place::Object, Next::Operator, at));
                self.state = State::Member;
                at + 1
            }
            Kind::LeftBracket | Kind::TemplateOpen | Kind::JsxLeft => self.open_group(at, Next::Operator),
            Kind::Function => self.function(at, at, Next::Operator),
            Kind::Class => self.class(at as u32, at, Next::Operator),
            Kind::Async => self.asynchronous(at),
            Kind::Less if self.typed => self.generic(at, at),
            Kind::At => self.decorated_operand(at),
            Kind::Colon => self.colon(at),
            Kind::Comma => self.comma(at),
            Kind::Var | Kind::Const | Kind::Let if self.place() == Place::Group => {
                self.top().declares = true;
                at + 1
            }
            Kind::Yield if self.breaks_before(at + 1) => {
                self.state = State::Operator;
                at + 1
            }
            Kind::Await | Kind::Yield if self.kind(at + 1) != Kind::Arrow => at + 1,
            Kind::Dot | Kind::OptionalDot => at + 1,
            Kind::Import | Kind::Value => self.ended(at),
            kind if kind.is_name() => self.name(at),
            kind if kind.is_word() => at + 1,
            kind if kind.ends_operand() || is_text(kind) => {
                let goes_on = matches!(kind, Kind::PlusPlus | Kind::MinusMinus);
                if goes_on { at + 1 } else { self.ended(at) }
            }
            _ => at + 1,
        }
    }

    fn ended(&mut self, at: usize) -> usize {
        self.state = State::Operator;
        at + 1
    }

    fn name(&mut self, at: usize) -> usize {
        if self.kind(at + 1) == Kind::Arrow {
            let name = self.given_name(at);
            return self.enter_arrow(at as u32, name, at + 1);
        }
        self.ended(at)
    }

    /// `async` before a function, or a name.
    fn asynchronous(&mut self, at: usize) -> usize {
        if self.breaks_before(at + 1) {
            return self.name(at);
        }
        match self.kind(at + 1) {
            Kind::Function => self.function(at, at + 1, Next::Operator),
            Kind::LeftParen if self.is_arrow_head(at + 1) => self.parenthesis(at, at + 1),
            Kind::Less if self.typed => self.generic(at, at + 1),
            kind if kind.is_name() && self.kind(at + 2) == Kind::Arrow => {
                let name = self.given_name(at);
                self.enter_arrow(at as u32, name, at + 2)
            }
            _ => self.name(at),
        }
    }

    /// A parenthesis where an operand is due: parameters of an arrow function that starts at `start`, or a group.
    fn parenthesis(&mut self, start: usize, at: usize) -> usize {
        if !self.is_arrow_head(at) {
            return self.open_group(at, Next::Operator);
        }
        let name = self.given_name(start);
        let frame = Frame::new(Place::Parameters, Next::Arrow, at);
        self.push(frame.of(FragmentKind::Function, start as u32, name, Next::Operator));
        self.state = State::Operand;
        at + 1
    }

    /// Whether the parenthesis at `at` holds the parameters of an arrow function.
    fn is_arrow_head(&mut self, at: usize) -> bool {
        let Some(close) = self.brackets.partner(at) else {
            return false;
        };
        match self.kind(close + 1) {
            Kind::Arrow => true,
            Kind::Colon if self.typed => {
                // In `a ? (b) : c => d` the colon belongs to the question mark.
                if self.top().conditions > 0 && !self.looks_typed(at) {
                    return false;
                }
                let after = self.after_type(close + 2);
                after > close + 2 && self.kind(after) == Kind::Arrow
            }
            _ => false,
        }
    }

    /// Whether the parenthesis at `at` starts like parameters with types, or has none.
    fn looks_typed(&self, at: usize) -> bool {
        match self.kind(at + 1) {
            Kind::RightParen | Kind::Spread => true,
            Kind::LeftBrace | Kind::LeftBracket => self.kind(self.brackets.after(at + 1)) == Kind::Colon,
            kind if kind.is_name() => {
                let optional = usize::from(self.kind(at + 2) == Kind::Question);
                self.kind(at + 2 + optional) == Kind::Colon
            }
            _ => false,
        }
    }

    /// Type parameters of an arrow function, or a cast.
    fn generic(&mut self, start: usize, at: usize) -> usize {
        match self.after_angles(at) {
            Some(after) if self.kind(after) == Kind::LeftParen && self.is_arrow_head(after) => {
                self.parenthesis(start, after)
            }
            // `async <T>(a)` calls, `<T>a` casts.
            Some(after) if start < at => {
                self.state = State::Operator;
                after
            }
            Some(after) => after,
            None if start < at => self.ended(start),
            None => at + 1,
        }
    }

    /// Pushes the body of an arrow function whose `=>` is at `arrow`.
    fn enter_arrow(&mut self, start: u32, name: u32, arrow: usize) -> usize {
        let body = arrow + 1;
        if self.kind(body) == Kind::LeftBrace {
            return self.enter_body(start, name, Next::Operator, body);
        }
        let frame = Frame::new(Place::Arrow, Next::Operator, body);
        self.push(frame.of(FragmentKind::Function, start, name, Next::Operator));
        self.state = State::Operand;
        body
    }

    fn enter_body(&mut self, start: u32, name: u32, next: Next, at: usize) -> usize {
        self.push(Frame::new(Place::Block, next, at).of(FragmentKind::Function, start, name, next));
        self.state = State::Statement;
        at + 1
    }

    /// After the parameters `frame` of an arrow function.
    pub(super) fn arrow_body(&mut self, frame: Frame, at: usize) -> usize {
        let arrow = self.after_return_type(at);
        if self.kind(arrow) != Kind::Arrow {
            self.sure = false;
            return arrow;
        }
        self.enter_arrow(frame.start, frame.name, arrow)
    }

    /// After the parameters `frame` of a function that is no arrow function.
    pub(super) fn body(&mut self, frame: Frame, at: usize) -> usize {
        let body = self.after_return_type(at);
        if self.kind(body) == Kind::LeftBrace {
            return self.enter_body(frame.start, frame.name, frame.after_body, body);
        }
        self.state = State::Operator;
        self.sure &= self.typed;
        self.end_field(body);
        body
    }

    /// Ends a member without a value before `at` where the next one stands on a new line and starts like an operator.
    fn end_field(&mut self, at: usize) {
        let is_next = matches!(self.kind(at), Kind::LeftBracket | Kind::Star);
        if is_next && self.place() == Place::Class && self.breaks_before(at) {
            self.end_statement();
        }
    }

    fn after_return_type(&mut self, at: usize) -> usize {
        if self.typed && self.kind(at) == Kind::Colon { self.after_type(at + 1) } else { at }
    }

    /// A function that starts at `start` and whose keyword is at `keyword`.
    pub(super) fn function(&mut self, start: usize, keyword: usize, next: Next) -> usize {
        let mut at = keyword + 1;
        at += usize::from(self.kind(at) == Kind::Star);
        let mut name = self.given_name(start);
        if self.is_word(at) {
            name = at as u32;
            at += 1;
        }
        at = self.after_type_parameters(at);
        self.parameters(start as u32, name, at, next)
    }

    /// The parameters at `at` of a function or method.
    pub(super) fn parameters(&mut self, start: u32, name: u32, at: usize, next: Next) -> usize {
        self.state = State::Operand;
        if self.kind(at) != Kind::LeftParen {
            self.sure = false;
            return at;
        }
        let frame = Frame::new(Place::Parameters, Next::Body, at);
        self.push(frame.of(FragmentKind::Function, start, name, next));
        at + 1
    }

    /// The class whose keyword is at `keyword`, up to its body or to what it extends.
    pub(super) fn class(&mut self, start: u32, keyword: usize, next: Next) -> usize {
        let mut at = keyword + 1;
        let mut name = self.given_name(start as usize);
        if self.is_word(at) && !matches!(self.kind(at), Kind::Extends | Kind::Implements) {
            name = at as u32;
            at += 1;
        }
        at = self.after_type_parameters(at);
        let frame = Frame::new(Place::ClassHead, next, keyword);
        self.push(frame.of(FragmentKind::Class, start, name, next));
        self.state = State::Operand;
        match self.kind(at) {
            Kind::Extends => at + 1,
            Kind::LeftBrace => self.class_body(at),
            Kind::Implements => {
                self.state = State::Operator;
                at
            }
            _ => {
                self.sure = false;
                at
            }
        }
    }

    fn class_body(&mut self, at: usize) -> usize {
        if let Some(head) = self.stack.pop() {
            let frame = Frame::new(Place::Class, head.next, at);
            self.push(frame.of(FragmentKind::Class, head.start, head.name, head.after_body));
        }
        self.state = State::Member;
        at + 1
    }

    fn decorated_operand(&mut self, at: usize) -> usize {
        // A class expression starts with its first decorator, which this leaves out: none was ever met.
        self.decorator(at, Next::Decorated, State::Operand)
    }

    /// The name that an assignment or a key gives to the function or class that starts at `at`.
    fn given_name(&self, at: usize) -> u32 {
        let Some(name) = at.checked_sub(2) else {
            return NOWHERE;
        };
        let (name_kind, sign) = (self.kind(name), self.kind(name + 1));
        let is_named = name_kind.is_word() || name_kind == Kind::Private;
        match sign {
            Kind::Assign if self.assigned.0 as usize == name + 1 => self.assigned.1,
            Kind::Assign if is_named => name as u32,
            Kind::Colon if is_named || name_kind == Kind::String => {
                let is_key = self
                    .stack
                    .last()
                    .is_some_and(|frame| frame.place == Place::Object && frame.conditions == 0);
                if is_key { name as u32 } else { NOWHERE }
            }
            _ => NOWHERE,
        }
    }

    /// The token at `at`, where an operator is due.
    pub(super) fn operator(&mut self, at: usize, kind: Kind) -> usize {
        if self.ends_by_line(at, kind) {
            self.close_arrows(at);
            self.end_statement();
            return at;
        }
        match kind {
            Kind::Comma => self.comma(at),
            Kind::Colon => self.colon(at),
            Kind::Question => self.question(at),
            Kind::LeftParen | Kind::LeftBracket | Kind::TemplateOpen | Kind::JsxLeft => {
                self.open_group(at, Next::Operator)
            }
            Kind::LeftBrace if self.place() == Place::ClassHead => self.class_body(at),
            Kind::Implements if self.place() == Place::ClassHead => self.after_type_list(at + 1),
            Kind::As | Kind::Satisfies if self.typed => self.after_type(at + 1),
            Kind::Less | Kind::Less2 if self.typed => self.less(at),
            Kind::PlusPlus | Kind::MinusMinus | Kind::Bang | Kind::NonNull => at + 1,
            Kind::Arrow => {
                // The parameters of this arrow function were taken for something else.
                self.sure = false;
                self.state = State::Operand;
                at + 1
            }
            Kind::In | Kind::Instanceof | Kind::Of => {
                self.state = State::Operand;
                at + 1
            }
            kind if kind.is_word() || is_text(kind) || kind == Kind::LeftBrace || kind == Kind::At => {
                self.juxtaposed(at, kind)
            }
            kind if kind.ends_operand() => at + 1,
            _ => {
                self.state = State::Operand;
                at + 1
            }
        }
    }

    /// An operand after an operand: words before a parameter's name, or the pieces of templates and elements.
    fn juxtaposed(&mut self, at: usize, kind: Kind) -> usize {
        if is_text(kind) {
            return at + 1;
        }
        let in_list = matches!(self.place(), Place::Parameters | Place::Group);
        self.sure &= in_list;
        self.operand(at, kind)
    }

    fn less(&mut self, at: usize) -> usize {
        let in_head = self.place() == Place::ClassHead;
        let after = if in_head { self.after_angles(at) } else { self.after_type_arguments(at) };
        after.unwrap_or_else(|| {
            self.state = State::Operand;
            at + 1
        })
    }

    fn question(&mut self, at: usize) -> usize {
        if self.typed && matches!(self.kind(at + 1), Kind::Colon | Kind::Comma | Kind::RightParen) {
            return at + 1;
        }
        self.top().conditions += 1;
        self.state = State::Operand;
        at + 1
    }

    fn comma(&mut self, at: usize) -> usize {
        self.close_arrows(at);
        self.state = match self.place() {
            Place::Object | Place::Class => State::Member,
            _ => State::Operand,
        };
        at + 1
    }

    fn colon(&mut self, at: usize) -> usize {
        while self.place() == Place::Arrow && self.top().conditions == 0 {
            self.close_one_arrow(at);
        }
        let typed = self.typed;
        self.state = State::Operand;
        let frame = self.top();
        if frame.conditions > 0 {
            frame.conditions -= 1;
            return at + 1;
        }
        if frame.in_case {
            frame.in_case = false;
            self.state = State::Statement;
            return at + 1;
        }
        if typed && (frame.declares || frame.place == Place::Parameters) {
            return self.annotation(at);
        }
        self.sure = false;
        at + 1
    }

    /// The type of a variable, a parameter or a field, from its `:` on.
    pub(super) fn annotation(&mut self, at: usize) -> usize {
        let after = self.after_type(at + 1);
        self.state = State::Operator;
        let name =
            at - usize::from(matches!(self.kind(at - 1), Kind::Question | Kind::Bang | Kind::NonNull)) - 1;
        if self.is_word(name) || self.kind(name) == Kind::Private {
            self.assigned = (after as u32, name as u32);
        }
        self.end_field(after);
        after
    }
}

/// Pieces of templates and elements, which follow one another without an operator.
fn is_text(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Template
            | Kind::TemplateHead
            | Kind::TemplateMiddle
            | Kind::TemplateTail
            | Kind::JsxOpen
            | Kind::JsxPunct
            | Kind::JsxName
            | Kind::JsxText
            | Kind::JsxString
    )
}
