//! C#'s fragments.

use familiar_source::{FragmentKind, Token};

use super::lex::Kind;
use crate::finder::NONE;
use crate::languages::frames::{Frames, Group, Item, Makes, Place, Sort};
use crate::{Confidence, Output};

/// The item declares a class, struct, interface, record, enum or namespace.
const CLASS: u16 = 1;
/// That class is an enum.
const ENUM: u16 = 2;
/// Parameters were read: the item may be a function.
const PARAMETERS: u16 = 4;
/// The item has come to a value, such as a field's or a body that is an expression.
const VALUE: u16 = 8;
/// `operator` was read.
const OPERATOR: u16 = 16;
/// The constraints of type parameters have begun.
const WHERE: u16 = 32;
/// The item is the label of a `case`.
const CASE: u16 = 64;

/// Finds the fragments of the tokens in `out`.
pub(super) fn fragments(out: &mut Output) -> Confidence {
    let (tokens, frames) = Frames::of(out);
    let mut finder =
        Finder { tokens, frames, closed: Group::Plain, before: usize::MAX, regions: Vec::new(), skipped: 0 };
    for at in 0..tokens.len() {
        if !finder.directive(at) && finder.skipped == 0 {
            finder.step(at);
            finder.before = at;
        }
    }
    finder.frames.confidence()
}

/// An `#if` that has not ended.
#[derive(Clone, Copy)]
struct Region {
    depth: usize,
    between_items: bool,
}

struct Finder<'o> {
    tokens: &'o [Token],
    frames: Frames<'o>,
    /// What the group that closed last was.
    closed: Group,
    /// The token before the present one, directives and skipped code left out.
    before: usize,
    regions: Vec<Region>,
    /// How many `#if` are open since code began to be skipped.
    skipped: usize,
}

