//! The fragment finder that C and C++ share: one pass over the tokens with a stack of open brackets, no recursion.

use familiar_source::FragmentKind;

use super::branches::Code;
use super::header::Header;
use super::lexer::Directive;
use super::scopes::{Finder, Frame, Scope, Then};
use crate::finder::MIN_BLOCK_STATEMENTS;
use crate::{Confidence, Output};

/// Appends the fragments of `out.tokens` to `out.fragments`.
pub(in crate::languages) fn find<const CPP: bool>(
    source: &[u8],
    directives: &[Directive],
    out: &mut Output,
) -> Confidence {
    let code = Code::new(&out.tokens, directives);
    let mut finder = Finder::<CPP> {
        source,
        code: &code,
        all: &out.tokens,
        lines: &out.lines,
        fragments: &mut out.fragments,
        frames: Vec::new(),
        next_brace: 0,
        sure: code.balanced,
    };
    finder.run();
    if finder.sure { Confidence::Sure } else { Confidence::Unsure }
}

impl<const CPP: bool> Finder<'_, CPP> {
    fn run(&mut self) {
        let end = self.code.tokens.len();
        let file = Scope::Declarations(Header::at(0));
        self.frames.push(Frame { scope: file, open: 0, close: end, then: Then::Next, in_function: false });
        let mut at = 0;
        while let Some(frame) = self.frames.last_mut() {
            if at >= frame.close {
                at = self.close();
                continue;
            }
            at = match &mut frame.scope {
                Scope::Declarations(_) | Scope::Members(_) => self.declaration(at),
                Scope::Body(_) => self.statement(at),
                Scope::Group | Scope::Values => self.expression(at),
            };
        }
    }

    /// Leaves the innermost bracket; gives the position after it.
    fn close(&mut self) -> usize {
        let frame = self.frames.pop().expect("called with an open frame");
        if let Scope::Body(statements) = frame.scope
            && frame.in_function
            && statements.count >= MIN_BLOCK_STATEMENTS
        {
            self.emit(FragmentKind::Block, None, frame.open, frame.close);
        }
        let next = frame.close + 1;
        if let Some(outer) = self.frames.last_mut() {
            match &mut outer.scope {
                Scope::Declarations(header) | Scope::Members(header) if frame.then == Then::Next => {
                    *header = Header::at(next);
                }
                Scope::Declarations(header) | Scope::Members(header) => {
                    // `struct { … } f(…) { … }`: the class was the type of something.
                    *header = Header::at(header.start);
                }
                Scope::Body(statements) => statements.closed(frame.then),
                Scope::Group | Scope::Values => {}
            }
        }
        next
    }
}
