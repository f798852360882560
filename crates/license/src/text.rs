//! Bytes of a file to text.

use std::borrow::Cow;

/// How many bytes at the start decide whether a file is text.
const PROBE: usize = 8 * 1024;

/// The text in `bytes`: UTF-8 or UTF-16 with its mark, UTF-8 without, and otherwise Latin-1. None where it is binary.
pub fn decode(bytes: &[u8]) -> Option<Cow<'_, str>> {
    match bytes {
        [0xFE, 0xFF, text @ ..] => Some(Cow::Owned(utf16(text, u16::from_be_bytes))),
        [0xFF, 0xFE, text @ ..] => Some(Cow::Owned(utf16(text, u16::from_le_bytes))),
        bytes if memchr::memchr(0, &bytes[..bytes.len().min(PROBE)]).is_some() => None,
        bytes => Some(of(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))),
    }
}

/// Text that is UTF-8, or else Latin-1, in which any bytes are text.
pub fn of(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|&pair| unit(pair));
    char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_latin_and_binaries_are_told_apart() {
        let cases: [(&[u8], Option<&str>); 6] = [
            (b"\xEF\xBB\xBFab", Some("ab")),
            (b"\xFF\xFEa\0b\0", Some("ab")),
            (b"\xFE\xFF\0a\0b\0", Some("ab")),
            (b"\xA9 J\xFCrgen", Some("© Jürgen")),
            ("© Jürgen".as_bytes(), Some("© Jürgen")),
            (b"\x7fELF\0\0", None),
        ];
        for (bytes, text) in cases {
            assert_eq!(decode(bytes).as_deref(), text, "{bytes:?}");
        }
    }
}
