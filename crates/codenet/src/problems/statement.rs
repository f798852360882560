//! What a statement says, whatever its markup and layout.

use html5gum::{Token, Tokenizer};

/// The words of a statement in HTML or plain text, in lower case, with one space between them.
pub(super) fn words(html: &str) -> String {
    let mut text = String::new();
    for token in Tokenizer::new(html).flatten() {
        match token {
            Token::String(string) => text.push_str(&String::from_utf8_lossy(&string.value)),
            // Tags part words as white space does.
            Token::StartTag(_) | Token::EndTag(_) => text.push(' '),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_layout_do_not_count() {
        assert_eq!(words("<h1>Sum</h1>\n<p>Add <b>two</b>  numbers &lt; 5.</p>"), "sum add two numbers < 5.");
        assert_eq!(words("Sum\n\nAdd two numbers < 5."), "sum add two numbers < 5.");
        assert_eq!(words("<img src=x>"), "");
    }
}
