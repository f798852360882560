//! JSON that may stand inside a script.

use std::io;

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter};

/// A value as JSON without any character that could end a script, open a comment or break a line of one.
pub(crate) fn to_json(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut json = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut json, Safe(CompactFormatter)))?;
    Ok(json)
}

struct Safe(CompactFormatter);

impl Formatter for Safe {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let is_unsafe = |c: char| matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}');
        let mut rest = fragment;
        while let Some(at) = rest.find(is_unsafe) {
            let c = rest[at..].chars().next().expect("found there");
            self.0.write_string_fragment(writer, &rest[..at])?;
            write!(writer, "\\u{:04x}", c as u32)?;
            rest = &rest[at + c.len_utf8()..];
        }
        self.0.write_string_fragment(writer, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_string_ends_a_script() {
        let text = "</script><!--\u{2028}&\"\\";
        let json = String::from_utf8(to_json(&text).expect("serializable")).expect("UTF-8");
        assert_eq!(json, r#""\u003c/script\u003e\u003c!--\u2028\u0026\"\\""#);
        assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), text);
    }
}
