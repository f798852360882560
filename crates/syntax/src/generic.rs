//! The generic tokenizer: words, numbers, strings and punctuation of any text that is code.
//!
//! It knows how a language writes comments and strings, and its keywords; it finds no fragments but the file.

use familiar_source::{Token, TokenClass};

use crate::{Confidence, FrontEnd, Output, Want};

/// How a language that has no front end of its own looks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Generic {
    /// What starts a comment to the end of the line, wherever it stands. Signs of letters are words.
    pub(crate) line_comments: &'static [&'static str],
    /// What does so only as the first thing on a line.
    pub(crate) first_on_line: &'static [&'static str],
    /// What does so only in the first column.
    pub(crate) first_column: &'static [&'static str],
    /// What starts and ends a comment over lines. An opening that begins with a line end stands in the first column.
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// The same of comments that may stand in each other.
    pub(crate) nested_comments: &'static [(&'static str, &'static str)],
    /// Characters that quote strings; a string ends on its line.
    pub(crate) quotes: &'static [u8],
    /// What starts and ends a string that may go over lines.
    pub(crate) long_strings: &'static [(&'static str, &'static str)],
    /// Whether keywords and comment signs are the same in either case.
    pub(crate) ignore_case: bool,
    /// In the order of their first letters, lower case where the case does not matter.
    pub(crate) keywords: &'static [&'static str],
    /// Words that import something, in a line that begins in the first column: as its first word, or after one of `=#@`.
    pub(crate) imports: &'static [&'static str],
}

