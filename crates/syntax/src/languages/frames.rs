//! Where in a brace language's file a token stands: the stack of open brackets that Java's and C#'s finders share.
//!
//! A finder walks over the tokens once. Each open bracket is a [`Frame`] that knows what it holds and which declaration
//! or statement, the [`Item`], is being read in it. Closing a frame makes the fragments that end there.

use familiar_source::{FragmentKind, LineIndex, Span, Token};

use crate::finder::{self, MIN_BLOCK_STATEMENTS, NONE};
use crate::{Confidence, Output};

/// What a bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Members of a class, namespace or file.
    Declarations,
    /// The constants at the head of an enum.
    Constants,
    /// The accessors of a property.
    Accessors,
    Statements,
    /// Cases.
    Switch,
    /// Elements of an array, members of an object, parts of a pattern: expressions.
    Values,
    /// What stands in `(…)` or `[…]`.
    Group(Group),
}

/// What a group in parentheses is to what follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    /// Of no interest.
    Plain,
    Parameters,
    /// The condition of `if`, `for`, `catch` and their like.
    Control,
    /// The value that a `switch` statement looks at.
    Switch,
    /// The same, where the `switch` is an expression.
    SwitchValue,
    /// The arguments of `new`.
    Arguments,
    /// The parameters of an anonymous method.
    Delegate,
}

/// What closing a bracket makes, a block aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Makes {
    Nothing,
    Class,
    Function,
}

/// The sort of a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Paren = 0,
    Square = 1,
    Brace = 2,
}

/// The declaration or statement that is being read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    /// Its first token.
    pub(super) first: u32,
    /// The first token of its name.
    pub(super) name: u32,
    /// The last token of its name.
    pub(super) name_end: u32,
    /// Bits that its finder sets.
    pub(super) flags: u16,
    /// `do` statements whose `while` is to come.
    pub(super) open_do: u16,
}

impl Item {
    /// The item is a function whose body is the expression that has begun.
    pub(super) const EXPRESSION_BODY: u16 = 1 << 15;

    const NEW: Self = Self { first: NONE, name: NONE, name_end: NONE, flags: 0, open_do: 0 };

    #[inline]
    pub(super) fn has(&self, flags: u16) -> bool {
        self.flags & flags != 0
    }

    pub(super) fn set_name(&mut self, first: usize, last: usize) {
        self.name = first as u32;
        self.name_end = last as u32;
    }
}

/// An open bracket, or the file itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) place: Place,
    pub(super) makes: Makes,
    /// Whether its end is the end of the item that it is part of.
    pub(super) ends_item: bool,
    sort: Sort,
    in_function: bool,
    /// The token that opens it.
    pub(super) open: u32,
    statements: u32,
    pub(super) item: Item,
}

impl Frame {
    /// Whether items follow one another here.
    pub(super) fn holds_items(&self) -> bool {
        !matches!(self.place, Place::Group(_) | Place::Values)
    }
}

/// The open brackets of a file that is being read.
pub(super) struct Frames<'o> {
    /// The innermost frame; `outer` holds the others.
    pub(super) top: Frame,
    outer: Vec<Frame>,
    open: [u32; 3],
    confidence: Confidence,
    tokens: &'o [Token],
    lines: &'o LineIndex,
    fragments: &'o mut Vec<familiar_source::Fragment>,
}

impl<'o> Frames<'o> {
    /// The tokens of `out`, and the frames to find its fragments with.
    pub(super) fn of(out: &'o mut Output) -> (&'o [Token], Self) {
        let file = Frame {
            place: Place::Declarations,
            makes: Makes::Nothing,
            ends_item: false,
            sort: Sort::Brace,
            in_function: false,
            open: 0,
            statements: 0,
            item: Item::NEW,
        };
        let tokens = out.tokens.as_slice();
        let frames = Self {
            top: file,
            outer: Vec::new(),
            open: [0; 3],
            confidence: Confidence::Sure,
            tokens,
            lines: &out.lines,
            fragments: &mut out.fragments,
        };
        (tokens, frames)
    }

    /// Whether the innermost frame is the file.
    pub(super) fn at_file(&self) -> bool {
        self.outer.is_empty()
    }

    /// How many brackets are open.
    pub(super) fn depth(&self) -> usize {
        self.outer.len()
    }

    /// The item that the innermost frame is part of.
    pub(super) fn owner(&self) -> Option<Item> {
        self.outer.last().map(|frame| frame.item)
    }

    /// Says that something was not understood.
    pub(super) fn doubt(&mut self) {
        self.confidence = Confidence::Unsure;
    }

