//! Names and texts to words, and words to numbers.

use std::sync::OnceLock;

use xxhash_rust::xxh3::xxh3_64;

/// How many words are told apart; two words may share a number.
pub const WORDS: usize = 16_384;

/// Most words of one name.
const OF_NAME: usize = 6;

/// Most words of one string.
const OF_STRING: usize = 8;

/// The words of `name`: `maxSum2`, `max_sum2` and `MAX_SUM2` are max, sum and 2.
pub(super) fn of_name(name: &[u8], out: &mut Vec<u16>) {
    split(name, OF_NAME, |word| out.push(number(word)));
}

/// The words of what stands between the quotes, and its place holders (`%d`, `{}`), which are one word each.
pub(super) fn of_string(literal: &[u8], out: &mut Vec<u16>) {
    split(quoted(literal), OF_STRING, |word| out.push(number(word)));
}

/// The words of a name as they are read, in small letters and as far as they are looked at.
pub(super) fn spelled_in_name(name: &[u8], out: &mut Vec<String>) {
    split(name, OF_NAME, |word| out.push(String::from_utf8_lossy(word).into_owned()));
}

/// The same of the words of a string.
pub(super) fn spelled_in_string(literal: &[u8], out: &mut Vec<String>) {
    split(quoted(literal), OF_STRING, |word| out.push(String::from_utf8_lossy(word).into_owned()));
}

/// The literal from its first quote on.
fn quoted(literal: &[u8]) -> &[u8] {
    let start = literal.iter().position(|byte| matches!(byte, b'"' | b'\'' | b'`')).unwrap_or(0);
    &literal[start..]
}

/// Letters of a run.
const RUN: usize = 4;

/// Most letters of a name that are looked at.
const LETTERS: usize = 64;

/// The runs of four letters and digits of `name`, in small letters and with a mark at either end; none of a name that is as short as
/// `id`, or has but one letter, as `v12`.
pub(super) fn runs_of_name(name: &[u8], out: &mut Vec<u32>) {
    let is_told = |byte: &&u8| Kind::of(**byte) != Kind::Other;
    let letters = name.iter().filter(is_told).take(LETTERS);
    let (mut length, mut digits) = (0, 0);
    for byte in letters.clone() {
        length += 1;
        digits += usize::from(byte.is_ascii_digit());
    }
    if length + 1 < RUN || length < digits + 2 {
        return;
    }
    let marked = std::iter::once(b'^').chain(letters.map(u8::to_ascii_lowercase)).chain([b'$']);
    let mut run = 0u32;
    for (at, byte) in marked.enumerate() {
        run = run << 8 | u32::from(byte);
        if at + 1 >= RUN {
            out.push(run);
        }
    }
}

/// The runs of the first words of what stands between the quotes.
pub(super) fn runs_of_string(literal: &[u8], out: &mut Vec<u32>) {
    let words = literal.split(|&byte| Kind::of(byte) == Kind::Other).filter(|word| !word.is_empty());
    words.take(OF_STRING).for_each(|word| runs_of_name(word, out));
}

/// The numbers of words that say nothing about what code is for, ascending: those of one character, as `x`, and of two digits, as the
/// end of `v12`.
pub(crate) fn idle() -> &'static [u16] {
    static NUMBERS: OnceLock<Vec<u16>> = OnceLock::new();
    NUMBERS.get_or_init(|| {
        let of_digits = (0..100u8).map(|n| [b'0' + n / 10, b'0' + n % 10]);
        let mut numbers: Vec<u16> = (0..=u8::MAX).map(|byte| number(&[byte])).collect();
        numbers.extend(of_digits.map(|digits| number(&digits)));
        numbers.sort_unstable();
        numbers
    })
}

/// Calls `take` with each word of `text`, at most `most` of them.
fn split(text: &[u8], most: usize, mut take: impl FnMut(&[u8])) {
    let mut taken = 0;
    let mut word = Word::default();
    let mut before = Kind::Other;
    for (at, &byte) in text.iter().enumerate() {
        let kind = Kind::of(byte);
        // A new word starts where the kind changes, except from a capital to the small letters that follow it, and at
        // the last of several capitals before a small letter: HTTPServer is http and server.
        let next_is_lower = text.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let breaks = match (before, kind) {
            (Kind::Upper, Kind::Lower) => false,
            (Kind::Upper, Kind::Upper) => next_is_lower,
            (a, b) => a != b,
        };
        if breaks {
            taken += word.end(&mut take);
            if taken >= most {
                return;
            }
        }
        if kind != Kind::Other {
            word.push(byte);
        } else if byte == b'%' || byte == b'{' {
            take(&[byte]);
            taken += 1;
            if taken >= most {
                return;
            }
        }
        before = kind;
    }
    word.end(&mut take);
}

fn number(word: &[u8]) -> u16 {
    (xxh3_64(word) % WORDS as u64) as u16
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lower,
    Upper,
    Digit,
    Other,
}

impl Kind {
    fn of(byte: u8) -> Self {
        match byte {
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Digit,
            b'a'..=b'z' | 0x80.. => Self::Lower,
            _ => Self::Other,
        }
    }
}

/// A word in small letters, as far as it is looked at.
#[derive(Default)]
struct Word {
    bytes: [u8; 24],
    length: usize,
}

impl Word {
    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte.to_ascii_lowercase();
            self.length += 1;
        }
    }

    /// Hands the word on, if there is one, and says how many that were.
    fn end(&mut self, take: &mut impl FnMut(&[u8])) -> usize {
        if self.length == 0 {
            return 0;
        }
        take(&self.bytes[..self.length]);
        self.length = 0;
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<u16> {
        let mut out = Vec::new();
        of_name(text.as_bytes(), &mut out);
        out
    }

    #[test]
    fn words_do_not_depend_on_the_way_a_name_is_written() {
        assert_eq!(words("maxSum"), words("max_sum"));
        assert_eq!(words("MAX_SUM"), words("MaxSum"));
        assert_eq!(words("HTTPServer2"), words("http_server_2"));
        assert_ne!(words("maxSum"), words("minSum"));
        assert_eq!(words("__"), []);
        assert_eq!(words("a_b_c_d_e_f_g_h").len(), OF_NAME);
    }

    #[test]
    fn runs_overlap_and_know_where_a_name_ends() {
        let runs = |name: &str| {
            let mut out = Vec::new();
            runs_of_name(name.as_bytes(), &mut out);
            out.into_iter()
                .map(|run| String::from_utf8_lossy(&run.to_be_bytes()).into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(runs("get_X2"), ["^get", "getx", "etx2", "tx2$"]);
        assert_eq!(
            (runs("id"), runs("v12"), runs("md5")),
            (vec![], vec![], vec!["^md5".into(), "md5$".into()])
        );
        assert_eq!(runs(&"ab".repeat(1000)).len(), LETTERS - 1);
    }

    #[test]
    fn place_holders_are_words_of_a_string() {
        let mut out = Vec::new();
        of_string(b"f\"%d of {} parts\"", &mut out);
        assert_eq!(out.len(), 5);
        assert_eq!(out[1..2], [number(b"d")]);
    }
}
