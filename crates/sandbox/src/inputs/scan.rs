//! What stands in a text of code: numbers, strings, comments, names and operators, without a parser.

use familiar_source::Language;
use std::ops::Range;

/// The kind of a piece.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Piece {
    Number,
    Text,
    Name,
    Operator,
}

/// Operators of two and three letters, the longest first. What is not in the list is taken letter by letter.
const LONG: [&str; 26] = [
    "===", "!==", "**=", "//=", "<<=", ">>=", "...", "==", "!=", "<=", ">=", "&&", "||", "->", "=>", "++",
    "--", "+=", "-=", "*=", "/=", "%=", "**", "//", "<<", ">>",
];

/// The pieces of `text` in their order. Comments and spaces are left out.
pub(crate) fn pieces(text: &str, language: Language) -> Vec<(Piece, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, length) = if letter.is_whitespace() {
            (None, letter.len_utf8())
        } else if let Some(length) = comment(rest, language) {
            (None, length)
        } else if let Some(length) = string(rest, language) {
            (Some(Piece::Text), length)
        } else if letter.is_ascii_digit() {
            (Some(Piece::Number), number(rest))
        } else if letter.is_alphabetic() || letter == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            (Some(Piece::Name), end.unwrap_or(rest.len()))
        } else {
            let long = LONG.iter().find(|long| rest.starts_with(**long));
            (Some(Piece::Operator), long.map_or(letter.len_utf8(), |long| long.len()))
        };
        if let Some(kind) = kind {
            found.push((kind, at..at + length));
        }
        at += length;
    }
    found
}

fn comment(rest: &str, language: Language) -> Option<usize> {
    let line = |rest: &str| rest.find('\n').unwrap_or(rest.len());
    if language == Language::Python {
        return rest.starts_with('#').then(|| line(rest));
    }
    if rest.starts_with("//") {
        return Some(line(rest));
    }
    rest.starts_with("/*").then(|| rest[2..].find("*/").map_or(rest.len(), |end| end + 4))
}

fn string(rest: &str, language: Language) -> Option<usize> {
    if language == Language::Python {
        for quote in ["\"\"\"", "'''"] {
            if rest.starts_with(quote) {
                return Some(rest[3..].find(quote).map_or(rest.len(), |end| end + 6));
            }
        }
    }
    let quote = rest.chars().next().filter(|letter| "\"'`".contains(*letter))?;
    let mut escaped = false;
    for (place, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' if quote != '`' => return Some(place),
            letter if letter == quote => return Some(place + 1),
            _ => {}
        }
    }
    Some(rest.len())
}

fn number(rest: &str) -> usize {
    let mut before = ' ';
    for (place, letter) in rest.char_indices() {
        let exponent = "eE".contains(before) && "+-".contains(letter) && !rest.starts_with("0x");
        if !(letter.is_alphanumeric() || letter == '.' || letter == '_' || exponent) {
            return place;
        }
        before = letter;
    }
    rest.len()
}

/// The parts of a list between brackets, cut at commas that stand in no bracket within: `text` begins behind the opening bracket.
/// Nothing if the list does not end.
pub(crate) fn parts(text: &str, language: Language, angles: bool) -> Option<Vec<String>> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (kind, range) in pieces(text, language) {
        if kind != Piece::Operator {
            continue;
        }
        match &text[range.clone()] {
            "(" | "[" | "{" => depth += 1,
            "<" if angles => depth += 1,
            closed @ (">" | ">>") if angles => depth = depth.saturating_sub(closed.len()),
            ")" | "]" | "}" if depth == 0 => {
                found.push(text[start..range.start].trim().to_owned());
                found.retain(|part| !part.is_empty());
                return Some(found);
            }
            ")" | "]" | "}" => depth -= 1,
            "," if depth == 0 => {
                found.push(text[start..range.start].trim().to_owned());
                start = range.end;
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_falls_into_its_pieces() {
        let text = "if x <= 1.5e-3: # no\n    y = 'a # b' + \"\"\"c\nd\"\"\" ** 0x1f";
        let found: Vec<&str> =
            pieces(text, Language::Python).into_iter().map(|(_, range)| &text[range]).collect();
        let expected =
            ["if", "x", "<=", "1.5e-3", ":", "y", "=", "'a # b'", "+", "\"\"\"c\nd\"\"\"", "**", "0x1f"];
        assert_eq!(found, expected);
    }

    #[test]
    fn arguments_are_cut_where_no_bracket_is_open() {
        let found = parts("[1, 2], {'a': (3, 4)}, ')') == 5", Language::Python, false);
        assert_eq!(found.expect("it ends"), ["[1, 2]", "{'a': (3, 4)}", "')'"]);
        assert_eq!(parts("Map<String, Integer> m, int x)", Language::Java, true).expect("it ends").len(), 2);
        assert_eq!(parts("1, 2", Language::Java, false), None);
        assert!(parts(")", Language::Java, false).expect("it ends").is_empty());
    }
}
