//! Words: what texts are compared by.

use rustc_hash::FxHashMap;

/// The number of a word. Words that mean the same to a license share one; the smallest are legal words.
pub type Word = u16;

/// What stands between words of a license and is none of them: names of mark-up elements and of character references,
/// and what starts a comment in some languages.
pub const STOP_WORDS: &[&str] = &[
    "a",
    "abbr",
    "alt",
    "amp",
    "apos",
    "auto",
    "bdquo",
    "blockquote",
    "body",
    "border",
    "br",
    "bull",
    "bullet",
    "class",
    "colon",
    "comma",
    "div",
    "dnl",
    "echo",
    "em",
    "emdash",
    "emsp",
    "ensp",
    "ge",
    "gt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "hairsp",
    "head1",
    "head2",
    "head3",
    "height",
    "hr",
    "href",
    "img",
    "ldquo",
    "ldquor",
    "le",
    "li",
    "lists",
    "lpar",
    "lsaquo",
    "lsquo",
    "lsquor",
    "lt",
    "mdash",
    "nav",
    "nbsp",
    "ndash",
    "numsp",
    "ol",
    "p",
    "padding",
    "para",
    "period",
    "pre",
    "printf",
    "puncsp",
    "quot",
    "raquo",
    "rdquo",
    "rdquor",
    "rel",
    "rem",
    "rpar",
    "rsaquo",
    "rsquo",
    "rsquor",
    "sbquo",
    "script",
    "semi",
    "side",
    "span",
    "src",
    "td",
    "th",
    "thinsp",
    "tilde",
    "tr",
    "ul",
    "ulink",
    "width",
    "x3c",
    "x3e",
];

/// The words that rules consist of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Words with their numbers, sorted by word.
    pub words: Vec<(String, Word)>,
    /// Words of a smaller number are legal words: those that texts of other kinds seldom hold.
    pub legal: Word,
}

/// What a word is to the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    Word(Word),
    Stop,
}

impl Vocabulary {
    /// For looking words up. Stop words are no words, whatever the vocabulary says.
    pub(crate) fn index(&self) -> FxHashMap<&str, Known> {
        let words = self.words.iter().map(|(word, number)| (word.as_str(), Known::Word(*number)));
        words.chain(STOP_WORDS.iter().map(|&word| (word, Known::Stop))).collect()
    }
}

/// Cuts a text into words: letters and digits, with a `+` inside or at the end (`GPL2+`); lower case.
#[derive(Clone, Debug)]
pub struct Words<'t> {
    text: &'t str,
    at: usize,
    /// Line of `at`, from 1.
    line: u32,
}

impl<'t> Words<'t> {
    pub fn new(text: &'t str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// Puts the next word into `word` and gives its line and where it starts and ends.
    pub fn next_into(&mut self, word: &mut String) -> Option<(u32, std::ops::Range<usize>)> {
        let bytes = self.text.as_bytes();
        loop {
            match *bytes.get(self.at)? {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                }
                // Escaped line ends and tabulators, in string literals.
                b'\\' if matches!(bytes.get(self.at + 1), Some(b'n' | b'r' | b't')) => self.at += 2,
                b'&' => self.at += character_reference(&bytes[self.at..]),
                byte if byte.is_ascii_alphanumeric() => break,
                byte if byte.is_ascii() => self.at += 1,
                _ => {
                    let next = self.text[self.at..].chars().next()?;
                    if next.is_alphanumeric() {
                        break;
                    }
                    self.at += next.len_utf8();
                }
            }
        }
        let start = self.at;
        let mut plus = false;
        word.clear();
        while let Some(&byte) = bytes.get(self.at) {
            if byte.is_ascii_alphanumeric() {
                let rest = &bytes[self.at..];
                let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
                word.push_str(&self.text[self.at..self.at + length]);
                self.at += length;
            } else if byte == b'+' && !plus {
                plus = true;
                word.push('+');
                self.at += 1;
            } else if byte.is_ascii() {
                break;
            } else {
                let Some(next) = self.text[self.at..].chars().next().filter(|next| next.is_alphanumeric())
                else {
                    break;
                };
                word.extend(next.to_lowercase());
                self.at += next.len_utf8();
            }
        }
        word.make_ascii_lowercase();
        Some((self.line, start..self.at))
    }
}

/// The length of a numeric character reference such as `&#39;`, or of the ampersand alone.
fn character_reference(bytes: &[u8]) -> usize {
    let digits = bytes.iter().skip(2).take(7).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let end = 2 + digits;
    if bytes.get(1) == Some(&b'#') && digits > 0 && bytes.get(end) == Some(&b';') { end + 1 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<(u32, String)> {
        let (mut cutter, mut word) = (Words::new(text), String::new());
        std::iter::from_fn(|| cutter.next_into(&mut word).map(|(line, _)| (line, word.clone()))).collect()
    }

    #[test]
    fn words_are_letters_digits_and_one_plus() {
        let all: Vec<String> =
            words("GPL2+, C++ é_Été don&#39;t\\nnew 3.0").into_iter().map(|w| w.1).collect();
        assert_eq!(all, ["gpl2+", "c+", "é", "été", "don", "t", "new", "3", "0"]);
    }

    #[test]
    fn words_know_their_lines() {
        assert_eq!(words("a\n\n# b c\r\nd").iter().map(|w| w.0).collect::<Vec<_>>(), [1, 3, 3, 4]);
    }
}
