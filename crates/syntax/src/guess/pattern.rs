//! Patterns of tokens in a line.
//!
//! A pattern is words between spaces: `NAME`, `NUMBER` and `STRING` stand for any such token, `REST` for any tokens up to what
//! follows it, `END` for the end of the line, `^` at the start for its beginning; everything else stands for itself.

use super::lines::{Kind, Token};

#[derive(Debug)]
pub(super) struct Pattern {
    /// Whether it matches at the start of a line alone.
    anchored: bool,
    parts: Vec<Part>,
}

#[derive(Debug)]
enum Part {
    Literal(&'static str),
    Any(Kind),
    Rest,
    End,
}

impl Pattern {
    pub(super) fn new(text: &'static str) -> Self {
        let (anchored, text) = match text.trim().strip_prefix('^') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let part = |word| match word {
            "NAME" => Part::Any(Kind::Name),
            "NUMBER" => Part::Any(Kind::Number),
            "STRING" => Part::Any(Kind::String),
            "REST" => Part::Rest,
            "END" => Part::End,
            literal => Part::Literal(literal),
        };
        Self { anchored, parts: text.split_whitespace().map(part).collect() }
    }

    /// The text of the first token, where the pattern says it.
    pub(super) fn first(&self) -> Option<&'static str> {
        if let Some(Part::Literal(text)) = self.parts.first() { Some(text) } else { None }
    }

    /// Whether the pattern matches the tokens of a line from `at` on.
    pub(super) fn matches(&self, tokens: &[Token<'_>], at: usize) -> bool {
        (at == 0 || !self.anchored) && follows(&self.parts, &tokens[at..])
    }
}

fn follows(parts: &[Part], tokens: &[Token<'_>]) -> bool {
    let Some((part, parts)) = parts.split_first() else { return true };
    match part {
        Part::End => tokens.is_empty(),
        Part::Rest => (0..=tokens.len()).any(|skipped| follows(parts, &tokens[skipped..])),
        Part::Literal(text) => {
            tokens.split_first().is_some_and(|(first, rest)| first.text == *text && follows(parts, rest))
        }
        Part::Any(kind) => {
            tokens.split_first().is_some_and(|(first, rest)| first.kind == *kind && follows(parts, rest))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::Lines;
    use super::*;

    #[test]
    fn a_pattern_matches_where_its_parts_follow_one_another() {
        let is_in = |pattern: &'static str, line: &str| {
            let mut tokens = Vec::new();
            Lines::default().read(line, &mut tokens);
            (0..tokens.len()).any(|at| Pattern::new(pattern).matches(&tokens, at))
        };
        assert!(is_in("^ def NAME ( REST ) :", "    def f(a, b): pass"));
        assert!(!is_in("^ def NAME", "undef f") && !is_in("^ f", "def f"));
        assert!(is_in("= STRING ; END", "a = 'b'; // c") && !is_in("; END", "a; b"));
        assert!(is_in("NAME . f ( NUMBER", "x.y.f(1)"));
    }
}
