//! A sequence with what of its text is needed to say where something stands.

use familiar_source::{Language, Span, Token, TokenClass};

use super::sequence::Sequence;
use super::structure::Structure;
use super::{pieces, words};

/// A sequence, where its statements stand in the text, and how its words are spelled.
#[derive(Debug, Default)]
pub(crate) struct Placed {
    pub(crate) sequence: Sequence,
    /// The bytes of each statement, from its first token that counts to its last.
    pub(crate) statements: Vec<Span>,
    /// How each of the sequence's words is spelled, in small letters.
    pub(crate) words: Vec<String>,
}

impl Placed {
    /// Reads the `tokens` of `text` as [`Sequence::new`] does.
    pub(super) fn new(language: Language, text: &[u8], tokens: &[Token]) -> Self {
        let places = Structure::of(language, text, tokens);
        let sequence = Sequence::at(&places, text, tokens);
        let (mut statements, mut spelled) = (Vec::with_capacity(sequence.statement_count()), Vec::new());
        for (place, &statement) in places.iter().zip(&sequence.statements) {
            let token = &tokens[place.token];
            if statements.len() == usize::from(statement) {
                statements.push(Span::new(token.start, token.end));
            } else if let Some(last) = statements.last_mut() {
                *last = Span::new(last.start, token.end);
            }
            spell(token, token.text(text), &mut spelled);
        }
        debug_assert_eq!(spelled.len(), sequence.words.len());
        Self { sequence, statements, words: spelled }
    }
}

/// Puts the words of a token into `out`, those that a sequence has of it.
fn spell(token: &Token, text: &[u8], out: &mut Vec<String>) {
    match token.class {
        TokenClass::Identifier => words::spelled_in_name(text, out),
        TokenClass::String | TokenClass::Char if pieces::one_character(text).is_none() => {
            words::spelled_in_string(text, out);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SequenceReader;

    #[test]
    fn a_placed_sequence_is_the_sequence_with_its_statements_and_words() {
        let text = b"int f(int maxSum) {\n  log(\"not found: %d\",\n      'x');\n  return maxSum;\n}\n";
        let placed = SequenceReader::default().read_placed(Language::C, text);
        assert_eq!(placed.sequence, SequenceReader::default().read(Language::C, text));
        let statements: Vec<String> = placed
            .statements
            .iter()
            .map(|span| String::from_utf8_lossy(&text[span.range()]).into_owned())
            .collect();
        assert_eq!(statements, ["int f(int maxSum)", "log(\"not found: %d\",\n      'x')", "return maxSum"]);
        assert_eq!(placed.words, ["f", "max", "sum", "log", "not", "found", "%", "d", "max", "sum"]);
    }

    #[test]
    fn text_without_tokens_has_neither() {
        let placed = SequenceReader::default().read_placed(Language::Python, b"# nothing\n");
        assert!(placed.sequence.is_empty() && placed.statements.is_empty() && placed.words.is_empty());
    }
}
