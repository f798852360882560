//! What a judge sees of a pair.

use familiar_judging::{Judgement, Round};
use familiar_source::{Language, TokenClass};
use familiar_syntax::{Parser, Want};
use serde::Serialize;
use serde_json::Value;

/// A pair as a judge sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    pub pair_id: String,
    /// What stands above both sides.
    pub headings: [String; 2],
    pub sides: [Vec<Piece>; 2],
    /// What the seed is to do, in words.
    pub specification: Option<String>,
    pub round: Round,
    /// Whether what others said is hidden.
    pub blind: bool,
    pub others: Vec<Judgement>,
    /// What the judge said before.
    pub own: Option<Judgement>,
    /// What the tests say, unless it is hidden or there are none.
    pub tests: Option<Value>,
}

/// Some of a text, with what it is: the name of a class of tokens, `comment`, or nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Piece(pub &'static str, pub String);

/// Longest text whose tokens are colored.
const LONGEST: usize = 1 << 20;

/// The text in pieces, which together are the whole text.
pub(super) fn colored(parser: &mut Parser, lang: &str, code: &str) -> Vec<Piece> {
    let language = Language::from_name(lang).unwrap_or(Language::Other);
    if code.len() > LONGEST {
        return vec![Piece("", code.to_owned())];
    }
    let parsed = parser.parse(language, code.as_bytes(), Want::default());
    let mut pieces: Vec<Piece> = Vec::new();
    let mut end = 0;
    let between = |from: usize, to: usize| {
        let text = code.get(from..to).unwrap_or_default();
        Piece(if text.trim().is_empty() { "" } else { "comment" }, text.to_owned())
    };
    for token in parsed.tokens {
        let (from, to) = (token.start as usize, token.end as usize);
        // A token that is no whole piece of the text stays with what comes after it.
        let Some(text) = code.get(from..to).filter(|_| from >= end && code.is_char_boundary(end)) else {
            continue;
        };
        pieces.push(between(end, from));
        pieces.push(Piece(class(token.class), text.to_owned()));
        end = to;
    }
    pieces.push(between(end, code.len()));
    pieces.retain(|piece| !piece.1.is_empty());
    pieces
}

fn class(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Keyword | TokenClass::Import => "keyword",
        TokenClass::Type => "type",
        TokenClass::Number => "number",
        TokenClass::String | TokenClass::Char => "string",
        TokenClass::Identifier | TokenClass::Operator => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole_text() {
        let texts = [
            ("python", "def f(x):\n    # <b>\n    return \"</script>\" + x\n"),
            ("java", "/* é */ int f() { return 1; } // ende"),
            ("python", "def f(:\n  'unterminated \u{1f600}\n"),
            ("nothing", "some words"),
            ("c", ""),
        ];
        let mut parser = Parser::default();
        for (lang, code) in texts {
            let pieces = colored(&mut parser, lang, code);
            assert_eq!(pieces.iter().map(|it| it.1.as_str()).collect::<String>(), code);
        }
        let pieces = colored(&mut parser, texts[0].0, texts[0].1);
        assert!(pieces.contains(&Piece("keyword", "def".to_owned())));
        assert!(pieces.contains(&Piece("string", "\"</script>\"".to_owned())));
        assert!(pieces.iter().any(|it| it.0 == "comment" && it.1.contains("# <b>")));
    }
}
