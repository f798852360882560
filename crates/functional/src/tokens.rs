//! The tokens of a side, each with its text.

use familiar_source::{Language, TokenClass};
use familiar_syntax::{Parser, Want};

/// A token, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) class: TokenClass,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Word<'_> {
    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Whether it may name something: a name, or a word that is a keyword of another language.
    pub(crate) fn names(&self) -> bool {
        let mut letters = self.text.chars();
        letters.next().is_some_and(|letter| letter.is_alphabetic() || letter == '_' || letter == '$')
            && matches!(self.class, TokenClass::Identifier | TokenClass::Type | TokenClass::Keyword)
    }
}

/// All tokens of a text, in their order.
pub(crate) fn words(text: &str, language: Language) -> Vec<Word<'_>> {
    let mut parser = Parser::default();
    let parsed = parser.parse(language, text.as_bytes(), Want::default());
    let mut all = Vec::new();
    for token in parsed.tokens {
        let (start, end) = (token.start as usize, token.end as usize);
        let Some(text) = text.get(start..end) else { continue };
        // A lexer may join what other ones part, such as the brackets of nested types.
        if text.len() > 1 && text.bytes().all(|byte| byte == b'>') {
            let each = (start..end).map(|at| Word { text: ">", class: token.class, start: at, end: at + 1 });
            all.extend(each);
            continue;
        }
        all.push(Word { text, class: token.class, start, end });
    }
    all
}

/// The place of the bracket that closes the one at `open`.
pub(crate) fn closing(words: &[Word<'_>], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, word) in words.iter().enumerate().skip(open) {
        match word.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(place);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts of `words`, cut at commas that stand in no bracket.
pub(crate) fn parts<'w, 't>(words: &'w [Word<'t>]) -> Vec<&'w [Word<'t>]> {
    let (mut depth, mut start, mut all) = (0_i32, 0, Vec::new());
    for (place, word) in words.iter().enumerate() {
        match word.text {
            "(" | "[" | "{" | "<" => depth += 1,
            ")" | "]" | "}" | ">" => depth -= 1,
            "," if depth <= 0 => {
                all.push(&words[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    all.push(&words[start..]);
    all.retain(|part| !part.is_empty());
    all
}

/// The text of some words, without the spaces that need not be.
pub(crate) fn joined(words: &[Word<'_>]) -> String {
    let mut all = String::new();
    for word in words {
        let part =
            |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
        if part(all.chars().next_back()) && part(word.text.chars().next()) {
            all.push(' ');
        }
        all.push_str(word.text);
    }
    all
}
