//! Where something stands: byte or token spans, and lines.

use crate::Token;

/// A half-open range of bytes or of tokens, `start..end`; which of the two, the field's name says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        Self { start, end }
    }

    pub fn len(self) -> u32 {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Whether `other` lies inside `self` (equal counts as inside).
    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A range of lines: counted from 1, both ends included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lines {
    pub start: u32,
    pub end: u32,
}

impl Lines {
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(1 <= start && start <= end);
        Self { start, end }
    }

    /// Number of lines, at least 1.
    pub fn count(self) -> u32 {
        self.end - self.start + 1
    }

    pub fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

/// Start offsets of the lines of one file, for turning byte offsets into line numbers.
///
/// A line ends with `\n`, `\r\n` or a lone `\r`.
#[derive(Clone, Debug, Default)]
pub struct LineIndex {
    starts: Vec<u32>,
}

impl LineIndex {
    pub fn new(source: &[u8]) -> Self {
        let mut index = Self::default();
        index.rebuild(source);
        index
    }

    /// Fills the index anew for `source`, reusing its memory.
    pub fn rebuild(&mut self, source: &[u8]) {
        self.starts.clear();
        self.starts.push(0);
        // A lone `\r` is rare enough that files without any take the path of one search.
        if memchr::memchr(b'\r', source).is_none() {
            self.starts.extend(memchr::memchr_iter(b'\n', source).map(|at| at as u32 + 1));
        } else {
            self.starts.extend(
                memchr::memchr2_iter(b'\n', b'\r', source)
                    .filter(|&at| source[at] == b'\n' || source.get(at + 1) != Some(&b'\n'))
                    .map(|at| at as u32 + 1),
            );
        }
    }

    /// The line, from 1, that holds the byte at `offset`.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|&start| start <= offset) as u32
    }

    /// Byte offset at which `line` (from 1) starts; the start of the last line for lines past the end.
    pub fn start_of(&self, line: u32) -> u32 {
        let at = (line.max(1) as usize - 1).min(self.starts.len() - 1);
        self.starts[at]
    }

    /// Number of lines of the file; a final line end opens no further line, an empty file has none.
    pub fn count(&self, source_len: usize) -> u32 {
        let open = self.starts.last().is_some_and(|&start| (start as usize) < source_len);
        self.starts.len() as u32 - u32::from(!open)
    }

    /// The lines that the bytes of `span` stand on; an empty span stands on the line of its start.
    pub fn lines(&self, span: Span) -> Lines {
        let last = if span.is_empty() { span.start } else { span.end - 1 };
        Lines::new(self.line(span.start), self.line(last))
    }

    /// The first and the last line of each token, in one pass over the lines. Tokens stand in order.
    pub fn lines_of_tokens(&self, tokens: &[Token]) -> Vec<(u32, u32)> {
        let up_to = |mut line: usize, offset: u32| {
            while self.starts.get(line).is_some_and(|&start| start <= offset) {
                line += 1;
            }
            line
        };
        let mut line = 0;
        let lines = tokens.iter().map(|token| {
            line = up_to(line, token.start);
            (line as u32, up_to(line, token.end.max(token.start + 1) - 1) as u32)
        });
        lines.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TokenClass;

    #[test]
    fn one_pass_gives_what_single_look_ups_give() {
        let index = LineIndex::new(b"a\nb\r\nc\rd\n\nlonger line\n");
        let token = |(start, end)| Token::new(TokenClass::Identifier, 0, start, end);
        let tokens = [(0, 1), (2, 3), (2, 9), (5, 5), (7, 8), (12, 20), (15, 16)].map(token);
        let expected = tokens.map(|token| index.lines(Span::new(token.start, token.end)));
        assert_eq!(index.lines_of_tokens(&tokens), expected.map(|lines| (lines.start, lines.end)));
    }

    #[test]
    fn every_line_end_counts_once() {
        let index = LineIndex::new(b"a\nb\r\nc\rd");
        assert_eq!([0, 2, 5, 7].map(|at| index.line(at)), [1, 2, 3, 4]);
        assert_eq!(index.count(8), 4);
        assert_eq!(LineIndex::new(b"a\n").count(2), 1);
        assert_eq!(LineIndex::new(b"").count(0), 0);
    }

    #[test]
    fn a_span_that_ends_with_its_line_stays_on_it() {
        let index = LineIndex::new(b"ab\ncd\n");
        assert_eq!(index.lines(Span::new(0, 3)), Lines::new(1, 1));
        assert_eq!(index.lines(Span::new(0, 4)), Lines::new(1, 2));
    }
}
