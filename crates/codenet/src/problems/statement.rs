//! What a statement says, whatever its markup and layout.

use std::path::PathBuf;

use familiar_files::named;
use html5gum::{Token, Tokenizer};

use crate::layout::Layout;

/// Most bytes of a statement.
const MOST_BYTES: u64 = 16 << 20;

/// The statement of a problem, in HTML or plain text; `None` where no set has one.
pub(super) fn read(data: &[PathBuf], problem: &str) -> Option<String> {
    let mut sets = data.iter().filter(|path| Layout::is_set(path));
    let bytes =
        sets.find_map(|path| named::read(&Layout::new(path).description(problem), MOST_BYTES).ok())?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The words of a statement in HTML or plain text, in lower case, with one space between them.
pub(super) fn words(html: &str) -> String {
    let text = plain(html, ' ');
    let mut words = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(&word.to_lowercase());
    }
    words
}

/// The text of a statement without its tags. `between` parts what tags part: those inside a line part nothing.
pub(super) fn plain(html: &str, between: char) -> String {
    let mut text = String::new();
    for token in Tokenizer::new(html).flatten() {
        match token {
            Token::String(string) => text.push_str(&String::from_utf8_lossy(&string.value)),
            Token::StartTag(tag) if !is_inline(&tag.name) => text.push(between),
            Token::EndTag(tag) if !is_inline(&tag.name) => text.push(between),
            _ => {}
        }
    }
    text
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
