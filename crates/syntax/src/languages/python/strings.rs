//! Where a Python string ends: plain ones, triple ones, and f-strings with strings of their own inside.

use logos::{Lexer, Logos};
use memchr::memchr2;

/// Deepest nesting of replacement fields and strings that an f-string is read with.
const MAX_DEPTH: usize = 64;

/// Bounds the work on f-strings that turn out to have no end.
#[derive(Debug, Default)]
pub(super) struct Budget {
    /// Bytes read in vain.
    wasted: usize,
    /// Whether some string had no end.
    pub(super) unterminated: bool,
}

/// Moves `lex` from after the opening quote to after the closing one.
pub(super) fn plain<'s, K: Logos<'s, Source = [u8], Extras = Budget>>(lex: &mut Lexer<'s, K>) {
    let rest = lex.remainder();
    let quote = opening_quote(lex.slice());
    let (length, closed) = match rest {
        [first, second, tail @ ..] if *first == quote && *second == quote => {
            let (length, closed) = triple_end(tail, quote);
            (length + 2, closed)
        }
        _ => single_end(rest, quote),
    };
    lex.extras.unterminated |= !closed;
    lex.bump(length);
}

/// The same for an f-string: quotes inside its replacement fields do not end it.
pub(super) fn formatted<'s, K: Logos<'s, Source = [u8], Extras = Budget>>(lex: &mut Lexer<'s, K>) {
    let rest = lex.remainder();
    let quote = opening_quote(lex.slice());
    // Twice the file is the most that strings without an end may cost.
    if lex.extras.wasted <= lex.span().end + rest.len() {
        match formatted_end(rest, quote) {
            Ok(length) => return lex.bump(length),
            Err(wasted) => lex.extras.wasted += wasted,
        }
    }
    plain(lex);
}

fn opening_quote(opening: &[u8]) -> u8 {
    opening.last().copied().unwrap_or(b'"')
}

/// Length up to and with the closing quote, or up to the line's end.
fn single_end(rest: &[u8], quote: u8) -> (usize, bool) {
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        if byte == quote {
            return (at + 1, true);
        }
        match byte {
            b'\\' => at += escape_length(&rest[at..]),
            b'\n' | b'\r' => return (at, false),
            _ => at += 1,
        }
    }
    (rest.len(), false)
}

fn triple_end(rest: &[u8], quote: u8) -> (usize, bool) {
    let mut at = 0;
    while let Some(found) = memchr2(quote, b'\\', &rest[at..]) {
        at += found;
        if rest[at] == b'\\' {
            at = (at + 2).min(rest.len());
        } else if rest[at..].starts_with(&[quote; 3]) {
            return (at + 3, true);
        } else {
            at += 1;
        }
    }
    (rest.len(), false)
}

/// Length of the backslash at the start of `rest` with what it escapes.
fn escape_length(rest: &[u8]) -> usize {
    if rest.starts_with(b"\\\r\n") { 3 } else { rest.len().min(2) }
}

/// What stands around a byte of an f-string.
#[derive(Clone, Copy)]
enum Frame {
    /// The text of a string.
    Text { quote: u8, triple: bool, formatted: bool },
    /// The expression of a replacement field, with its open brackets.
    Field { open: u32 },
    /// The format specification after a field's colon.
    Spec,
}

/// The frames around a byte, at most [`MAX_DEPTH`] of them.
struct Frames {
    list: [Frame; MAX_DEPTH],
    depth: usize,
}

impl Frames {
    /// False where it is too deep.
    fn push(&mut self, frame: Frame) -> bool {
        let fits = self.depth < MAX_DEPTH;
        if fits {
            self.list[self.depth] = frame;
            self.depth += 1;
        }
        fits
    }
}

