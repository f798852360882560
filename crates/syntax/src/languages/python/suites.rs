//! Classes, functions and blocks out of logical lines and their indentation.

use familiar_source::{Fragment, FragmentKind, LineIndex, Token};

use super::lexer::Kind;
use super::reader::Line;
use crate::finder::{self, MIN_BLOCK_STATEMENTS, NONE};

/// What a suite belongs to.
#[derive(Clone, Copy, Debug)]
struct Declaration {
    /// Class or function; `None` for any other statement.
    kind: Option<FragmentKind>,
    /// Position of `class`, `def` or the `async` before it.
    first: usize,
    /// Position of the name.
    name: usize,
}

/// An indented suite that has not ended yet.
#[derive(Debug)]
struct Suite {
    declaration: Declaration,
    first: usize,
    indent: u32,
    statements: u32,
}

/// Appends the fragments of `lines`; false where the indentation makes no sense.
pub(super) fn find(lines: &[Line], tokens: &[Token], index: &LineIndex, out: &mut Vec<Fragment>) -> bool {
    let mut finder = Finder { tokens, index, out, open: Vec::new(), functions: 0, sound: true };
    let mut header: Option<(Declaration, u32)> = None;
    for (at, line) in lines.iter().enumerate() {
        let end = lines.get(at + 1).map_or(tokens.len(), |next| next.first as usize);
        finder.enter(header.take(), line);
        header = finder.statement(line, end);
    }
    if let Some((declaration, _)) = header {
        finder.bodiless(declaration, tokens.len());
    }
    finder.leave(0, tokens.len(), true);
    finder.sound
}

struct Finder<'a> {
    tokens: &'a [Token],
    index: &'a LineIndex,
    out: &'a mut Vec<Fragment>,
    open: Vec<Suite>,
    /// Open suites that belong to functions.
    functions: u32,
    sound: bool,
}

impl Finder<'_> {
    /// Opens the suite of the header above `line`, or closes those that end before it.
    fn enter(&mut self, header: Option<(Declaration, u32)>, line: &Line) {
        let first = line.first as usize;
        match header {
            Some((declaration, indent)) if line.indent > indent => {
                self.functions += u32::from(declaration.kind == Some(FragmentKind::Function));
                self.open.push(Suite { declaration, first, indent: line.indent, statements: 0 });
                return;
            }
            Some((declaration, _)) => self.bodiless(declaration, first),
            None => {}
        }
        self.leave(line.indent, first, false);
        let around = self.open.last().map_or(0, |suite| suite.indent);
        self.sound &= line.indent == around;
    }

    /// Closes the suites that are indented deeper than `indent`, before the token `end`.
    fn leave(&mut self, indent: u32, end: usize, all: bool) {
        while self.open.last().is_some_and(|suite| all || suite.indent > indent) {
            if let Some(suite) = self.open.pop() {
                self.close(suite.declaration, suite.first, suite.statements, end);
                self.functions -= u32::from(suite.declaration.kind == Some(FragmentKind::Function));
            }
        }
    }

    /// Takes one logical line, which ends before `end`; gives the header of a suite that follows, with its column.
    fn statement(&mut self, line: &Line, end: usize) -> Option<(Declaration, u32)> {
        let first = line.first as usize;
        let starts_with = |kind: Kind| self.tokens[first].kind == kind as u8;
        let decorator = starts_with(Kind::At);
        let counted =
            if line.colon == NONE { line.statements } else { u32::from(!starts_with(Kind::Clause)) };
        if let Some(suite) = self.open.last_mut().filter(|_| !decorator) {
            suite.statements += counted;
        }
        if line.colon == NONE {
            return None;
        }
        let declaration = self.declaration(first);
        let body = line.colon as usize + 1;
        if body == end {
            return Some((declaration, line.indent));
        }
        let function = u32::from(declaration.kind == Some(FragmentKind::Function));
        self.functions += function;
        self.close(declaration, body, line.statements, end);
        self.functions -= function;
        None
    }

    fn declaration(&self, first: usize) -> Declaration {
        let is = |at: usize, kind: Kind| self.tokens.get(at).is_some_and(|token| token.kind == kind as u8);
        let word = if is(first, Kind::Async) { first + 1 } else { first };
        let kind = if is(word, Kind::Def) {
            Some(FragmentKind::Function)
        } else if is(first, Kind::Class) {
            Some(FragmentKind::Class)
        } else {
            None
        };
        Declaration { kind, first, name: word + 1 }
    }

    /// Adds what ends with the suite `first..end`: its block and the class or function that it belongs to.
    fn close(&mut self, declaration: Declaration, first: usize, statements: u32, end: usize) {
        if statements >= MIN_BLOCK_STATEMENTS && self.functions > 0 {
            self.add(FragmentKind::Block, None, first, end);
        }
        if let Some(kind) = declaration.kind {
            self.add(kind, Some(declaration.name), declaration.first, end);
        }
    }

    /// A header without a suite: broken, but the header is still something.
    fn bodiless(&mut self, declaration: Declaration, end: usize) {
        self.sound = false;
        if let Some(kind) = declaration.kind {
            self.add(kind, Some(declaration.name), declaration.first, end);
        }
    }

    fn add(&mut self, kind: FragmentKind, name: Option<usize>, first: usize, end: usize) {
        self.out.push(finder::fragment(kind, name, first, end - 1, self.tokens, self.index));
    }
}
