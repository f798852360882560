//! Jupyter notebooks (nbformat 3 and 4): where the code of their cells stands, and which lines it has.
//!
//! A notebook's lines are those of its file where each line of code has one of its own there, as Jupyter writes it. Other
//! programs keep a cell, or the whole notebook, on one line; [`spread`] then breaks the text before each line of code.

use familiar_source::Span;
use memchr::memmem;

/// The code of a notebook's cells, all else blanked out: as long as the file, with the same lines.
pub(crate) fn code(source: &[u8]) -> Vec<u8> {
    let mut code = vec![b' '; source.len()];
    for (at, byte) in source.iter().enumerate().filter(|(_, byte)| matches!(byte, b'\n' | b'\r')) {
        code[at] = *byte;
    }
    cells(source, |strings| {
        for (at, &text) in strings.iter().enumerate() {
            unescape(source, text, &mut code);
            // The last string of a cell ends without a line end.
            if let Some(quote) = code.get_mut(text.end as usize) {
                *quote = if at + 1 == strings.len() { b'\n' } else { b' ' };
            }
        }
    });
    code
}

/// The text of a notebook with a line for each line of code; `None` for what is none, or has them already.
pub(crate) fn spread(source: &[u8]) -> Option<Vec<u8>> {
    let may_be = source.trim_ascii_start().starts_with(b"{")
        && memmem::find(source, b"\"cell_type\"").is_some()
        && memmem::find(source, b"\"nbformat\"").is_some();
    if !may_be {
        return None;
    }
    let mut breaks = Vec::new();
    cells(source, |strings| add_breaks(source, strings, &mut breaks));
    let mut text = Vec::with_capacity(source.len() + breaks.len());
    let mut done = 0;
    for &at in &breaks {
        text.extend_from_slice(&source[done..at]);
        text.push(b'\n');
        done = at;
    }
    text.extend_from_slice(&source[done..]);
    (!breaks.is_empty()).then_some(text)
}

/// Appends where the lines of a cell start, unless each stands on a line of its own already.
fn add_breaks(source: &[u8], strings: &[Span], breaks: &mut Vec<usize>) {
    let before = breaks.len();
    let (mut starts, mut shared) = (true, false);
    let mut last_end = None;
    for text in strings {
        let (mut at, end) = (text.start as usize, text.end as usize);
        if starts && at < end {
            if source[at] != b'\n' {
                shared |= last_end.is_some_and(|last| !source[last..at].contains(&b'\n'));
                breaks.push(at);
            }
            starts = false;
        }
        while let Some(found) = memchr::memchr(b'\\', &source[at..end]) {
            at = end.min(at + found + 2);
            let line_ends = source[at - 1] == b'n';
            if line_ends && at < end && source[at] != b'\n' {
                shared = true;
                breaks.push(at);
            }
            starts = line_ends && at == end;
        }
        last_end = Some(end);
    }
    if !shared {
        breaks.truncate(before);
    }
}

/// Calls `visit` with the strings that are the source of each code cell, in order.
fn cells(source: &[u8], mut visit: impl FnMut(&[Span])) {
    let mut scan = Json { source, at: 0 };
    let mut in_code_cell = false;
    let mut key: &[u8] = b"";
    let mut strings = Vec::new();
    while let Some(text) = scan.next_string() {
        if scan.skip_colon() {
            key = &source[text.range()];
            if matches!(key, b"source" | b"input") && in_code_cell {
                strings.clear();
                scan.strings(&mut strings);
                visit(&strings);
            }
        } else if key == b"cell_type" {
            in_code_cell = &source[text.range()] == b"code";
        }
    }
}

/// Writes the string at `text` to the same place of `code`, line by line: what escapes save is blank at each line's end,
/// so that indentation and everything that is written together stay what they are.
fn unescape(source: &[u8], text: Span, code: &mut [u8]) {
    let (mut at, end) = (text.start as usize, text.end as usize);
    let mut to = at;
    while at < end {
        if source[at] == b'\n' {
            pad(code, &mut to, at);
            put(code, b"\n", &mut to);
            at += 1;
            continue;
        }
        if source[at] != b'\\' || at + 1 >= end {
            put(code, &source[at..=at], &mut to);
            at += 1;
            continue;
        }
        match source[at + 1] {
            // A line end that the text spells out stands for the one before it.
            b'n' if at + 2 < end && source[at + 2] == b'\n' => {}
            b'n' => {
                pad(code, &mut to, at + 1);
                put(code, b"\n", &mut to);
            }
            b't' => put(code, b"\t", &mut to),
            b'r' | b'b' | b'f' => {}
            b'u' if at + 6 <= end => {
                let digits = std::str::from_utf8(&source[at + 2..at + 6]).ok();
                let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                // Halves of surrogate pairs are no characters of their own; code has them in strings only.
                let c = number.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                put(code, c.encode_utf8(&mut [0; 4]).as_bytes(), &mut to);
                at += 4;
            }
            other => put(code, &[other], &mut to),
        }
        at += 2;
    }
    pad(code, &mut to, end);
}

