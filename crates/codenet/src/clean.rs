//! A submission's text as it stands in a set: UTF-8, without a byte order mark, lines that end as on Unix.

use familiar_corpus::git::blob_id;
use familiar_source::BlobId;
use familiar_syntax::decode;
use thiserror::Error;

/// A text that was cleaned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cleaned {
    pub text: String,
    /// The name of the bytes before.
    pub original: BlobId,
}

/// Why a text cannot be a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum NoText {
    #[error("empty")]
    Empty,
    #[error("binary")]
    Binary,
}

/// The text of a submission.
pub(crate) fn cleaned(bytes: &[u8]) -> Result<Cleaned, NoText> {
    let decoded = decode::decode(bytes).map_err(|_| NoText::Binary)?;
    let text = match std::str::from_utf8(&decoded.text) {
        Ok(text) => text.to_owned(),
        Err(_) => in_its_encoding(&decoded.text),
    };
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    if text.contains('\0') {
        return Err(NoText::Binary);
    }
    if text.trim().is_empty() {
        return Err(NoText::Empty);
    }
    Ok(Cleaned { text, original: blob_id(bytes) })
}

/// Text in an encoding that it does not name.
pub(crate) fn in_its_encoding(bytes: &[u8]) -> String {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    let encoding = detector.guess(None, chardetng::Utf8Detection::Deny);
    encoding.decode_without_bom_handling(bytes).0.into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_utf8_with_unix_line_ends() {
        for (bytes, expected) in [
            (&b"\xEF\xBB\xBFint x;\r\nint y;\rint z;\n"[..], Ok("int x;\nint y;\nint z;\n")),
            (
                b"// \x93\xFA\x96{\x8C\xEA\x82\xCC\x95\xB6\x8F\xCD\nint x;",
                Ok("// \u{65e5}\u{672c}\u{8a9e}\u{306e}\u{6587}\u{7ae0}\nint x;"),
            ),
            (b" \n\t", Err(NoText::Empty)),
            (b"", Err(NoText::Empty)),
            (b"\x7fELF\0\0\0\x01\x02", Err(NoText::Binary)),
        ] {
            let text = cleaned(bytes).map(|cleaned| cleaned.text);
            assert_eq!(text.as_deref().map_err(|error| *error), expected, "{bytes:?}");
        }
    }

    #[test]
    fn the_name_is_that_of_the_bytes_before() {
        let cleaned = cleaned(b"a\r\n").expect("it is text");
        assert_eq!(cleaned.original, blob_id(b"a\r\n"));
    }
}
