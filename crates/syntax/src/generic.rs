//! The generic tokenizer: words, numbers, strings and punctuation of any text that is code.
//!
//! It knows how a language writes comments and strings, and its keywords; it finds no fragments but the file.

use familiar_source::{Token, TokenClass};

use crate::{Confidence, FrontEnd, Output, Want};

/// How a language that has no front end of its own looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Generic {
    /// What starts a comment to the end of the line.
    pub line_comments: &'static [&'static str],
    /// What starts and ends a comment over lines.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Characters that quote strings; a string ends on its line.
    pub quotes: &'static [u8],
    /// Whether keywords are the same in either case.
    pub ignore_case: bool,
    pub keywords: &'static [&'static str],
}

impl FrontEnd for Generic {
    fn parse(&self, source: &[u8], _want: Want, out: &mut Output) -> Confidence {
        let mut scanner = Scanner { rules: self, source, at: 0, no_quote_before: [0; 256] };
        let mut line_open = false;
        while let Some(byte) = source.get(scanner.at).copied() {
            if byte == b'\n' || byte == b'\r' {
                line_open = false;
            }
            if byte.is_ascii_whitespace() || byte == 0x0b {
                scanner.at += 1;
            } else if let Some(end) = scanner.comment_end() {
                scanner.at = end;
            } else {
                let mut token = scanner.token(byte);
                token.starts_line = !std::mem::replace(&mut line_open, true);
                out.tokens.push(token);
                if out.tokens.is_full() {
                    break;
                }
            }
        }
        Confidence::Sure
    }
}

struct Scanner<'s> {
    rules: &'s Generic,
    source: &'s [u8],
    at: usize,
    /// For each quote, the position before which it is known that no further one closes a string; it keeps the
    /// search for closing quotes linear.
    no_quote_before: [usize; 256],
}

impl Scanner<'_> {
    /// Where the comment that starts here ends.
    fn comment_end(&self) -> Option<usize> {
        let rest = &self.source[self.at..];
        for (open, close) in self.rules.block_comments {
            if rest.starts_with(open.as_bytes()) {
                let body = &rest[open.len()..];
                let end = memchr::memmem::find(body, close.as_bytes()).map(|at| at + close.len());
                return Some(self.at + open.len() + end.unwrap_or(body.len()));
            }
        }
        let starts = self.rules.line_comments.iter().any(|start| self.starts_comment(rest, start));
        starts.then(|| self.line_end())
    }

    /// A comment sign that is a word or a lone `#` counts only where a word could start.
    fn starts_comment(&self, rest: &[u8], start: &str) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.source[at]);
        let glued = before.is_some_and(|byte| is_word(byte) || matches!(byte, b'$' | b'&' | b'\\'));
        rest.starts_with(start.as_bytes()) && !(glued && start.len() == 1)
    }

    fn line_end(&self) -> usize {
        let rest = &self.source[self.at..];
        memchr::memchr2(b'\n', b'\r', rest).map_or(self.source.len(), |end| self.at + end)
    }

    fn token(&mut self, byte: u8) -> Token {
        let start = self.at;
        let (class, end) = if self.rules.quotes.contains(&byte) {
            match self.closing_quote(byte) {
                Some(end) => (TokenClass::String, end),
                None => (TokenClass::Operator, start + 1),
            }
        } else if is_word(byte) {
            let rest = &self.source[start..];
            let end = start + rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
            (self.word_class(&self.source[start..end]), end)
        } else {
            (TokenClass::Operator, start + 1)
        };
        self.at = end;
        Token::new(class, 0, start, end)
    }

    fn closing_quote(&mut self, quote: u8) -> Option<usize> {
        if self.at < self.no_quote_before[quote as usize] {
            return None;
        }
        let mut at = self.at + 1;
        while let Some(found) = memchr::memchr3(quote, b'\\', b'\n', self.source.get(at..)?) {
            at += found;
            match self.source[at] {
                b'\\' => at += 2,
                b'\n' => break,
                _ => return Some(at + 1),
            }
        }
        self.no_quote_before[quote as usize] = at;
        None
    }

    fn word_class(&self, word: &[u8]) -> TokenClass {
        let is_keyword = |keyword: &&str| {
            if self.rules.ignore_case {
                keyword.as_bytes().eq_ignore_ascii_case(word)
            } else {
                keyword.as_bytes() == word
            }
        };
        if word[0].is_ascii_digit() {
            TokenClass::Number
        } else if self.rules.keywords.iter().any(is_keyword) {
            TokenClass::Keyword
        } else {
            TokenClass::Identifier
        }
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Generic = Generic {
        line_comments: &["#"],
        block_comments: &[("/*", "*/")],
        quotes: b"\"'",
        ignore_case: false,
        keywords: &["if"],
    };

    fn texts(source: &str) -> Vec<(TokenClass, String)> {
        let mut out = Output::default();
        RULES.parse(source.as_bytes(), Want::default(), &mut out);
        let text = |token: &Token| String::from_utf8_lossy(token.text(source.as_bytes())).into_owned();
        out.tokens.iter().map(|token| (token.class, text(token))).collect()
    }

    #[test]
    fn comments_strings_words_and_the_rest() {
        let found = texts("if a1 'b \\' c' # no\n/* no */ $#x 2x don't");
        let expected = [
            (TokenClass::Keyword, "if"),
            (TokenClass::Identifier, "a1"),
            (TokenClass::String, "'b \\' c'"),
            (TokenClass::Operator, "$"),
            (TokenClass::Operator, "#"),
            (TokenClass::Identifier, "x"),
            (TokenClass::Number, "2x"),
            (TokenClass::Identifier, "don"),
            (TokenClass::Operator, "'"),
            (TokenClass::Identifier, "t"),
        ];
        assert_eq!(found, expected.map(|(class, text)| (class, text.to_owned())));
    }

    #[test]
    fn unclosed_quotes_cost_linear_time() {
        let line = "\\\"".repeat(500_000);
        assert_eq!(texts(&format!("x{line}")).len(), 1_000_001);
    }
}
