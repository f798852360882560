//! Which class a token has.

use familiar_source::{Language, TokenClass};

use super::directives;
use super::model::Class;
use super::reserved;
use super::words::Words;

/// What a language's tokens are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    words: Option<&'static Words>,
    /// Whether `>>` and `>>>` are one token even where they close type arguments.
    joins_shifts: bool,
    has_preprocessor: bool,
    /// Whether a single quote is around a character.
    has_characters: bool,
}

impl Rules {
    pub(super) fn of(language: Language) -> Self {
        Self {
            words: reserved::of(language),
            joins_shifts: matches!(language, Language::Java | Language::Rust),
            has_preprocessor: directives::has_preprocessor(language),
            has_characters: matches!(
                language,
                Language::C | Language::Cpp | Language::ObjectiveC | Language::Java | Language::CSharp
            ),
        }
    }

    #[inline]
    pub(super) fn joins_shifts(&self) -> bool {
        self.joins_shifts
    }

    /// The class of a token that its front end says is a `class`.
    #[inline]
    pub(super) fn class(&self, class: TokenClass, text: &[u8]) -> Class {
        match class {
            TokenClass::Operator => self.sign(text),
            TokenClass::Keyword | TokenClass::Type | TokenClass::Identifier => match self.words {
                Some(words) if words.has(text) => Class::Keyword,
                Some(_) => Class::Identifier,
                None if class == TokenClass::Identifier => Class::Identifier,
                None => Class::Keyword,
            },
            TokenClass::Number => number(text),
            TokenClass::String => Class::String,
            TokenClass::Char => Class::Character,
            TokenClass::Import => self.class_of_text(text),
        }
    }

    /// The class of a token as its text alone shows it.
    pub(super) fn class_of_text(&self, text: &[u8]) -> Class {
        let (Some(&first), Some(&last)) = (text.first(), text.last()) else { return Class::Operator };
        match first {
            b'\'' if self.has_characters => Class::Character,
            b'"' | b'\'' | b'`' => Class::String,
            b'0'..=b'9' => number(text),
            b'.' if text.get(1).is_some_and(u8::is_ascii_digit) => number(text),
            // A prefix may stand before the quote.
            _ if is_word(first) && matches!(last, b'"' | b'\'') => Class::String,
            _ if is_word(first) || text.len() > 1 && is_word(text[1]) => {
                let words = self.words.unwrap_or(&reserved::IMPORTS);
                if words.has(text) { Class::Keyword } else { Class::Identifier }
            }
            b'<' if last == b'>' && text.len() > 1 => Class::String,
            _ => self.sign(text),
        }
    }

    fn sign(&self, text: &[u8]) -> Class {
        if self.has_preprocessor && text.first() == Some(&b'#') {
            Class::Preprocessor
        } else {
            Class::Operator
        }
    }
}

/// Tells keywords, operators and signs from everything else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reserved {
    words: Option<&'static Words>,
}

impl Reserved {
    pub(crate) fn of(language: Language) -> Self {
        Self { words: reserved::of(language) }
    }

    /// Whether a token that is no literal is one. `is_keyword` decides where the language has no list of words.
    pub(crate) fn has(self, text: &[u8], is_keyword: bool) -> bool {
        match self.words {
            _ if !text.iter().copied().any(is_word) => true,
            Some(words) => words.has(text),
            None => is_keyword,
        }
    }
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Whether a number is an integer. Imaginary numbers are none.
fn number(text: &[u8]) -> Class {
    let is_floating = match text {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().any(|byte| matches!(byte, b'.' | b'p' | b'P')),
        [b'0', b'b' | b'B' | b'o' | b'O', ..] => false,
        _ => text.contains(&b'.') || has_floating_end(text),
    };
    if is_floating { Class::Floating } else { Class::Integer }
}

/// Whether a decimal number without a point has an exponent, or ends so that it is no integer.
fn has_floating_end(text: &[u8]) -> bool {
    let Some(at) = text.iter().position(u8::is_ascii_alphabetic) else { return false };
    match &text[at..] {
        [b'e' | b'E', next, ..] => next.is_ascii_digit() || matches!(next, b'+' | b'-' | b'_'),
        [b'f' | b'F' | b'd' | b'D' | b'm' | b'M' | b'i' | b'j' | b'J'] => true,
        [b'f', size @ ..] => size.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_integers_or_not() {
        for text in
            ["0", "12", "1_000L", "0x1F", "0xE+1", "0b1010", "0o17", "017", "10UL", "1usize", "5n", "1i32"]
        {
            assert_eq!(number(text.as_bytes()), Class::Integer, "{text}");
        }
        for text in
            ["1.", ".5", "1e9", "1E-3", "2.5f", "1f", "1d", "0x1.8p3", "0x1p-2", "1j", "3i", "1f64", "1m"]
        {
            assert_eq!(number(text.as_bytes()), Class::Floating, "{text}");
        }
    }

    #[test]
    fn words_of_imports_are_told_by_their_text() {
        use Class::{Identifier, Keyword, Operator, String};
        let java = Rules::of(Language::Java);
        let classes = ["import", "static", "java", ".", "*", ";", "@", "\"x\""]
            .map(|it| java.class(TokenClass::Import, it.as_bytes()));
        let expected = [Keyword, Keyword, Identifier, Operator, Operator, Operator, Operator, String];
        assert_eq!(classes, expected);
    }
}