    /// Opens a group at the token `at`.
    #[inline]
    pub(super) fn open_group(&mut self, sort: Sort, group: Group, at: usize) {
        self.push(sort, Place::Group(group), Makes::Nothing, false, at);
    }

    /// Opens a brace at the token `at`.
    pub(super) fn open_brace(&mut self, place: Place, makes: Makes, ends_item: bool, at: usize) {
        self.push(Sort::Brace, place, makes, ends_item, at);
    }

    #[inline]
    fn push(&mut self, sort: Sort, place: Place, makes: Makes, ends_item: bool, at: usize) {
        let in_function =
            self.top.in_function || makes == Makes::Function || self.top.item.has(Item::EXPRESSION_BODY);
        let open = at as u32;
        let frame =
            Frame { place, makes, ends_item, sort, in_function, open, statements: 0, item: Item::NEW };
        self.outer.push(std::mem::replace(&mut self.top, frame));
        self.open[sort as usize] += 1;
    }

    /// Closes the bracket of this sort at the token `at`, and all that was left open inside it.
    ///
    /// A closing bracket without its opening one is left alone.
    #[inline]
    pub(super) fn close(&mut self, sort: Sort) -> Option<Frame> {
        if self.open[sort as usize] == 0 {
            self.doubt();
            return None;
        }
        while let Some(outer) = self.outer.pop() {
            let closed = std::mem::replace(&mut self.top, outer);
            self.open[closed.sort as usize] -= 1;
            if closed.sort == sort {
                return Some(closed);
            }
            self.doubt();
        }
        None
    }

    /// Makes the fragments that end with the brace of `closed` at the token `at`.
    pub(super) fn make(&mut self, closed: &Frame, at: usize) {
        let open = closed.open as usize;
        if closed.place == Place::Statements
            && closed.in_function
            && closed.statements >= MIN_BLOCK_STATEMENTS
        {
            self.fragments.push(finder::fragment(
                FragmentKind::Block,
                None,
                open,
                at,
                self.tokens,
                self.lines,
            ));
        }
        match closed.makes {
            Makes::Nothing => {}
            Makes::Class => self.make_item(FragmentKind::Class, at),
            Makes::Function => self.make_item(FragmentKind::Function, at),
        }
    }

    /// Makes a fragment of the innermost frame's item, which ends with the token `at`.
    pub(super) fn make_item(&mut self, kind: FragmentKind, at: usize) {
        let item = self.top.item;
        if item.first == NONE {
            return;
        }
        let mut made = finder::fragment(kind, None, item.first as usize, at, self.tokens, self.lines);
        if item.name != NONE {
            let (first, last) = (&self.tokens[item.name as usize], &self.tokens[item.name_end as usize]);
            made.name = Span::new(first.start, last.end);
        }
        self.fragments.push(made);
    }

    /// Ends the item and counts it.
    pub(super) fn end_item(&mut self) {
        self.top.statements += 1;
        self.drop_item();
    }

    /// Ends the item without counting it.
    pub(super) fn drop_item(&mut self) {
        self.top.item = Item::NEW;
    }

    /// How sure the finder is of what it found, at the end of the file.
    pub(super) fn confidence(&self) -> Confidence {
        if self.outer.is_empty() { self.confidence } else { Confidence::Unsure }
    }
}

/// What a token is to [`mark_lines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    OpenGroup,
    CloseGroup,
    OpenBrace,
    CloseBrace,
    Semicolon,
    /// A token that stands on a line of its own.
    Line,
    Other,
}

/// Sets [`Token::starts_line`] as a pretty printer would: after `;` outside parentheses, after `{`, before and after `}`.
pub(super) fn mark_lines(tokens: &mut [Token], mark: impl Fn(&Token) -> Mark) {
    let mut groups = 0u32;
    let mut outer = Vec::new();
    let mut starts = true;
    for token in tokens {
        let mark = mark(token);
        token.starts_line = starts || matches!(mark, Mark::CloseBrace | Mark::Line);
        starts = match mark {
            Mark::Semicolon => groups == 0,
            Mark::OpenBrace | Mark::CloseBrace | Mark::Line => true,
            _ => false,
        };
        match mark {
            Mark::OpenGroup => groups += 1,
            Mark::CloseGroup => groups = groups.saturating_sub(1),
            Mark::OpenBrace => outer.push(std::mem::take(&mut groups)),
            Mark::CloseBrace => groups = outer.pop().unwrap_or(0),
            _ => {}
        }
    }
}
