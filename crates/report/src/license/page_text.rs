//! How much of a file's text pages show.

/// A file's text for pages that show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageText {
    /// Its beginning, with every line that says something as far as there is room, and how many lines the file has.
    Text { text: String, lines: u32 },
    /// Why it cannot be had.
    Missing(String),
}

/// Bytes of a text that are shown whatever they say.
const BEGINNING: usize = 16 << 10;
/// Lines that are shown after the last that says something.
const AFTER: usize = 20;
/// Most bytes of a text that are shown.
const MOST: usize = 256 << 10;

impl PageText {
    /// Of a text whose line `last` is the last that says something. Lines end with `\n` alone.
    pub fn of(text: &str, last: u32) -> Self {
        let lines = text.lines().count() as u32;
        let wanted = last as usize + AFTER;
        let mut end = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let after = end + line.len();
            if after > MOST || after > BEGINNING && number >= wanted {
                break;
            }
            end = after;
        }
        if end == 0 {
            // A line that never ends.
            end = (0..=BEGINNING).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        }
        Self::Text { text: text[..end].replace("\r\n", "\n").replace('\r', " "), lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, last: u32) -> (usize, u32) {
        match PageText::of(text, last) {
            PageText::Text { text, lines } => (text.lines().count(), lines),
            PageText::Missing(reason) => panic!("{reason}"),
        }
    }

    #[test]
    fn what_says_something_is_shown_and_the_rest_is_bounded() {
        let long = "0123456789 123456789 123456789\n".repeat(20_000);
        assert_eq!(shown("a\r\nb\rc\n", 0), (2, 2));
        assert_eq!(shown(&long, 0), (BEGINNING / 31, 20_000));
        assert_eq!(shown(&long, 1000), (1000 + AFTER, 20_000));
        assert_eq!(shown(&long, 20_000), (MOST / 31, 20_000));
        // A line without an end is cut between characters.
        assert_eq!(shown(&"ü".repeat(MOST), 1), (1, 1));
    }
}
