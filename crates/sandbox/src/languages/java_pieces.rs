//! The words and signs of a Java text, without comments and literals.

/// A word or a sign.
pub(super) struct Piece<'t> {
    /// Where it begins.
    pub(super) at: usize,
    pub(super) text: &'t str,
}

/// The words and signs of a text. What nothing closes goes to the end of the text.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        loop {
            let (at, rest) = (next, &text[next..]);
            let first = rest.chars().next()?;
            let (length, is_piece) = match first {
                '/' if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
                '/' if rest.starts_with("/*") => (2 + past(&rest[2..], "*/"), false),
                '"' if rest.starts_with("\"\"\"") => (3 + past(&rest[3..], "\"\"\""), false),
                '"' => (1 + past(&rest[1..], "\""), false),
                '\'' => (1 + past(&rest[1..], "'"), false),
                _ if is_of_word(first) => {
                    (rest.find(|sign: char| !is_of_word(sign)).unwrap_or(rest.len()), true)
                }
                _ => (first.len_utf8(), !first.is_whitespace()),
            };
            next = at + length;
            if is_piece {
                return Some(Piece { at, text: &text[at..next] });
            }
        }
    })
}

/// How long a text is up to the end of `close`, before which no backslash stands.
fn past(text: &str, close: &str) -> usize {
    let is_comment = close == "*/";
    let mut at = 0;
    while !text[at..].starts_with(close) {
        let mut signs = text[at..].chars();
        let Some(sign) = signs.next() else { return text.len() };
        at += sign.len_utf8();
        if sign == '\\' && !is_comment {
            at += signs.next().map_or(0, char::len_utf8);
        }
    }
    at + close.len()
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || matches!(sign, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_literals_are_no_pieces() {
        for (text, expected) in [
            ("a.b /* c */ d; // e\nf", "a . b d ; f"),
            (r#"s = "x\"y" + '"' + '\'';"#, "s = + + ;"),
            ("s = \"\"\"\n\"x\" \\\"\"\"\n\"\"\"; ä", "s = ; ä"),
            ("a \"never closed", "a"),
            ("/* never \\", ""),
        ] {
            let found: Vec<&str> = pieces(text).map(|piece| piece.text).collect();
            assert_eq!(found.join(" "), expected, "{text}");
        }
    }
}
