//! Names and code from anywhere, made safe to show.

use std::borrow::Cow;

/// Whether a character could move a cursor, change colours, or turn the direction of what follows.
fn is_hostile(c: char) -> bool {
    let turns =
        matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') || (c.is_control() && c != '\t')
}

/// Text in which hostile characters are escaped, as in `\u{1b}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::new();
    for c in text.chars() {
        if is_hostile(c) { plain.extend(c.escape_default()) } else { plain.push(c) }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_turned_directions_are_shown_as_what_they_are() {
        assert_eq!(printable("a\u{1b}[31m\n\u{202e}b\tü"), "a\\u{1b}[31m\\n\\u{202e}b\tü");
        assert!(matches!(printable("plain\t"), Cow::Borrowed(_)));
    }
}