impl FrontEnd for Generic {
    fn parse(&self, source: &[u8], _want: Want, out: &mut Output) -> Confidence {
        let mut scanner = Scanner::new(self, source);
        while let Some(byte) = source.get(scanner.at).copied() {
            if byte == b'\n' || byte == b'\r' {
                scanner.line_open = false;
            }
            if byte.is_ascii_whitespace() || byte == 0x0b {
                scanner.at += 1;
            } else if scanner.marks[byte as usize]
                && let Some(end) = scanner.comment_end()
            {
                scanner.at = end;
            } else {
                let mut token = scanner.token(byte);
                token.starts_line = !std::mem::replace(&mut scanner.line_open, true);
                scanner.mark_import(&mut token, out.tokens.as_mut_slice());
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
    /// Whether a token stands before this place on its line.
    line_open: bool,
    /// The first token of a line that may import something: one that begins in the first column.
    outer_line: Option<usize>,
    /// Whether it does import something.
    importing: bool,
    /// Bytes that a comment or a long string may start with.
    marks: [bool; 256],
    /// For each first letter, where its keywords start.
    keywords: [u16; 257],
    /// For each quote, the position before which it is known that no further one closes a string; it keeps the
    /// search for closing quotes linear.
    no_quote_before: [usize; 256],
    /// Long strings of which it is known that none is closed any more, by their place in the rules.
    never_closed: u32,
}

impl<'s> Scanner<'s> {
    fn new(rules: &'s Generic, source: &'s [u8]) -> Self {
        let mut marks = [false; 256];
        let lines = [rules.line_comments, rules.first_on_line, rules.first_column].into_iter().flatten();
        let pairs = rules.block_comments.iter().chain(rules.nested_comments).chain(rules.long_strings);
        let pairs = pairs.map(|(open, _)| open);
        for byte in lines.chain(pairs).filter_map(|sign| sign.trim_start().bytes().next()) {
            marks[byte.to_ascii_lowercase() as usize] = true;
            marks[byte.to_ascii_uppercase() as usize] = true;
        }
        let mut keywords = [0; 257];
        for (next, count) in keywords.iter_mut().enumerate() {
            let before = |word: &&str| usize::from(word.as_bytes()[0]) < next;
            *count = rules.keywords.partition_point(before) as u16;
        }
        Self {
            rules,
            source,
            at: 0,
            line_open: false,
            outer_line: None,
            importing: false,
            marks,
            keywords,
            no_quote_before: [0; 256],
            never_closed: 0,
        }
    }

    /// Makes `token`, which comes next, part of an import where its line is one; the tokens of the line before it, too.
    fn mark_import(&mut self, token: &mut Token, before: &mut [Token]) {
        if self.rules.imports.is_empty() {
            return;
        }
        if token.starts_line {
            let start = token.start as usize;
            let is_outer = start == 0 || matches!(self.source[start - 1], b'\n' | b'\r');
            (self.outer_line, self.importing) = (is_outer.then_some(before.len()), false);
        }
        if let Some(first) = self.outer_line.filter(|_| !self.importing)
            && self.rules.imports.iter().any(|word| word.as_bytes() == token.text(self.source))
        {
            let last = before[first..].last().map(|last| last.text(self.source));
            self.importing = matches!(last, None | Some(b"=" | b"#" | b"@"));
            if self.importing {
                before[first..].iter_mut().for_each(|token| token.class = TokenClass::Import);
            }
        }
        if self.importing {
            token.class = TokenClass::Import;
            self.importing = token.text(self.source) != b";";
        }
    }

    /// Where the comment that starts here ends.
    fn comment_end(&self) -> Option<usize> {
        let rest = &self.source[self.at..];
        for (open, close) in self.rules.block_comments {
            let sign = open.trim_start_matches('\n');
            if self.has_sign(rest, sign) && (sign.len() == open.len() || self.in_first_column()) {
                let body = &rest[sign.len()..];
                let end = memchr::memmem::find(body, close.as_bytes()).map(|at| at + close.len());
                return Some(self.at + sign.len() + end.unwrap_or(body.len()));
            }
        }
        for (open, close) in self.rules.nested_comments {
            if self.has_sign(rest, open) {
                return Some(self.at + open.len() + nested_end(&rest[open.len()..], open, close));
            }
        }
        let starts = self.rules.line_comments.iter().any(|sign| self.starts_comment(rest, sign))
            || !self.line_open && self.rules.first_on_line.iter().any(|sign| self.has_sign(rest, sign))
            || self.in_first_column() && self.rules.first_column.iter().any(|sign| self.has_sign(rest, sign));
        starts.then(|| self.line_end())
    }

    fn in_first_column(&self) -> bool {
        self.at == 0 || matches!(self.source[self.at - 1], b'\n' | b'\r')
    }

    /// Whether the comment sign stands at the start of `rest`; one of letters only as a whole word.
    fn has_sign(&self, rest: &[u8], sign: &str) -> bool {
        let Some(found) = rest.get(..sign.len()) else { return false };
        let same = if self.rules.ignore_case {
            found.eq_ignore_ascii_case(sign.as_bytes())
        } else {
            found == sign.as_bytes()
        };
        let ends_in_word = sign.as_bytes()[sign.len() - 1].is_ascii_alphabetic();
        same && !(ends_in_word && rest.get(sign.len()).is_some_and(|&byte| is_word(byte)))
    }

    /// A comment sign that is a word or a lone `#` counts only where a word could start, and `//` not in an address.
    fn starts_comment(&self, rest: &[u8], sign: &str) -> bool {
        let before = self.at.checked_sub(1).map(|at| self.source[at]);
        let lone = sign.len() == 1 || sign.as_bytes()[0].is_ascii_alphabetic();
        let glued = match before {
            Some(b'$' | b'&' | b'\\') => lone,
            Some(b':') => sign == "//",
            Some(byte) => lone && is_word(byte),
            None => false,
        };
        !glued && self.has_sign(rest, sign)
    }

    fn line_end(&self) -> usize {
        let rest = &self.source[self.at..];
        memchr::memchr2(b'\n', b'\r', rest).map_or(self.source.len(), |end| self.at + end)
    }

    fn token(&mut self, byte: u8) -> Token {
        let start = self.at;
        let (class, end) = if self.marks[byte as usize]
            && let Some(end) = self.long_string_end()
        {
            (TokenClass::String, end)
        } else if self.rules.quotes.contains(&byte) {
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

    /// Where the long string that starts here ends.
    fn long_string_end(&mut self) -> Option<usize> {
        let rest = &self.source[self.at..];
        let open = |(open, _): &(&str, &str)| rest.starts_with(open.as_bytes());
        let which = self.rules.long_strings.iter().position(open)?;
        if self.never_closed >> which & 1 == 1 {
            return None;
        }
        let (open, close) = self.rules.long_strings[which];
        let end = memchr::memmem::find(&rest[open.len()..], close.as_bytes());
        self.never_closed |= u32::from(end.is_none()) << which;
        end.map(|at| self.at + open.len() + at + close.len())
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
        let first = if self.rules.ignore_case { word[0].to_ascii_lowercase() } else { word[0] } as usize;
        let known = &self.rules.keywords[self.keywords[first] as usize..self.keywords[first + 1] as usize];
        let is_keyword = |keyword: &&str| {
            if self.rules.ignore_case {
                keyword.as_bytes().eq_ignore_ascii_case(word)
            } else {
                keyword.as_bytes() == word
            }
        };
        if word[0].is_ascii_digit() {
            TokenClass::Number
        } else if known.iter().any(is_keyword) {
            TokenClass::Keyword
        } else {
            TokenClass::Identifier
        }
    }
}

/// Where a comment ends that was opened before `body`, with those in it.
fn nested_end(body: &[u8], open: &str, close: &str) -> usize {
    let (mut at, mut depth) = (0, 1_usize);
    let (open, close) = (open.as_bytes(), close.as_bytes());
    while let Some(found) = memchr::memchr2(open[0], close[0], &body[at..]) {
        at += found;
        if body[at..].starts_with(close) {
            at += close.len();
            depth -= 1;
            if depth == 0 {
                return at;
            }
        } else if body[at..].starts_with(open) {
            at += open.len();
            depth += 1;
        } else {
            at += 1;
        }
    }
    body.len()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Generic = Generic {
        line_comments: &["#", "NB."],
        first_on_line: &["REM"],
        first_column: &["*"],
        block_comments: &[("/*", "*/"), ("\n=pod", "\n=cut")],
        nested_comments: &[("{-", "-}")],
        quotes: b"\"'",
        long_strings: &[("\"\"\"", "\"\"\""), ("[[", "]]")],
        ignore_case: false,
        keywords: &["if"],
        imports: &["use", "require"],
    };

    fn texts(source: &str) -> Vec<(TokenClass, String)> {
        texts_by(&RULES, source)
    }

    fn texts_by(rules: &Generic, source: &str) -> Vec<(TokenClass, String)> {
        let mut out = Output::default();
        rules.parse(source.as_bytes(), Want::default(), &mut out);
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

    fn visible(rules: &Generic, source: &str) -> String {
        texts_by(rules, source).into_iter().map(|(_, text)| text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comment_signs_count_where_the_language_says() {
        assert_eq!(visible(&RULES, "a REM b\n REM c\nREMARK\n* d\n e * f"), "a REM b REMARK e * f");
        assert_eq!(visible(&RULES, "a\n=pod\nb\n=cut\nc =pod"), "a c = pod");
        assert_eq!(visible(&RULES, "a NB. b\nNB.c\nxNB. d"), "a xNB . d");
        assert_eq!(visible(&RULES, "rem a"), "rem a");
        assert_eq!(visible(&Generic { ignore_case: true, ..RULES }, "rem a\nIF b"), "IF b");
        let slashes = Generic { line_comments: &["//"], ..RULES };
        assert_eq!(visible(&slashes, "http://a // b\nc//d"), "http : / / a c");
    }

    #[test]
    fn comments_end_with_those_in_them_where_they_nest() {
        assert_eq!(visible(&RULES, "a {- b {- c -} d -} e {--} f"), "a e f");
        assert_eq!(visible(&RULES, "a {- b {- c -} d"), "a");
        assert_eq!(visible(&RULES, "a /* b /* c */ d"), "a d");
    }

    #[test]
    fn long_strings_go_over_lines_where_they_end() {
        let found = texts("\"\"\"a\n# b\"\"\" [[c\n]] [[d");
        assert_eq!(found[0], (TokenClass::String, "\"\"\"a\n# b\"\"\"".to_owned()));
        assert_eq!(found[1], (TokenClass::String, "[[c\n]]".to_owned()));
        assert_eq!(found.len(), 5);
    }

    #[test]
    fn imports_begin_in_the_first_column() {
        let imports = |source: &str| -> String {
            let all = texts(source).into_iter().filter(|(class, _)| *class == TokenClass::Import);
            all.map(|(_, text)| text).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(imports("use a.b;\nx = use c\n  use d\ny use e"), "use a . b ; x = use c");
        assert_eq!(imports("local m = require('m'); m.f(1)"), "local m = require ( 'm' ) ;");
        assert_eq!(imports("#require 'a'\nuser = 1\nf(require)"), "", "a comment, and other words");
    }

    #[test]
    fn unclosed_quotes_cost_linear_time() {
        let line = "\\\"".repeat(500_000);
        assert_eq!(texts(&format!("x{line}")).len(), 1_000_001);
        assert_eq!(texts(&"[[ ".repeat(100_000)).len(), 200_000);
    }
}
