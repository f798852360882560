//! Bytes of a row to a text.

use std::borrow::Cow;

use familiar_syntax::decode::{NotText, decode};

/// The text in `bytes`, decoded as a file is. What is not UTF-8 in it is read as Latin-1, so that other bytes are other characters.
pub fn utf8(bytes: &[u8]) -> Result<Cow<'_, str>, NotText> {
    Ok(match decode(bytes)?.text {
        Cow::Borrowed(text) => match std::str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => Cow::Owned(mixed(text)),
        },
        Cow::Owned(text) => Cow::Owned(String::from_utf8(text).unwrap_or_else(|it| mixed(it.as_bytes()))),
    })
}

fn mixed(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf8_is_latin1_and_what_is_no_text_is_told() {
        let text = |bytes| utf8(bytes).ok();
        assert_eq!(text("café".as_bytes()).as_deref(), Some("café"));
        assert_eq!(text(b"caf\xe9 caf\xc3\xa9").as_deref(), Some("café café"));
        assert_eq!(text(b"\xff\xfex\0=\0").as_deref(), Some("x="));
        assert_eq!(text(b"\x7fELF\0\0\x01\0"), None);
    }
}
