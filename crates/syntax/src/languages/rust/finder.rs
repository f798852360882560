//! Rust's fragments, from its tokens.
//!
//! One pass with a stack of open brackets. Items are recognised by their keyword, their signature is skipped in one
//! step, and what stands inside macro calls and attributes is no code to tree-sitter nor to us.

use familiar_source::{Fragment, FragmentKind, LineIndex, Token};

use super::lexer::Kind;
use crate::finder::{Bracket, Brackets, MIN_BLOCK_STATEMENTS, fragment};

/// What an open bracket is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A statement list.
    Block,
    /// The body of an item other than a function.
    Items,
    /// Anything else: parentheses, the arms of a `match`, a struct literal.
    Other,
}

/// What a statement needs to be complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    None,
    /// Its closing brace, unless a method call or `else` follows.
    Brace,
    Semicolon,
}

/// An open bracket.
struct Frame {
    sort: Sort,
    open: usize,
    statements: u32,
    statement: Statement,
    /// The fragment that ends with the bracket: its kind, first token and name.
    item: Option<(FragmentKind, usize, Option<usize>)>,
}

/// `if`, `while`, `for` or `match` whose brace has not come yet.
struct Header {
    depth: usize,
    sort: Sort,
    /// Between `let` and `=`, or `for` and `in`, braces belong to patterns.
    pattern: bool,
    /// A closure's result type: a comma or `=` outside angle brackets shows that it was none.
    result: bool,
    angle: u32,
}

struct Finder<'f> {
    tokens: &'f [Token],
    lines: &'f LineIndex,
    brackets: Brackets,
    fragments: &'f mut Vec<Fragment>,
    frames: Vec<Frame>,
    headers: Vec<Header>,
    functions: u32,
}

/// Appends the fragments of `tokens`; whether the brackets balance.
pub(super) fn find(tokens: &[Token], lines: &LineIndex, fragments: &mut Vec<Fragment>) -> bool {
    let brackets = Brackets::of(tokens, sort);
    let balanced = brackets.balanced();
    let (frames, headers) = (Vec::new(), Vec::new());
    let mut finder = Finder { tokens, lines, brackets, fragments, frames, headers, functions: 0 };
    let mut at = 0;
    while at < tokens.len() {
        at = if finder.passes(at) { at + 1 } else { finder.step(at) };
    }
    balanced
}

fn sort(token: &Token) -> Bracket {
    const OPEN: [u8; 3] = [Kind::OpenRound as u8, Kind::OpenSquare as u8, Kind::OpenBrace as u8];
    const CLOSE: [u8; 3] = [Kind::CloseRound as u8, Kind::CloseSquare as u8, Kind::CloseBrace as u8];
    if token.kind < OPEN[0] || token.kind > CLOSE[2] {
        return Bracket::No;
    }
    let at = (token.kind - OPEN[0]) / 2;
    if token.kind == OPEN[at as usize] { Bracket::Open(at) } else { Bracket::Close(at) }
}

