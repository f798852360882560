//! Bytes of a file to bytes that a front end reads: byte order marks, UTF-16, binaries, notebooks.
//!
//! Front ends read UTF-8 and take any byte sequence that is not as part of names, so invalid UTF-8 passes as it is.

use std::borrow::Cow;

use crate::notebook;

/// How many bytes at the start decide whether a file is text.
const PROBE: usize = 8 * 1024;

/// The text of a file.
#[derive(Debug)]
pub struct Decoded<'b> {
    pub text: Cow<'b, [u8]>,
    /// Bytes of the file before the text, that is, of the byte order mark; 0 where the text was re-encoded.
    pub shift: u32,
}

/// Why a file is no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("binary")]
pub struct NotText;

/// The text in `bytes`: UTF-8 with or without mark, or UTF-16, recognized by its mark or by its zero bytes. A notebook that keeps
/// several lines of code on one line of its file is given with a line for each of them.
pub fn decode(bytes: &[u8]) -> Result<Decoded<'_>, NotText> {
    let decoded = characters(bytes)?;
    Ok(match notebook::spread(&decoded.text) {
        Some(text) => Decoded { text: Cow::Owned(text), shift: 0 },
        None => decoded,
    })
}

fn characters(bytes: &[u8]) -> Result<Decoded<'_>, NotText> {
    if let Some(text) = bytes.strip_prefix(b"\xEF\xBB\xBF") {
        return Ok(Decoded { text: Cow::Borrowed(text), shift: 3 });
    }
    if let Some((encoding, mark)) = encoding_rs::Encoding::for_bom(bytes) {
        return Ok(Decoded { text: transcoded(encoding, &bytes[mark..]), shift: 0 });
    }
    let probe = &bytes[..bytes.len().min(PROBE)];
    if memchr::memchr(0, probe).is_none() {
        return Ok(Decoded { text: Cow::Borrowed(bytes), shift: 0 });
    }
    match utf16_without_mark(probe) {
        Some(encoding) => Ok(Decoded { text: transcoded(encoding, bytes), shift: 0 }),
        None => Err(NotText),
    }
}

fn transcoded(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Cow<'static, [u8]> {
    let (text, _) = encoding.decode_without_bom_handling(bytes);
    Cow::Owned(text.into_owned().into_bytes())
}

/// Latin text in UTF-16 has a zero in nearly every second byte and none in the others.
fn utf16_without_mark(probe: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    let zeros = |parity: usize| probe.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    let most = probe.len() / 2 * 9 / 10;
    match (even, odd) {
        (0, odd) if odd > most => Some(encoding_rs::UTF_16LE),
        (even, 0) if even > most => Some(encoding_rs::UTF_16BE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> Option<Vec<u8>> {
        decode(bytes).ok().map(|decoded| decoded.text.into_owned())
    }

    #[test]
    fn marks_and_utf16_are_read_and_binaries_are_not() {
        assert_eq!(text(b"\xEF\xBB\xBFab").as_deref(), Some(&b"ab"[..]));
        assert_eq!(text(b"\xFF\xFEa\0b\0").as_deref(), Some(&b"ab"[..]));
        assert_eq!(text(b"\xFE\xFF\0a\0b").as_deref(), Some(&b"ab"[..]));
        assert_eq!(text(b"a\0b\0c\0d\0").as_deref(), Some(&b"abcd"[..]));
        assert_eq!(text(b"\x7fELF\0\0\x01\0"), None);
        assert_eq!(text(b"caf\xe9").as_deref(), Some(&b"caf\xe9"[..]));
        assert_eq!(text(b"").as_deref(), Some(&b""[..]));
    }
}
