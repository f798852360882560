//! What a token is, as a number: the same sign, keyword or value has the same number in every language.

use familiar_source::Token;
use xxhash_rust::xxh3::xxh3_64;

/// How many pieces are told apart.
pub const PIECES: usize = BYTES as usize + 256;

/// A token of which nothing is said.
pub const HIDDEN: u16 = 0;

/// A string of more than one character; its words say more.
pub(super) const STRING: u16 = 1;

/// Names: for each of [`ROLES`] and each of [`USES`].
const NAMES: u16 = 16;
const ROLES: u16 = 8;
const USES: u16 = 4;

/// Keywords, operators and built-in types, hashed.
const SYMBOLS: u16 = NAMES + ROLES * USES;
const SYMBOLS_COUNT: u64 = 2048;

/// Numbers, by their value, hashed.
const NUMBERS: u16 = SYMBOLS + SYMBOLS_COUNT as u16;
const NUMBERS_COUNT: u64 = 2048;

/// Single characters, by their last byte.
const BYTES: u16 = NUMBERS + NUMBERS_COUNT as u16;

pub(super) fn of_symbol(text: &[u8]) -> u16 {
    SYMBOLS + (xxh3_64(text) % SYMBOLS_COUNT) as u16
}

/// The number's value where it is a whole one in decimal, hexadecimal, octal or binary, else its digits.
pub(super) fn of_number(text: &[u8]) -> u16 {
    let hash = if let Some(value) = whole(text) {
        xxh3_64(&value.to_le_bytes())
    } else {
        let digits: Vec<u8> = text.iter().copied().filter(|b| b.is_ascii_digit() || *b == b'.').collect();
        xxh3_64(&digits)
    };
    NUMBERS + (hash % NUMBERS_COUNT) as u16
}

fn whole(text: &[u8]) -> Option<u64> {
    let mut digits = text.iter().filter(|byte| **byte != b'_' && **byte != b'\'').map(u8::to_ascii_lowercase);
    let mut radix = 10;
    let mut value: u64 = 0;
    let first = digits.next()?;
    if first == b'0' {
        match digits.next() {
            None | Some(b'l' | b'u') => return Some(0),
            Some(b'x') => radix = 16,
            Some(b'b') => radix = 2,
            Some(b'o') => radix = 8,
            Some(digit) => value = u64::from((digit as char).to_digit(10)?),
        }
    } else {
        value = u64::from((first as char).to_digit(10)?);
    }
    while let Some(byte) = digits.next() {
        match (byte as char).to_digit(radix) {
            Some(digit) => value = value.checked_mul(u64::from(radix))?.checked_add(u64::from(digit))?,
            // 10L, 10u32 and 1.0 are whole; 1.5 and 1e9 are not.
            None if byte == b'.' => return digits.all(|b| b == b'0').then_some(value),
            None => return matches!(byte, b'l' | b'u' | b'i' | b'n').then_some(value),
        }
    }
    Some(value)
}

/// The piece of a literal between quotes that is one character long, or one with an escape before it.
pub(super) fn one_character(text: &[u8]) -> Option<u16> {
    let quote = *text.first()?;
    if !matches!(quote, b'\'' | b'"' | b'`') || text.last() != Some(&quote) {
        return None;
    }
    match text.get(1..text.len().checked_sub(1)?)? {
        [byte] => Some(BYTES + u16::from(*byte)),
        [b'\\', byte] => Some(
            BYTES
                + u16::from(match byte {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'0' => 0,
                    other => *other,
                }),
        ),
        _ => None,
    }
}

/// What a name is used as, by the tokens beside it.
pub(super) fn of_name(text: &[u8], tokens: &[Token], at: usize) -> u16 {
    let near =
        |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or(&b""[..], |token| token.text(text));
    let (before, after) = (near(at.checked_sub(1)), near(Some(at + 1)));
    let is_member = matches!(before, b"." | b"->" | b"::" | b"?." | b"!!." | b"&.");
    let role = match (is_member, after) {
        (true, b"(") => 0,
        (false, b"(") => 1,
        (_, b"[") => 2,
        (_, b"=" | b":=") => 3,
        (
            _,
            b"++" | b"--" | b"+=" | b"-=" | b"*=" | b"/=" | b"%=" | b"|=" | b"&=" | b"^=" | b"<<=" | b">>=",
        ) => 4,
        (true, _) => 5,
        (false, b"." | b"->" | b"::" | b"?.") => 6,
        (false, _) => 7,
    };
    NAMES + role * USES
}

/// What is added to a name's piece for a name of so many uses.
pub(super) fn uses(count: u32) -> u16 {
    match count {
        0 | 1 => 0,
        2 => 1,
        3..=5 => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_value() {
        for text in ["255", "0xFF", "0b1111_1111", "255u8", "255L", "255.0", "0o377"] {
            assert_eq!(of_number(text.as_bytes()), of_number(b"255"), "{text}");
        }
        assert_ne!(of_number(b"2.5"), of_number(b"25"));
        assert_eq!(of_number(b"99999999999999999999999"), of_number(b"99999999999999999999999"));
    }

    #[test]
    fn a_character_is_itself_whatever_its_quotes() {
        assert_eq!(one_character(b"'a'"), one_character(b"\"a\""));
        assert_eq!(one_character(br"'\n'"), Some(BYTES + 10));
        assert_eq!(one_character(b"'ab'"), None);
        assert_eq!(one_character(b"'"), None);
        assert_eq!(one_character(b"''"), None);
    }
}
