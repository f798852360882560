//! What a statement says, whatever its markup and layout.

use html5gum::{Token, Tokenizer};

/// The words of a statement in HTML or plain text, in lower case, with one space between them.
pub(super) fn words(html: &str) -> String {
    let mut text = String::new();
    for token in Tokenizer::new(html).flatten() {
        match token {
            Token::String(string) => text.push_str(&String::from_utf8_lossy(&string.value)),
            // Tags part words as white space does, but for those inside a line.
            Token::StartTag(tag) if !is_inline(&tag.name) => text.push(' '),
            Token::EndTag(tag) if !is_inline(&tag.name) => text.push(' '),
            _ => {}
        }
    }
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word.to_lowercase());
    }
    words
}

/// Elements that stand in a line of text and part no words.
const INLINE: [&str; 32] = [
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "mark", "nobr", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "tt", "time",
    "u", "var", "wbr",
];

fn is_inline(tag: &[u8]) -> bool {
    INLINE.iter().any(|name| name.as_bytes() == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_layout_do_not_count() {
        assert_eq!(words("<h1>Sum</h1>\n<p>Add <b>two</b>  numbers &lt; 5.</p>"), "sum add two numbers < 5.");
        assert_eq!(words("Sum\n\nAdd two numbers < 5."), "sum add two numbers < 5.");
        assert_eq!(words("<img src=x>"), "");
        assert_eq!(words("Sum <i>A</i> and <VAR>B</var>."), words("Sum A and B."));
        assert_eq!(words("<td>one<td>two<br>three"), "one two three");
    }
}