/// Length of the f-string after its opening quote, or how many bytes were read before there was no sense in it.
fn formatted_end(rest: &[u8], quote: u8) -> Result<usize, usize> {
    let mut frames = Frames { list: [Frame::Spec; MAX_DEPTH], depth: 0 };
    let triple = rest.starts_with(&[quote; 2]);
    let mut at = if triple { 2 } else { 0 };
    frames.push(Frame::Text { quote, triple, formatted: true });
    while frames.depth > 0 {
        at = step(rest, at, &mut frames).ok_or(at + 1)?;
    }
    Ok(at)
}

/// Reads on from `at`; `None` where the string cannot go on.
fn step(rest: &[u8], at: usize, frames: &mut Frames) -> Option<usize> {
    let top = frames.depth - 1;
    match frames.list[top] {
        Frame::Text { quote, triple, formatted } => text_step(rest, at, (quote, triple, formatted), frames),
        Frame::Field { open } => field_step(rest, at, open, frames),
        Frame::Spec => match *rest.get(at)? {
            b'{' => frames.push(Frame::Field { open: 0 }).then_some(at + 1),
            b'}' => {
                // The specification and its field.
                frames.depth -= 2;
                Some(at + 1)
            }
            // In the text of a string over several lines, a specification may break lines too.
            b'\n' | b'\r' | b'"' | b'\'' if !in_triple(frames) => None,
            _ => Some(at + 1),
        },
    }
}

fn in_triple(frames: &Frames) -> bool {
    let text = frames.list[..frames.depth].iter().rev().find_map(|frame| match frame {
        Frame::Text { triple, .. } => Some(*triple),
        _ => None,
    });
    text.unwrap_or(false)
}

fn text_step(
    rest: &[u8],
    at: usize,
    (quote, triple, formatted): (u8, bool, bool),
    frames: &mut Frames,
) -> Option<usize> {
    let byte = *rest.get(at)?;
    match byte {
        b'\\' if formatted && matches!(rest.get(at + 1), Some(b'{' | b'}')) => Some(at + 1),
        b'\\' => Some(at + escape_length(&rest[at..])),
        b'{' if formatted && rest.get(at + 1) == Some(&b'{') => Some(at + 2),
        b'{' if formatted => frames.push(Frame::Field { open: 0 }).then_some(at + 1),
        b'\n' | b'\r' if !triple => None,
        _ if byte != quote => Some(at + 1),
        _ if !triple => {
            frames.depth -= 1;
            Some(at + 1)
        }
        _ if rest[at..].starts_with(&[quote; 3]) => {
            frames.depth -= 1;
            Some(at + 3)
        }
        _ => Some(at + 1),
    }
}

fn field_step(rest: &[u8], at: usize, open: u32, frames: &mut Frames) -> Option<usize> {
    let top = frames.depth - 1;
    match *rest.get(at)? {
        b'(' | b'[' | b'{' => frames.list[top] = Frame::Field { open: open + 1 },
        b')' | b']' => frames.list[top] = Frame::Field { open: open.saturating_sub(1) },
        b'}' if open > 0 => frames.list[top] = Frame::Field { open: open - 1 },
        b'}' => frames.depth -= 1,
        b':' if open == 0 => return frames.push(Frame::Spec).then_some(at + 1),
        b'#' => return memchr2(b'\n', b'\r', &rest[at..]).map(|found| at + found),
        quote @ (b'"' | b'\'') => return nested_string(rest, at, quote, frames),
        b'\\' => return Some(at + escape_length(&rest[at..])),
        _ => {}
    }
    Some(at + 1)
}

/// Opens the string whose quote stands at `at`, inside a field.
fn nested_string(rest: &[u8], at: usize, quote: u8, frames: &mut Frames) -> Option<usize> {
    let word = rest[..at].iter().rev().take(2).take_while(|byte| byte.is_ascii_alphabetic());
    let formatted = word.into_iter().any(|byte| matches!(byte, b'f' | b'F' | b't' | b'T'));
    let triple = rest[at..].starts_with(&[quote; 3]);
    let length = if triple { 3 } else { 1 };
    frames.push(Frame::Text { quote, triple, formatted }).then_some(at + length)
}
