//! Java's fragments.

use familiar_source::Token;

use super::lex::Kind;
use crate::finder::NONE;
use crate::languages::frames::{Frames, Group, Makes, Place, Sort};
use crate::{Confidence, Output};

/// The item declares a class, interface, enum or record.
const CLASS: u16 = 1;
/// That class is an enum.
const ENUM: u16 = 2;
/// Parameters were read: the item may be a method.
const PARAMETERS: u16 = 4;
/// The item has come to a value, such as a field's.
const VALUE: u16 = 8;
/// `new` was read, but not yet the arguments after it.
const NEW: u16 = 16;

/// Finds the fragments of the tokens in `out`.
pub(super) fn fragments(out: &mut Output) -> Confidence {
    let (tokens, frames) = Frames::of(out);
    let mut finder = Finder { tokens, frames, closed: Group::Plain };
    for at in 0..tokens.len() {
        finder.step(at);
    }
    finder.frames.confidence()
}

struct Finder<'o> {
    tokens: &'o [Token],
    frames: Frames<'o>,
    /// What the group that closed last was.
    closed: Group,
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
        self.is_any(at, &[Kind::Identifier, Kind::Record])
    }

    #[inline]
    fn step(&mut self, at: usize) {
        let kind = self.tokens[at].kind;
        if kind == Kind::CloseBrace as u8 {
            return self.close_brace(at);
        }
        if kind == Kind::CloseParen as u8 {
            return self.close_paren();
        }
        let item = &mut self.frames.top.item;
        if item.first == NONE {
            item.first = at as u32;
        }
        if kind == Kind::Identifier as u8 {
            return;
        }
        self.open_or_note(kind, at);
    }

    fn open_or_note(&mut self, kind: u8, at: usize) {
        const OPEN_PAREN: u8 = Kind::OpenParen as u8;
        const OPEN_BRACE: u8 = Kind::OpenBrace as u8;
        const OPEN_SQUARE: u8 = Kind::OpenSquare as u8;
        const SEMICOLON: u8 = Kind::Semicolon as u8;
        const COLON: u8 = Kind::Colon as u8;
        const ARROW: u8 = Kind::Arrow as u8;
        const COMMA: u8 = Kind::Comma as u8;
        const ASSIGN: u8 = Kind::Assign as u8;
        const DEFAULT: u8 = Kind::Default as u8;
        const NEW_WORD: u8 = Kind::New as u8;
        const DO: u8 = Kind::Do as u8;
        const CLASS_WORD: u8 = Kind::Class as u8;
        const INTERFACE: u8 = Kind::Interface as u8;
        const ENUM_WORD: u8 = Kind::Enum as u8;
        const RECORD: u8 = Kind::Record as u8;
        match kind {
            OPEN_PAREN => self.open_paren(at),
            OPEN_BRACE => self.open_brace(at),
            // `new int[n]`; but `new Map<int[], String>(…)` is still to come to its arguments.
            OPEN_SQUARE if !self.is(at + 1, Kind::CloseSquare) => self.frames.top.item.flags &= !NEW,
            SEMICOLON => self.semicolon(at),
            COLON | ARROW if self.frames.top.place == Place::Switch => self.frames.drop_item(),
            COMMA if self.frames.top.place == Place::Constants => self.frames.drop_item(),
            ASSIGN => self.frames.top.item.flags |= VALUE,
            DEFAULT if self.frames.top.item.has(PARAMETERS) => self.frames.top.item.flags |= VALUE,
            NEW_WORD if at == 0 || !self.is(at - 1, Kind::Colons) => self.frames.top.item.flags |= NEW,
            DO => self.frames.top.item.open_do = self.frames.top.item.open_do.saturating_add(1),
            CLASS_WORD if at == 0 || !self.is(at - 1, Kind::Dot) => self.class(at, CLASS),
            INTERFACE => self.class(at, CLASS),
            ENUM_WORD => self.class(at, CLASS | ENUM),
            RECORD if self.declares_record(at) => self.class(at, CLASS),
            _ => {}
        }
    }

    fn class(&mut self, at: usize, flags: u16) {
        if self.frames_hold_items() && self.is_name(at + 1) {
            let item = &mut self.frames.top.item;
            item.flags |= flags;
            item.set_name(at + 1, at + 1);
        }
    }

    fn frames_hold_items(&self) -> bool {
        self.frames.top.holds_items()
    }

    /// Whether the word `record` at `at` is the keyword.
    fn declares_record(&self, at: usize) -> bool {
        self.is_name(at + 1)
            && (self.is(at + 2, Kind::OpenParen)
                || self.tokens.get(at + 2).is_some_and(|token| token.kind == Kind::Operator as u8))
            && !self.frames.top.item.has(VALUE | PARAMETERS)
    }

    fn semicolon(&mut self, at: usize) {
        match self.frames.top.place {
            Place::Group(_) | Place::Values => {}
            Place::Constants => {
                self.frames.top.place = Place::Declarations;
                self.frames.drop_item();
            }
            // A lone `;` is no statement.
            _ if self.frames.top.item.first as usize == at => self.frames.drop_item(),
            _ => self.end_item(at),
        }
    }

    /// Ends the item after the token `at`, unless the next one belongs to it still.
    fn end_item(&mut self, at: usize) {
        if self.is_any(at + 1, &[Kind::Else, Kind::Catch, Kind::Finally]) {
            return;
        }
        let item = &mut self.frames.top.item;
        if item.open_do > 0 && self.tokens.get(at + 1).is_some_and(|next| next.kind == Kind::While as u8) {
            item.open_do -= 1;
            return;
        }
        self.frames.end_item();
    }

    fn open_paren(&mut self, at: usize) {
        let group = self.group(at);
        self.frames.top.item.flags &= !NEW;
        self.frames.open_group(Sort::Paren, group, at);
    }

    /// What the group that opens at `at` is.
    fn group(&mut self, at: usize) -> Group {
        if at == 0 {
            return Group::Plain;
        }
        let before = at - 1;
        if self.is_any(before, &[Kind::Control, Kind::While, Kind::Catch, Kind::Try]) {
            return Group::Control;
        }
        if self.is(before, Kind::Switch) {
            return if self.starts_statement(before) { Group::Switch } else { Group::SwitchValue };
        }
        if self.frames.top.item.has(NEW) {
            return Group::Arguments;
        }
        let item = self.frames.top.item;
        if self.frames.top.place == Place::Declarations
            && !item.has(CLASS | PARAMETERS | VALUE)
            && self.is_name(before)
            && !self.ends_annotation(before)
        {
            self.frames.top.item.flags |= PARAMETERS;
            self.frames.top.item.set_name(before, before);
            return Group::Parameters;
        }
        Group::Plain
    }

    /// Whether the `switch` at `at` starts a statement.
    fn starts_statement(&self, at: usize) -> bool {
        const BEFORE: [Kind; 8] = [
            Kind::OpenBrace,
            Kind::CloseBrace,
            Kind::Semicolon,
            Kind::Colon,
            Kind::Else,
            Kind::Do,
            Kind::CloseParen,
            Kind::Arrow,
        ];
        self.frames_hold_items() && (at == 0 || self.is_any(at - 1, &BEFORE))
    }

    /// Whether the name that ends at `at` is that of an annotation.
    fn ends_annotation(&self, mut at: usize) -> bool {
        while at >= 2 && self.is(at - 1, Kind::Dot) && self.is_name(at - 2) {
            at -= 2;
        }
        at > 0 && self.is(at - 1, Kind::At)
    }

    fn close_paren(&mut self) {
        if let Some(closed) = self.frames.close(Sort::Paren)
            && let Place::Group(group) = closed.place
        {
            self.closed = group;
        }
    }

    fn open_brace(&mut self, at: usize) {
        let (place, makes, ends_item) = self.brace(at);
        self.frames.top.item.flags &= !NEW;
        self.frames.open_brace(place, makes, ends_item, at);
    }

    /// What the brace at `at` holds, makes and ends.
    fn brace(&mut self, at: usize) -> (Place, Makes, bool) {
        let item = self.frames.top.item;
        let place = self.frames.top.place;
        if item.has(CLASS) && !item.has(VALUE) {
            let place = if item.has(ENUM) { Place::Constants } else { Place::Declarations };
            return (place, Makes::Class, true);
        }
        if at > 0 && self.is(at - 1, Kind::CloseParen) {
            match self.closed {
                Group::Control => return (Place::Statements, Makes::Nothing, true),
                Group::Switch => return (Place::Switch, Makes::Nothing, true),
                Group::SwitchValue => return (Place::Switch, Makes::Nothing, false),
                Group::Arguments => return (Place::Declarations, Makes::Nothing, false),
                _ => {}
            }
        }
        if at > 0 && self.is(at - 1, Kind::Arrow) {
            return (Place::Statements, Makes::Nothing, place == Place::Switch);
        }
        match place {
            Place::Declarations if item.has(VALUE) => (Place::Values, Makes::Nothing, false),
            Place::Declarations if item.has(PARAMETERS) => (Place::Statements, Makes::Function, true),
            Place::Declarations => self.brace_among_declarations(at),
            Place::Constants => (Place::Declarations, Makes::Nothing, false),
            Place::Statements | Place::Switch | Place::Accessors => self.brace_among_statements(at),
            Place::Values | Place::Group(_) => (Place::Values, Makes::Nothing, false),
        }
    }

    /// An initializer, a record's compact constructor or a module.
    fn brace_among_declarations(&mut self, at: usize) -> (Place, Makes, bool) {
        let first = self.frames.top.item.first as usize;
        if first == at || first + 1 == at && self.is(first, Kind::Static) {
            return (Place::Statements, Makes::Nothing, true);
        }
        if at > 0 && self.is_name(at - 1) {
            self.frames.top.item.set_name(at - 1, at - 1);
            return if self.frames.at_file() {
                (Place::Declarations, Makes::Class, true)
            } else {
                (Place::Statements, Makes::Function, true)
            };
        }
        if !self.follows_statement(at) {
            self.frames.doubt();
        }
        (Place::Statements, Makes::Nothing, true)
    }

    fn brace_among_statements(&mut self, at: usize) -> (Place, Makes, bool) {
        if self.follows_statement(at) {
            return (Place::Statements, Makes::Nothing, true);
        }
        if !self.is_any(at - 1, &[Kind::Assign, Kind::CloseSquare]) {
            self.frames.doubt();
        }
        (Place::Values, Makes::Nothing, false)
    }

    /// Whether what stands before `at` lets a statement begin there.
    fn follows_statement(&self, at: usize) -> bool {
        const BEFORE: [Kind; 8] = [
            Kind::OpenBrace,
            Kind::CloseBrace,
            Kind::Semicolon,
            Kind::Colon,
            Kind::Else,
            Kind::Do,
            Kind::Try,
            Kind::Finally,
        ];
        at == 0 || self.is_any(at - 1, &BEFORE)
    }

    fn close_brace(&mut self, at: usize) {
        let Some(closed) = self.frames.close(Sort::Brace) else { return };
        self.frames.make(&closed, at);
        if closed.ends_item && self.frames_hold_items() {
            self.end_item(at);
        }
    }
}