fn put(code: &mut [u8], bytes: &[u8], to: &mut usize) {
    code[*to..*to + bytes.len()].copy_from_slice(bytes);
    *to += bytes.len();
}

fn pad(code: &mut [u8], to: &mut usize, end: usize) {
    if *to < end {
        code[*to..end].fill(b' ');
        *to = end;
    }
}

/// Walks the strings of a JSON text; never fails, whatever the text.
struct Json<'s> {
    source: &'s [u8],
    at: usize,
}

impl Json<'_> {
    /// The next string's content, without its quotes.
    fn next_string(&mut self) -> Option<Span> {
        let start = self.at + memchr::memchr(b'"', self.source.get(self.at..)?)? + 1;
        let mut end = start;
        loop {
            end += memchr::memchr2(b'"', b'\\', self.source.get(end..)?)?;
            if self.source[end] == b'"' {
                break;
            }
            end += 2;
        }
        self.at = end + 1;
        Some(Span::new(start as u32, end as u32))
    }

    /// Appends the string, or the strings of the list, that follows.
    fn strings(&mut self, strings: &mut Vec<Span>) {
        let list = self.skip_white() == Some(b'[');
        loop {
            match self.skip_white() {
                Some(b'[' | b',') => self.at += 1,
                Some(b'"') => {
                    let Some(text) = self.next_string() else { return };
                    strings.push(text);
                    if !list {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    fn skip_white(&mut self) -> Option<u8> {
        while self.source.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        self.source.get(self.at).copied()
    }

    fn skip_colon(&mut self) -> bool {
        let colon = self.skip_white() == Some(b':');
        self.at += usize::from(colon);
        colon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRETTY: &[u8] = br#"{"cells": [
 {"cell_type": "markdown", "source": ["no\n", "no"]},
 {"cell_type": "code", "metadata": {"source": 1}, "source": [
  "def f():\n",
  "  return \"a\""
 ]}], "nbformat": 4}"#;
    const ON_ONE_LINE: &[u8] = br#"{"nbformat":4,"cells":[{"cell_type":"code","source":["def f():\n","  return \"a\""]},{"cell_type":"code","source":"if x:\n  y\n"}]}"#;

    fn lines(text: &[u8]) -> Vec<String> {
        let code = String::from_utf8(code(text)).expect("ASCII in, ASCII out");
        code.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect()
    }

    #[test]
    fn code_keeps_its_lines_and_places() {
        assert_eq!(code(PRETTY).len(), PRETTY.len());
        assert_eq!(lines(PRETTY), ["   def f():", "     return \"a\""]);
        assert_eq!(spread(PRETTY), None);
    }

    #[test]
    fn lines_that_share_one_are_spread() {
        let text = spread(ON_ONE_LINE).expect("it is a notebook on one line");
        let again: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\n').collect();
        assert_eq!(again, ON_ONE_LINE);
        assert_eq!(lines(&text), ["def f():", "  return \"a\"", "if x:", "  y"]);
        let starts: Vec<&[u8]> = text.split(|&byte| byte == b'\n').skip(1).collect();
        assert!(starts[0].starts_with(b"def f()") && starts[1].starts_with(b"  return"));
        assert_eq!(spread(&text), None, "once is enough");
    }

    #[test]
    fn other_text_stays_as_it_is() {
        assert_eq!(spread(b"{ \"cell_type\": \"code\", \"source\": \"a\\nb\" }"), None);
        assert_eq!(spread(b"int main() {}"), None);
    }

    #[test]
    fn cut_text_ends() {
        for end in 0..ON_ONE_LINE.len() {
            spread(&ON_ONE_LINE[..end]);
            code(&ON_ONE_LINE[..end]);
        }
    }
}