impl Finder<'_> {
    fn is(&self, at: usize, kind: Kind) -> bool {
        self.tokens.get(at).is_some_and(|token| token.kind == kind as u8)
    }

    #[inline]
    fn is_any(&self, at: usize, kinds: &[Kind]) -> bool {
        self.tokens.get(at).is_some_and(|token| Kind::is_one(token.kind, kinds))
    }

    fn before(&self, at: usize, kinds: &[Kind]) -> bool {
        at > 0 && self.is_any(at - 1, kinds)
    }

    fn is_name(&self, at: usize) -> bool {
        self.is_any(at, &[Kind::Identifier, Kind::Type, Kind::Union, Kind::Default, Kind::Auto])
    }

    fn is_open(&self, at: usize) -> bool {
        self.is_any(at, &[Kind::OpenRound, Kind::OpenSquare, Kind::OpenBrace])
    }

    /// Whether the token at `at` changes nothing, as most do.
    #[inline]
    fn passes(&self, at: usize) -> bool {
        use Kind::{
            Char, Colon, Dot, Identifier, Lifetime, Number, Operand, Operator, Path, Question, Range, Star,
        };
        const QUIET: &[Kind] = &[Char, Colon, Dot, Identifier, Lifetime, Number, Operand, Operator];
        const QUIET_TOO: &[Kind] = &[Path, Question, Range, Star, Kind::String, Kind::Type];
        let kind = self.tokens[at].kind;
        (Kind::is_one(kind, QUIET) || Kind::is_one(kind, QUIET_TOO))
            && self
                .frames
                .last()
                .is_none_or(|frame| frame.sort != Sort::Block || frame.statement != Statement::None)
    }

    /// Takes in the token at `at`; the position to go on from.
    fn step(&mut self, at: usize) -> usize {
        let kind = self.tokens[at].kind;
        if kind == Kind::Hash as u8
            && let Some(end) = self.attribute(at)
        {
            return end;
        }
        self.begin_statement(at);
        if kind == Kind::Bang as u8
            && at > 0
            && let Some(end) = self.macro_call(at - 1)
        {
            self.end_braced(end - 1);
            return end;
        }
        match kind {
            k if k == Kind::Fn as u8 => return self.function(at),
            k if k == Kind::OpenBrace as u8 => self.open_brace(at),
            k if k == Kind::OpenRound as u8 || k == Kind::OpenSquare as u8 => {
                self.open(at, Sort::Other, None);
            }
            k if Kind::is_one(k, &[Kind::CloseRound, Kind::CloseSquare, Kind::CloseBrace]) => self.close(at),
            k if k >= Kind::Impl as u8 && k <= Kind::Union as u8 => return self.item(at),
            _ => self.word(at, kind),
        }
        at + 1
    }

    /// The position after the attribute at `at`.
    fn attribute(&self, at: usize) -> Option<usize> {
        let open = if self.is(at + 1, Kind::Bang) { at + 2 } else { at + 1 };
        (self.is(open, Kind::OpenSquare) && self.brackets.partner(open).is_some())
            .then(|| self.brackets.after(open))
    }

    /// The position after the macro call whose last name is at `at`: `a!(…)`, `macro_rules! a { … }`.
    fn macro_call(&self, at: usize) -> Option<usize> {
        if !self.is(at + 1, Kind::Bang) || !(self.is_name(at) || self.is(at, Kind::Word)) {
            return None;
        }
        let open = if self.is_name(at + 2) { at + 3 } else { at + 2 };
        (self.is_open(open) && self.brackets.partner(open).is_some()).then(|| self.brackets.after(open))
    }

    fn function(&mut self, at: usize) -> usize {
        let name = at + 1;
        if !self.is_name(name) {
            return at + 1;
        }
        let Some(body) = self.body(name + 1) else { return name + 1 };
        let first = self.first_of_item(at);
        self.functions += 1;
        self.open(body, Sort::Block, Some((FragmentKind::Function, first, Some(name))));
        body + 1
    }

    fn item(&mut self, at: usize) -> usize {
        let implementation = self.is(at, Kind::Impl);
        if !implementation && !self.is_name(at + 1) {
            return at + 1;
        }
        if implementation && !self.opens_item(at) {
            return at + 1;
        }
        if self.is(at, Kind::Union) && !self.is_any(at + 2, &[Kind::OpenBrace, Kind::Less, Kind::Where]) {
            return at + 1;
        }
        let first = self.first_of_item(at);
        if self.is(at, Kind::Struct)
            && let Some(end) = self.tuple_struct(at)
        {
            let found = fragment(FragmentKind::Class, Some(at + 1), first, end, self.tokens, self.lines);
            self.fragments.push(found);
            return at + 2;
        }
        let Some(body) = self.body(at + 1) else { return at + 1 };
        let name = if implementation { self.implemented(at + 1, body) } else { Some(at + 1) };
        self.open(body, Sort::Items, Some((FragmentKind::Class, first, name)));
        body + 1
    }

    /// Whether an item may begin at `at`, so that `impl` there is no type.
    fn opens_item(&self, at: usize) -> bool {
        use Kind::{CloseBrace, CloseSquare, Default, OpenBrace, Semicolon, Unsafe};
        at == 0
            || self.before(at, &[CloseBrace, CloseSquare, Default, OpenBrace, Semicolon, Unsafe])
            || self.macro_before(at)
    }

    /// Whether a macro call without a semicolon ends right before `at`.
    fn macro_before(&self, at: usize) -> bool {
        let Some(open) = at.checked_sub(1).and_then(|end| self.brackets.partner(end)) else { return false };
        self.before(open, &[Kind::Bang])
    }

    /// The first token of the item whose keyword is at `at`: before it stand visibility and modifiers.
    fn first_of_item(&self, at: usize) -> usize {
        use Kind::{Async, Auto, CloseRound, Const, Default, Extern, Pub, String, Unsafe};
        let mut first = at;
        loop {
            if self.before(first, &[Const, Async, Unsafe, Default, Extern, Auto]) {
                first -= 1;
            } else if self.before(first, &[String]) && self.before(first - 1, &[Extern]) {
                first -= 2;
            } else {
                break;
            }
        }
        if self.before(first, &[Pub]) {
            return first - 1;
        }
        if self.before(first, &[CloseRound])
            && let Some(open) = self.brackets.partner(first - 1)
            && self.before(open, &[Pub])
        {
            return open - 1;
        }
        first
    }

    /// The brace of the item whose signature goes on at `from`; `None` where it has no body.
    fn body(&self, from: usize) -> Option<usize> {
        use Kind::{Enum, If, In, Let, Loop, Match, Mod, Struct, Trait, Use, While};
        let mut angle = 0_u32;
        let mut at = from;
        while at < self.tokens.len() {
            if self.is(at, Kind::OpenBrace) && angle == 0 {
                return self.brackets.partner(at).map(|_| at);
            } else if self.is_open(at) {
                at = self.brackets.partner(at).filter(|&close| close > at)?;
            } else if self.is(at, Kind::Less) {
                angle += 1;
            } else if self.is_any(at, &[Kind::Greater, Kind::GreaterEqual]) {
                angle = angle.saturating_sub(1);
            } else if self
                .is_any(at, &[Kind::Semicolon, Kind::CloseBrace, Kind::CloseRound, Kind::CloseSquare])
                || self.is_any(at, &[Enum, If, In, Let, Loop, Match, Mod, Struct, Trait, While])
                || self.is(at, Use) && !self.is(at + 1, Kind::Less)
                || self.is_any(at, &[Kind::Fn, Kind::Union]) && self.is_name(at + 1)
                || self.is(at, Kind::Impl) && self.opens_item(at)
            {
                return None;
            }
            at += 1;
        }
        None
    }

    /// The semicolon that ends the tuple struct whose keyword is at `at`.
    fn tuple_struct(&self, at: usize) -> Option<usize> {
        let mut angle = 0_u32;
        let mut fields = false;
        let mut at = at + 2;
        while at < self.tokens.len() {
            let closes = self.is_any(at, &[Kind::CloseBrace, Kind::CloseRound, Kind::CloseSquare]);
            if closes || self.is(at, Kind::OpenBrace) && angle == 0 || self.is(at, Kind::Struct) {
                return None;
            } else if self.is_open(at) {
                fields |= angle == 0 && self.is(at, Kind::OpenRound);
                at = self.brackets.partner(at).filter(|&close| close > at)?;
            } else if self.is(at, Kind::Less) {
                angle += 1;
            } else if self.is_any(at, &[Kind::Greater, Kind::GreaterEqual]) {
                angle = angle.saturating_sub(1);
            } else if self.is(at, Kind::Semicolon) {
                return fields.then_some(at);
            }
            at += 1;
        }
        None
    }

    /// The last name of the type that an `impl` is for.
    fn implemented(&self, from: usize, body: usize) -> Option<usize> {
        let (mut angle, mut name, mut at) = (0_u32, None, from);
        while at < body {
            if self.is(at, Kind::Less) {
                angle += 1;
            } else if self.is_any(at, &[Kind::Greater, Kind::GreaterEqual]) {
                angle = angle.saturating_sub(1);
            } else if angle == 0 && self.is(at, Kind::Where) {
                break;
            } else if angle == 0 && self.is_name(at) {
                name = Some(at);
            }
            at += 1;
        }
        name
    }

    fn open(&mut self, at: usize, sort: Sort, item: Option<(FragmentKind, usize, Option<usize>)>) {
        // A bracket without a partner would swallow what follows; the file is unsure of itself anyway.
        if self.brackets.partner(at).is_some() {
            self.frames.push(Frame { sort, open: at, statements: 0, statement: Statement::None, item });
        }
    }

    fn open_brace(&mut self, at: usize) {
        let sort = self.brace_sort(at);
        self.open(at, sort, None);
    }

    /// What the brace at `at` opens, which takes the header that it is the body of.
    fn brace_sort(&mut self, at: usize) -> Sort {
        use Kind::{Colon, Lifetime, Path};
        let operand = self.ends_operand(at);
        let depth = self.frames.len();
        if let Some(header) = self.headers.last().filter(|header| header.depth == depth) {
            if header.pattern {
                return Sort::Other;
            }
            if operand {
                let sort = header.sort;
                self.headers.pop();
                return sort;
            }
        }
        if self.before(at, &[Colon]) && self.before(at - 1, &[Lifetime]) {
            return Sort::Block;
        }
        let first = self
            .frames
            .last()
            .is_some_and(|frame| frame.sort == Sort::Block && self.statement_begins(frame, at));
        if first || !operand && !self.before(at, &[Path]) { Sort::Block } else { Sort::Other }
    }

    fn statement_begins(&self, frame: &Frame, at: usize) -> bool {
        frame.statement == Statement::Brace
            && (frame.open + 1 == at
                || self.before(at, &[Kind::Semicolon, Kind::CloseBrace, Kind::CloseSquare]))
    }

    /// Whether an operand may end right before `at`: a brace there opens a body or a struct literal.
    fn ends_operand(&self, at: usize) -> bool {
        use Kind::{
            Bang, Char, CloseBrace, CloseRound, CloseSquare, Greater, Lifetime, Number, Operand, Question,
        };
        at > 0
            && (self.is_name(at - 1)
                || self.before(at, &[Bang, Char, CloseBrace, CloseRound, CloseSquare, Greater, Lifetime])
                || self.before(at, &[Number, Operand, Question, Kind::Range, Kind::String, Kind::Crate]))
    }

    fn close(&mut self, at: usize) {
        if self.brackets.partner(at).is_none() {
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        let depth = self.frames.len();
        while self.headers.last().is_some_and(|header| header.depth > depth) {
            self.headers.pop();
        }
        if frame.sort == Sort::Block && self.functions > 0 && frame.statements >= MIN_BLOCK_STATEMENTS {
            let found = fragment(FragmentKind::Block, None, frame.open, at, self.tokens, self.lines);
            self.fragments.push(found);
        }
        if let Some((kind, first, name)) = frame.item {
            self.functions -= u32::from(kind == FragmentKind::Function);
            self.fragments.push(fragment(kind, name, first, at, self.tokens, self.lines));
        }
        self.end_braced(at);
    }

    /// Ends the statement that the bracket at `close` may complete.
    fn end_braced(&mut self, close: usize) {
        if !self.is(close, Kind::CloseBrace) {
            return;
        }
        let goes_on = self.is_any(close + 1, &[Kind::Else, Kind::Dot, Kind::Question]);
        let depth = self.frames.len();
        let in_header = self.headers.last().is_some_and(|header| header.depth == depth);
        let Some(frame) = self.frames.last_mut() else { return };
        if frame.statement == Statement::Brace && !in_header {
            if !goes_on {
                frame.statement = Statement::None;
            } else if !self.is(close + 1, Kind::Else) {
                self.set_statement(Statement::Semicolon);
            }
        }
    }

    fn set_statement(&mut self, statement: Statement) {
        if let Some(frame) = self.frames.last_mut() {
            frame.statement = statement;
        }
    }

    /// Counts the statement that begins at `at`, if one does.
    fn begin_statement(&mut self, at: usize) {
        let Some(frame) = self.frames.last() else { return };
        if frame.sort != Sort::Block || frame.statement != Statement::None {
            return;
        }
        if self.is_any(at, &[Kind::CloseBrace, Kind::Semicolon]) {
            return;
        }
        let statement = if self.ends_with_brace(at) { Statement::Brace } else { Statement::Semicolon };
        if let Some(frame) = self.frames.last_mut() {
            frame.statements += 1;
            frame.statement = statement;
        }
    }

    /// Whether the statement that begins at `at` is complete with a closing brace.
    fn ends_with_brace(&self, at: usize) -> bool {
        use Kind::{
            Async, Enum, Extern, Fn, For, If, Impl, Loop, Match, Mod, Pub, Struct, Trait, Unsafe, While,
        };
        if self.is_any(at, &[Async, Enum, Extern, Fn, For, If, Impl, Loop, Match, Mod, Pub, Struct, Trait]) {
            return true;
        }
        if self.is_any(at, &[Kind::OpenBrace, Unsafe, While]) {
            return true;
        }
        if self.is(at, Kind::Lifetime) {
            return true;
        }
        if self.is(at, Kind::Const) {
            return self.is_any(at + 1, &[Fn, Unsafe, Async, Extern, Kind::OpenBrace]);
        }
        self.macro_path(at)
    }

    /// Whether a call of a macro with braces begins at `at`.
    fn macro_path(&self, at: usize) -> bool {
        let mut at = at;
        while self.is(at + 1, Kind::Path) {
            at += 2;
        }
        self.macro_call(at).is_some_and(|end| self.is(end - 1, Kind::CloseBrace))
    }

    /// What is left: keywords that announce a brace, and what ends a statement or a header.
    fn word(&mut self, at: usize, kind: u8) {
        let depth = self.frames.len();
        if kind == Kind::Semicolon as u8 {
            self.drop_headers(depth);
            self.set_statement(Statement::None);
        } else if kind == Kind::FatArrow as u8 {
            self.drop_headers(depth);
        } else if kind == Kind::Arrow as u8 {
            self.headers.push(Header { depth, sort: Sort::Block, pattern: false, result: true, angle: 0 });
        } else if kind == Kind::If as u8 || kind == Kind::While as u8 || kind == Kind::Match as u8 {
            let sort = if kind == Kind::Match as u8 { Sort::Other } else { Sort::Block };
            self.headers.push(Header { depth, sort, pattern: false, result: false, angle: 0 });
        } else if kind == Kind::For as u8 && !self.is(at + 1, Kind::Less) {
            self.headers.push(Header { depth, sort: Sort::Block, pattern: true, result: false, angle: 0 });
        } else if let Some(header) = self.headers.last_mut().filter(|header| header.depth == depth) {
            match kind {
                k if k == Kind::Less as u8 => header.angle += 1,
                k if k == Kind::Greater as u8 => header.angle = header.angle.saturating_sub(1),
                k if header.result
                    && header.angle == 0
                    && (k == Kind::Equal as u8 || k == Kind::Comma as u8) =>
                {
                    self.headers.pop();
                }
                k if k == Kind::Let as u8 => header.pattern = true,
                k if k == Kind::Equal as u8 || k == Kind::In as u8 => header.pattern = false,
                _ => {}
            }
        }
    }

    fn drop_headers(&mut self, depth: usize) {
        while self.headers.last().is_some_and(|header| header.depth >= depth) {
            self.headers.pop();
        }
    }
}
