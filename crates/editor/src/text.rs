//! The text of an open document: positions in the encoding that was agreed on, and the edits that a client sends.

use std::ops;

use gen_lsp_types::{Position, PositionEncodingKind, Range};

/// How the columns of positions are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    /// What every client can do.
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    /// The cheapest of what a client offers.
    pub(crate) fn of(offered: Option<&[PositionEncodingKind]>) -> Self {
        let has = |kind: &PositionEncodingKind| offered.is_some_and(|offered| offered.contains(kind));
        if has(&PositionEncodingKind::UTF8) {
            Self::Utf8
        } else if has(&PositionEncodingKind::UTF32) && !has(&PositionEncodingKind::UTF16) {
            Self::Utf32
        } else {
            Self::Utf16
        }
    }

    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn width(self, letter: char) -> u32 {
        match self {
            Self::Utf8 => letter.len_utf8() as u32,
            Self::Utf16 => letter.len_utf16() as u32,
            Self::Utf32 => 1,
        }
    }
}

/// A text with the starts of its lines.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    text: String,
    /// Byte at which each line starts. Lines end in `\n`, `\r\n` or `\r`.
    starts: Vec<u32>,
}

/// An edit that fits no text that the server knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutsideText;

impl Text {
    pub(crate) fn new(text: String) -> Self {
        let starts = starts(text.as_bytes());
        Self { text, starts }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Replaces a range, as an edit says. A column behind the end of its line stands for that end.
    pub(crate) fn replace(&mut self, range: Range, by: &str, encoding: Encoding) -> Result<(), OutsideText> {
        let (start, end) = (self.byte(range.start, encoding)?, self.byte(range.end, encoding)?);
        if start > end {
            return Err(OutsideText);
        }
        self.text.replace_range(start..end, by);
        self.move_starts(start..end, by.len());
        Ok(())
    }

    /// Brings the starts of lines up to date after `length` bytes came into the place of others.
    fn move_starts(&mut self, replaced: ops::Range<usize>, length: usize) {
        // What stood beside the place may be half of a line's end now.
        let before = |at: usize| self.starts.partition_point(|&start| start as usize <= at);
        let first = before(replaced.start.saturating_sub(1)) - 1;
        let last = before(replaced.end + 1);
        let moved = |start: u32| start as usize - replaced.len() + length;
        let from = self.starts[first] as usize;
        let to = self.starts.get(last).map_or(self.text.len(), |&start| moved(start));
        let mut new = starts(&self.text.as_bytes()[from..to]);
        if last < self.starts.len() {
            // The last one starts what follows.
            new.pop();
        }
        for start in &mut new {
            *start += from as u32;
        }
        for at in last..self.starts.len() {
            self.starts[at] = moved(self.starts[at]) as u32;
        }
        self.starts.splice(first..last, new);
    }

    /// The byte at a position.
    fn byte(&self, position: Position, encoding: Encoding) -> Result<usize, OutsideText> {
        let line = position.line as usize;
        let Some(&start) = self.starts.get(line) else {
            // The line behind the last one is where edits at the end of the text may stand.
            let is_end = line == self.starts.len() && position.character == 0;
            return if is_end { Ok(self.text.len()) } else { Err(OutsideText) };
        };
        let mut column = 0;
        for (at, letter) in self.text[start as usize..].char_indices() {
            if column >= position.character || matches!(letter, '\n' | '\r') {
                return Ok(start as usize + at);
            }
            column += encoding.width(letter);
        }
        Ok(self.text.len())
    }

    /// The position of a byte; of one within a letter, that of the letter.
    pub(crate) fn position(&self, byte: usize, encoding: Encoding) -> Position {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|&start| start as usize <= byte).saturating_sub(1);
        let start = self.starts[line] as usize;
        let before = self.text[start..]
            .char_indices()
            .take_while(|(at, letter)| start + at + letter.len_utf8() <= byte);
        let character = before.map(|(_, letter)| encoding.width(letter)).sum();
        Position { line: line as u32, character }
    }
}

fn starts(bytes: &[u8]) -> Vec<u32> {
    let ends = (0..bytes.len())
        .filter(|&at| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    std::iter::once(0).chain(ends.map(|at| at as u32 + 1)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn after_edits_lines_start_where_they_start_in_the_whole_text(
            text in "[a\\r\\n]{0,12}",
            edits in prop::collection::vec((0usize..16, 0usize..16, "[b\\r\\n]{0,4}"), 1..6),
        ) {
            let mut text = Text::new(text);
            for (from, to, by) in edits {
                let length = text.text.len();
                let (from, to) = (from.min(to).min(length), to.max(from).min(length));
                text.text.replace_range(from..to, &by);
                text.move_starts(from..to, by.len());
                prop_assert_eq!(&text.starts, &starts(text.text.as_bytes()));
            }
        }
    }

    fn at(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_are_counted_as_agreed() {
        let text = Text::new("a😀é\r\nb\rc\n".to_owned());
        for (encoding, columns) in
            [(Encoding::Utf8, [0, 1, 5, 7]), (Encoding::Utf16, [0, 1, 3, 4]), (Encoding::Utf32, [0, 1, 2, 3])]
        {
            for (byte, column) in [0, 1, 5, 7].into_iter().zip(columns) {
                assert_eq!(text.position(byte, encoding), at(0, column));
                assert_eq!(text.byte(at(0, column), encoding), Ok(byte));
            }
        }
        assert_eq!(text.position(9, Encoding::Utf16), at(1, 0));
        assert_eq!(text.position(11, Encoding::Utf16), at(2, 0));
        assert_eq!(text.position(3, Encoding::Utf16), at(0, 1), "within a letter");
    }

    #[test]
    fn edits_change_what_they_name_and_others_are_refused() {
        let mut text = Text::new("one\ntwo\nthree".to_owned());
        let range = |from, to| Range { start: from, end: to };
        assert_eq!(text.replace(range(at(1, 0), at(1, 3)), "2", Encoding::Utf16), Ok(()));
        assert_eq!(text.replace(range(at(0, 99), at(1, 0)), " ", Encoding::Utf16), Ok(()));
        assert_eq!(text.as_str(), "one 2\nthree");
        assert_eq!(text.replace(range(at(2, 0), at(2, 0)), "\nend", Encoding::Utf16), Ok(()));
        assert_eq!(text.as_str(), "one 2\nthree\nend");
        for wrong in [range(at(9, 0), at(9, 0)), range(at(1, 2), at(0, 0)), range(at(0, 0), at(u32::MAX, 5))]
        {
            assert_eq!(text.replace(wrong, "x", Encoding::Utf16), Err(OutsideText));
        }
        assert_eq!(text.as_str(), "one 2\nthree\nend");
    }

    #[test]
    fn utf_8_is_taken_where_it_is_offered() {
        let offered = [PositionEncodingKind::UTF16, PositionEncodingKind::UTF8];
        assert_eq!(Encoding::of(Some(&offered)), Encoding::Utf8);
        assert_eq!(Encoding::of(None), Encoding::Utf16);
        assert_eq!(Encoding::of(Some(&[PositionEncodingKind::UTF32])), Encoding::Utf32);
    }
}