impl Finder<'_> {
    #[inline]
    fn is(&self, at: usize, kind: Kind) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == kind as u8)
    }

    #[inline]
    fn is_any(&self, at: usize, kinds: &[Kind]) -> bool {
        kinds.iter().any(|&kind| self.is(at, kind))
    }

    fn is_name(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind <= Kind::Soft as u8)
    }

    /// Takes note of a directive; says whether the token at `at` is one.
    ///
    /// Where the first branch of an `#if` opens or closes a bracket or leaves a statement unfinished, the other
    /// branches say the same in other words: they are skipped.
    #[inline]
    fn directive(&mut self, at: usize) -> bool {
        let kind = self.tokens[at].kind;
        if kind < Kind::If as u8 || kind > Kind::Directive as u8 {
            return false;
        }
        if kind == Kind::If as u8 {
            if self.skipped > 0 {
                self.skipped += 1;
            } else {
                let between_items = self.frames.top.item.first == NONE;
                self.regions.push(Region { depth: self.frames.depth(), between_items });
            }
        } else if kind == Kind::ElseIf as u8 && self.skipped == 0 {
            let unfinished = |region: &Region| {
                self.frames.depth() != region.depth
                    || region.between_items && self.frames.top.item.first != NONE
            };
            self.skipped = usize::from(self.regions.last().is_some_and(unfinished));
        } else if kind == Kind::EndIf as u8 {
            self.skipped = self.skipped.saturating_sub(1);
            if self.skipped == 0 {
                self.regions.pop();
            }
        }
        true
    }

    #[inline]
    fn step(&mut self, at: usize) {
        let kind = self.tokens[at].kind;
        if kind == Kind::CloseBrace as u8 {
            return self.close_brace(at);
        }
        if kind == Kind::CloseParen as u8 {
            return self.close_group(Sort::Paren);
        }
        if kind == Kind::CloseSquare as u8 {
            return self.close_square();
        }
        let item = &mut self.frames.top.item;
        if item.first == NONE {
            item.first = at as u32;
        }
        if kind != Kind::Identifier as u8 {
            self.open_or_note(kind, at);
        }
    }

    fn open_or_note(&mut self, kind: u8, at: usize) {
        const OPEN_PAREN: u8 = Kind::OpenParen as u8;
        const OPEN_SQUARE: u8 = Kind::OpenSquare as u8;
        const OPEN_BRACE: u8 = Kind::OpenBrace as u8;
        const SEMICOLON: u8 = Kind::Semicolon as u8;
        const COLON: u8 = Kind::Colon as u8;
        const ASSIGN: u8 = Kind::Assign as u8;
        const ARROW: u8 = Kind::Arrow as u8;
        const CASE_WORD: u8 = Kind::Case as u8;
        const WHERE_WORD: u8 = Kind::Where as u8;
        const THIS: u8 = Kind::This as u8;
        const DO: u8 = Kind::Do as u8;
        const CLASS_WORD: u8 = Kind::Class as u8;
        const ENUM_WORD: u8 = Kind::Enum as u8;
        const NAMESPACE: u8 = Kind::Namespace as u8;
        const RECORD: u8 = Kind::Record as u8;
        const OPERATOR_WORD: u8 = Kind::OperatorWord as u8;
        let place = self.frames.top.place;
        let item = &mut self.frames.top.item;
        match kind {
            OPEN_PAREN => self.open_paren(at),
            OPEN_SQUARE => self.frames.open_group(Sort::Square, Group::Plain, at),
            OPEN_BRACE => self.open_brace(at),
            SEMICOLON => self.semicolon(at),
            COLON if item.has(CASE) && place == Place::Switch => self.frames.drop_item(),
            ASSIGN => item.flags |= VALUE,
            ARROW => self.arrow(),
            CASE_WORD if item.first as usize == at => item.flags |= CASE,
            WHERE_WORD => item.flags |= WHERE,
            THIS if place == Place::Declarations && !item.has(PARAMETERS | VALUE) => item.set_name(at, at),
            DO => item.open_do = item.open_do.saturating_add(1),
            CLASS_WORD | NAMESPACE => self.class(at, CLASS),
            ENUM_WORD => self.class(at, CLASS | ENUM),
            OPERATOR_WORD if !item.has(VALUE) => {
                item.flags |= OPERATOR;
                item.set_name(at, at);
            }
            RECORD if self.declares_record(at) => self.class(at, CLASS),
            _ => {}
        }
    }

    fn class(&mut self, at: usize, flags: u16) {
        let item = self.frames.top.item;
        if !self.frames.top.holds_items() || item.has(CLASS | PARAMETERS | VALUE) || !self.is_name(at + 1) {
            return;
        }
        let mut last = at + 1;
        while self.is(last + 1, Kind::Dot) && self.is_name(last + 2) {
            last += 2;
        }
        self.frames.top.item.flags |= flags;
        self.frames.top.item.set_name(at + 1, last);
    }

    /// Whether the word `record` at `at` is the keyword.
    fn declares_record(&self, at: usize) -> bool {
        const AFTER: [Kind; 5] = [Kind::OpenParen, Kind::Less, Kind::OpenBrace, Kind::Colon, Kind::Semicolon];
        self.frames.top.place == Place::Declarations && self.is_name(at + 1) && self.is_any(at + 2, &AFTER)
    }

    /// The body of a function, property or accessor that is an expression, or some lambda's arrow.
    fn arrow(&mut self) {
        let item = self.frames.top.item;
        let before = self.before;
        match self.frames.top.place {
            _ if item.has(VALUE) => {}
            Place::Declarations if item.has(PARAMETERS) => self.expression_body(),
            Place::Declarations if self.is_name(before) || self.is(before, Kind::CloseSquare) => {
                if self.is_name(before) {
                    self.frames.top.item.set_name(before, before);
                }
                self.expression_body();
            }
            Place::Accessors => {
                self.name_accessor();
                self.expression_body();
            }
            Place::Statements | Place::Switch if item.has(PARAMETERS) && self.after_parameters() => {
                self.expression_body();
            }
            _ => {}
        }
    }

    fn expression_body(&mut self) {
        self.frames.top.item.flags |= VALUE | Item::EXPRESSION_BODY;
    }

    /// An accessor goes by the name of its property.
    fn name_accessor(&mut self) {
        if let Some(owner) = self.frames.owner() {
            self.frames.top.item.name = owner.name;
            self.frames.top.item.name_end = owner.name_end;
        }
    }

    /// Whether what stands here follows the parameters of the local function that is being read.
    fn after_parameters(&self) -> bool {
        let item = self.frames.top.item;
        item.has(WHERE) || self.is(self.before, Kind::CloseParen) && self.closed == Group::Parameters
    }

    fn semicolon(&mut self, at: usize) {
        let lone = self.frames.top.item.first as usize == at;
        match self.frames.top.place {
            Place::Group(_) | Place::Values => {}
            Place::Declarations | Place::Accessors if lone => self.frames.drop_item(),
            _ => {
                if self.frames.top.item.has(Item::EXPRESSION_BODY) {
                    self.frames.make_item(FragmentKind::Function, at);
                }
                self.end_item(at);
            }
        }
    }

    /// The token after `at` that is no directive.
    fn next(&self, at: usize) -> usize {
        let directives = Kind::If as u8..=Kind::Directive as u8;
        let rest = &self.tokens[at + 1..];
        at + 1 + rest.iter().take_while(|token| directives.contains(&token.kind)).count()
    }

    /// Ends the item after the token `at`, unless the next one belongs to it still.
    fn end_item(&mut self, at: usize) {
        let next = self.next(at);
        if self.is_any(next, &[Kind::Else, Kind::Catch, Kind::Finally]) {
            return;
        }
        if self.frames.top.item.open_do > 0 && self.is(next, Kind::While) {
            self.frames.top.item.open_do -= 1;
            return;
        }
        self.frames.end_item();
    }

    fn open_paren(&mut self, at: usize) {
        let group = self.group();
        self.frames.open_group(Sort::Paren, group, at);
    }

    /// What the group that opens here is.
    fn group(&mut self) -> Group {
        const CONTROL: [Kind; 5] = [Kind::Control, Kind::While, Kind::Using, Kind::Catch, Kind::When];
        let before = self.before;
        if self.is_any(before, &CONTROL) {
            return Group::Control;
        }
        if self.is(before, Kind::Switch) {
            return Group::Switch;
        }
        if self.is(before, Kind::Delegate) {
            return Group::Delegate;
        }
        let item = self.frames.top.item;
        let place = self.frames.top.place;
        if !matches!(place, Place::Declarations | Place::Statements | Place::Switch)
            || item.has(CLASS | PARAMETERS | VALUE)
        {
            return Group::Plain;
        }
        if item.has(OPERATOR) {
            let operator = item.name as usize;
            self.parameters(operator, before.max(operator))
        } else {
            self.group_after_name()
        }
    }

    fn parameters(&mut self, name: usize, name_end: usize) -> Group {
        self.frames.top.item.flags |= PARAMETERS;
        self.frames.top.item.set_name(name, name_end);
        Group::Parameters
    }

    /// The parameters of a function, where the name of one was just read.
    fn group_after_name(&mut self) -> Group {
        let Some(name) = self.name_before() else { return Group::Plain };
        let first = self.frames.top.item.first as usize;
        if self.frames.top.place != Place::Declarations && (name <= first || !self.ends_type(name - 1)) {
            return Group::Plain;
        }
        if name > first && self.is(name - 1, Kind::Tilde) {
            return self.parameters(name - 1, name);
        }
        self.parameters(name, name)
    }

    /// The name that was just read, type parameters left out.
    fn name_before(&self) -> Option<usize> {
        /// Type parameters of a function have few tokens; the limit keeps `a > (b > (c > …` linear.
        const LIMIT: usize = 200;
        let before = self.before;
        if self.is_name(before) {
            return Some(before);
        }
        if !self.is(before, Kind::Greater) {
            return None;
        }
        let first = (self.frames.top.item.first as usize).max(before.saturating_sub(LIMIT));
        let mut open = 0;
        for at in (first..=before).rev() {
            if self.is(at, Kind::Greater) {
                open += 1;
            } else if self.is(at, Kind::Less) {
                open -= 1;
                if open == 0 {
                    return (at > first && self.is_name(at - 1)).then(|| at - 1);
                }
            }
        }
        None
    }

    /// Whether the token at `at` can be the last of the type before a function's name.
    fn ends_type(&self, at: usize) -> bool {
        const ENDS: [Kind; 6] =
            [Kind::Type, Kind::Greater, Kind::CloseSquare, Kind::CloseParen, Kind::Question, Kind::Star];
        self.is_any(at, &ENDS) || self.is_any(at, &[Kind::Identifier, Kind::Record, Kind::Assembly])
    }

    fn close_group(&mut self, sort: Sort) {
        if let Some(closed) = self.frames.close(sort)
            && let Place::Group(group) = closed.place
        {
            self.closed = group;
        }
    }

    fn close_square(&mut self) {
        let Some(closed) = self.frames.close(Sort::Square) else { return };
        // `[assembly: …]` is no part of the declaration after it.
        let open = closed.open as usize;
        if self.frames.top.place == Place::Declarations
            && self.frames.top.item.first == closed.open
            && self.is(open + 1, Kind::Assembly)
            && self.is(open + 2, Kind::Colon)
        {
            self.frames.drop_item();
        }
    }

    fn open_brace(&mut self, at: usize) {
        let (place, makes, ends_item) = self.brace(at);
        self.frames.open_brace(place, makes, ends_item, at);
    }

    /// What the brace at `at` holds, makes and ends.
    fn brace(&mut self, at: usize) -> (Place, Makes, bool) {
        let item = self.frames.top.item;
        let before = self.before;
        if item.has(CLASS) && !item.has(VALUE) {
            let place = if item.has(ENUM) { Place::Values } else { Place::Declarations };
            return (place, Makes::Class, true);
        }
        if self.is(before, Kind::CloseParen) {
            match self.closed {
                Group::Control => return (Place::Statements, Makes::Nothing, true),
                Group::Switch => return (Place::Switch, Makes::Nothing, true),
                Group::Delegate => return (Place::Statements, Makes::Nothing, false),
                _ => {}
            }
        }
        if self.is_any(before, &[Kind::Arrow, Kind::Delegate]) {
            return (Place::Statements, Makes::Nothing, false);
        }
        match self.frames.top.place {
            Place::Declarations if item.has(VALUE) => (Place::Values, Makes::Nothing, false),
            Place::Declarations if item.has(PARAMETERS) => (Place::Statements, Makes::Function, true),
            Place::Declarations => self.brace_among_declarations(at),
            Place::Accessors => {
                self.name_accessor();
                (Place::Statements, Makes::Function, true)
            }
            Place::Statements | Place::Switch => self.brace_among_statements(at),
            Place::Constants | Place::Values | Place::Group(_) => (Place::Values, Makes::Nothing, false),
        }
    }

    /// The accessors of a property, or a block among the statements of a file.
    fn brace_among_declarations(&mut self, at: usize) -> (Place, Makes, bool) {
        let before = self.before;
        if self.frames.top.item.first as usize != at
            && (self.is_name(before) || self.is_any(before, &[Kind::CloseSquare, Kind::This]))
        {
            if self.is_name(before) {
                self.frames.top.item.set_name(before, before);
            }
            return (Place::Accessors, Makes::Nothing, true);
        }
        if !self.follows_statement(at) {
            self.frames.doubt();
        }
        (Place::Statements, Makes::Nothing, true)
    }

    fn brace_among_statements(&mut self, at: usize) -> (Place, Makes, bool) {
        let item = self.frames.top.item;
        if item.has(PARAMETERS) && !item.has(VALUE) && self.after_parameters() {
            return (Place::Statements, Makes::Function, true);
        }
        if self.follows_statement(at) {
            return (Place::Statements, Makes::Nothing, true);
        }
        (Place::Values, Makes::Nothing, false)
    }

    /// Whether what stands before `at` lets a statement begin there.
    fn follows_statement(&self, at: usize) -> bool {
        const BEFORE: [Kind; 9] = [
            Kind::OpenBrace,
            Kind::CloseBrace,
            Kind::Semicolon,
            Kind::Colon,
            Kind::Else,
            Kind::Do,
            Kind::BeforeBlock,
            Kind::Catch,
            Kind::Finally,
        ];
        at == 0 || self.frames.top.item.first as usize == at || self.is_any(self.before, &BEFORE)
    }

    fn close_brace(&mut self, at: usize) {
        let Some(closed) = self.frames.close(Sort::Brace) else { return };
        // The grammar lets a class end with a `;`.
        let semicolon = closed.makes == Makes::Class && self.is(at + 1, Kind::Semicolon);
        self.frames.make(&closed, at + usize::from(semicolon));
        if closed.ends_item && self.frames.top.holds_items() {
            let value = closed.place == Place::Accessors && self.is(self.next(at), Kind::Assign);
            if !value {
                self.end_item(at);
            }
        }
    }
}
