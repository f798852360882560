//! The grammar of expressions: `+` binds closest, then WITH, AND and OR.

use std::str::FromStr;

use super::names;
use super::tree::{Expression, License};

/// More bytes than any expression that people write; lists of licenses that are longer are no expressions.
const MAX_BYTES: usize = 64 << 10;
/// More parentheses within each other than anybody writes.
const MAX_DEPTH: usize = 64;

/// Why a text is no license expression.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidExpression {
    #[error("the license expression is empty; write NONE or NOASSERTION where no license is known")]
    Empty,
    #[error("a license expression of {0} bytes is too long; at most {MAX_BYTES} are read")]
    TooLong(usize),
    #[error("parentheses in a license expression are nested more than {MAX_DEPTH} deep")]
    TooDeep,
    #[error("`{found}` (byte {at}) cannot stand in a license expression; join licenses by AND, OR and WITH")]
    Character { found: char, at: usize },
    #[error("`{0}` is not in the SPDX license list; write `LicenseRef-…` for other licenses")]
    UnknownLicense(String),
    #[error("`{0}` is not in the SPDX list of exceptions; write `AdditionRef-…` for others")]
    UnknownException(String),
    #[error("expected {expected} at byte {at} of a license expression")]
    Expected { expected: &'static str, at: usize },
    #[error("`{0}` cannot be combined with other licenses in an expression; write it alone")]
    NotAlone(&'static str),
    #[error("`{0}` already names an exception, so WITH cannot add another")]
    TwoExceptions(String),
}

impl Expression {
    /// Reads an expression as SPDX writes them. Operators and identifiers are read in any case and get SPDX's own; identifiers that
    /// SPDX has given up for others get the others (`GPL-2.0+`, `GPL-2.0-with-classpath-exception`). What people write instead of
    /// expressions (`Apache 2.0`, `MIT/Apache`) is an error here.
    pub fn parse(text: &str) -> Result<Self, InvalidExpression> {
        parse(text)
    }
}

impl FromStr for Expression {
    type Err = InvalidExpression;

    fn from_str(text: &str) -> Result<Self, InvalidExpression> {
        Self::parse(text)
    }
}

fn parse(text: &str) -> Result<Expression, InvalidExpression> {
    if text.len() > MAX_BYTES {
        return Err(InvalidExpression::TooLong(text.len()));
    }
    for word in [Expression::NONE, Expression::NOASSERTION] {
        if text.trim().eq_ignore_ascii_case(word) {
            return Ok(Expression::of(word));
        }
    }
    let words = words(text)?;
    if words.is_empty() {
        return Err(InvalidExpression::Empty);
    }
    let mut reader = Reader { words: &words, at: 0, end: text.len(), depth: 0 };
    let expression = reader.either()?;
    match reader.peek() {
        None => Ok(expression),
        Some(_) => Err(reader.expected("AND, OR, WITH or the end")),
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Open,
    Close,
    And,
    Or,
    With,
    Name,
}

struct Word<'a> {
    kind: Kind,
    text: &'a str,
    at: usize,
}

fn words(text: &str) -> Result<Vec<Word<'_>>, InvalidExpression> {
    let in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '+' | ':');
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].chars().next() {
        let (kind, length) = match found {
            c if c.is_whitespace() => {
                at += c.len_utf8();
                continue;
            }
            '(' => (Kind::Open, 1),
            ')' => (Kind::Close, 1),
            c if in_name(c) => {
                let length = text[at..].find(|c| !in_name(c)).unwrap_or(text.len() - at);
                (kind_of(&text[at..at + length]), length)
            }
            found => return Err(InvalidExpression::Character { found, at }),
        };
        words.push(Word { kind, text: &text[at..at + length], at });
        at += length;
    }
    Ok(words)
}

fn kind_of(word: &str) -> Kind {
    let operators = [("AND", Kind::And), ("OR", Kind::Or), ("WITH", Kind::With)];
    operators
        .into_iter()
        .find(|(operator, _)| word.eq_ignore_ascii_case(operator))
        .map_or(Kind::Name, |(_, kind)| kind)
}

struct Reader<'a> {
    words: &'a [Word<'a>],
    at: usize,
    end: usize,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Kind> {
        self.words.get(self.at).map(|word| word.kind)
    }

    fn take(&mut self, kind: Kind) -> Option<&'a str> {
        let word = self.words.get(self.at).filter(|word| word.kind == kind)?;
        self.at += 1;
        Some(word.text)
    }

    fn expected(&self, expected: &'static str) -> InvalidExpression {
        InvalidExpression::Expected { expected, at: self.words.get(self.at).map_or(self.end, |word| word.at) }
    }

    fn either(&mut self) -> Result<Expression, InvalidExpression> {
        let mut parts = vec![self.both()?];
        while self.take(Kind::Or).is_some() {
            parts.push(self.both()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::Or(parts) })
    }

    fn both(&mut self) -> Result<Expression, InvalidExpression> {
        let mut parts = vec![self.one()?];
        while self.take(Kind::And).is_some() {
            parts.push(self.one()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Expression::And(parts) })
    }

    fn one(&mut self) -> Result<Expression, InvalidExpression> {
        if self.take(Kind::Open).is_none() {
            return self.license().map(Expression::License);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(InvalidExpression::TooDeep);
        }
        let inside = self.either()?;
        self.take(Kind::Close).ok_or_else(|| self.expected("`)`"))?;
        self.depth -= 1;
        Ok(inside)
    }

    fn license(&mut self) -> Result<License, InvalidExpression> {
        let word = self.take(Kind::Name).ok_or_else(|| self.expected("a license or `(`"))?;
        for alone in [Expression::NONE, Expression::NOASSERTION] {
            if word.eq_ignore_ascii_case(alone) {
                return Err(InvalidExpression::NotAlone(alone));
            }
        }
        let mut license =
            names::license(word).ok_or_else(|| InvalidExpression::UnknownLicense(shortened(word)))?;
        if self.take(Kind::With).is_some() {
            let exception = self.take(Kind::Name).ok_or_else(|| self.expected("an exception"))?;
            if license.exception.is_some() {
                return Err(InvalidExpression::TwoExceptions(word.to_owned()));
            }
            license.exception = Some(
                names::exception(exception)
                    .ok_or_else(|| InvalidExpression::UnknownException(shortened(exception)))?,
            );
        }
        Ok(license)
    }
}

/// The beginning of a word that may be as long as the text.
fn shortened(word: &str) -> String {
    word.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn expressions_are_read_and_written_as_spdx_does() {
        for (text, written) in [
            ("MIT", "MIT"),
            ("mit or apache-2.0", "MIT OR Apache-2.0"),
            ("MIT OR ISC AND Zlib", "MIT OR (ISC AND Zlib)"),
            ("(MIT OR ISC) and Zlib", "(MIT OR ISC) AND Zlib"),
            ("\tMIT\nOR\u{a0}ISC", "MIT OR ISC"),
            ("((MIT))", "MIT"),
            ("Apache-2.0+", "Apache-2.0+"),
            ("GPL-2.0", "GPL-2.0-only"),
            ("gpl-2.0+", "GPL-2.0-or-later"),
            ("GPL-3.0-only+", "GPL-3.0-or-later"),
            ("LGPL-2.1+ AND agpl-3.0", "LGPL-2.1-or-later AND AGPL-3.0-only"),
            ("GFDL-1.2-invariants", "GFDL-1.2-invariants"),
            ("GPL-2.0-with-classpath-exception", "GPL-2.0-only WITH Classpath-exception-2.0"),
            ("GPL-2.0-with-GCC-exception+", "GPL-2.0-or-later WITH GCC-exception-2.0"),
            (
                "gpl-2.0-or-later with classpath-exception-2.0",
                "GPL-2.0-or-later WITH Classpath-exception-2.0",
            ),
            ("wxWindows", "LGPL-2.0-or-later WITH WxWindows-exception-3.1"),
            ("licenseref-scancode-Public-domain", "LicenseRef-scancode-Public-domain"),
            ("documentref-a.b:licenseref-c", "DocumentRef-a.b:LicenseRef-c"),
            (
                "GPL-2.0 WITH LicenseRef-scancode-generic-exception",
                "GPL-2.0-only WITH LicenseRef-scancode-generic-exception",
            ),
            ("GPL-2.0 WITH AdditionRef-x", "GPL-2.0-only WITH AdditionRef-x"),
            ("none", "NONE"),
            (" NoAssertion ", "NOASSERTION"),
        ] {
            assert_eq!(
                Expression::parse(text).map(|read| read.to_string()),
                Ok(written.to_owned()),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_no_expression_says_what_to_write() {
        for (text, message) in [
            ("", "the license expression is empty; write NONE or NOASSERTION where no license is known"),
            (" ", "the license expression is empty; write NONE or NOASSERTION where no license is known"),
            (
                "MIT/ISC",
                "`/` (byte 3) cannot stand in a license expression; join licenses by AND, OR and WITH",
            ),
            ("Apache", "`Apache` is not in the SPDX license list; write `LicenseRef-…` for other licenses"),
            ("MIT ISC", "expected AND, OR, WITH or the end at byte 4 of a license expression"),
            ("MIT OR", "expected a license or `(` at byte 6 of a license expression"),
            ("(MIT", "expected `)` at byte 4 of a license expression"),
            ("MIT)", "expected AND, OR, WITH or the end at byte 3 of a license expression"),
            ("MIT WITH", "expected an exception at byte 8 of a license expression"),
            ("MIT WITH MIT", "`MIT` is not in the SPDX list of exceptions; write `AdditionRef-…` for others"),
            (
                "MIT AND NONE",
                "`NONE` cannot be combined with other licenses in an expression; write it alone",
            ),
            (
                "GPL-2.0-with-GCC-exception WITH GCC-exception-3.1",
                "`GPL-2.0-with-GCC-exception` already names an exception, so WITH cannot add another",
            ),
            (
                "LicenseRef-x+",
                "`LicenseRef-x+` is not in the SPDX license list; write `LicenseRef-…` for other licenses",
            ),
        ] {
            assert_eq!(
                Expression::parse(text).map_err(|error| error.to_string()),
                Err(message.to_owned()),
                "{text}"
            );
        }
        for text in [
            "NOASSERTION+",
            "LicenseRef-",
            "DocumentRef-x",
            "DocumentRef-:LicenseRef-x",
            "+",
            "MIT +",
            "(MIT OR ISC) WITH LLVM-exception",
        ] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn length_and_depth_have_an_end() {
        let nested = |depth: usize| format!("{}MIT{}", "(".repeat(depth), ")".repeat(depth));
        assert!(Expression::parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(Expression::parse(&nested(MAX_DEPTH + 1)), Err(InvalidExpression::TooDeep));
        assert_eq!(Expression::parse(&"(".repeat(1 << 20)), Err(InvalidExpression::TooLong(1 << 20)));
    }

    fn expressions() -> impl Strategy<Value = Expression> {
        let license =
            prop::sample::select(vec!["MIT", "Apache-2.0+", "GPL-2.0-only WITH Classpath-exception-2.0"])
                .prop_map(|text| Expression::parse(text).expect("it is an expression"));
        license.prop_recursive(4, 24, 3, |part| {
            let parts = prop::collection::vec(part, 2..4);
            prop_oneof![parts.clone().prop_map(Expression::And), parts.prop_map(Expression::Or)]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_it_was(expression in expressions()) {
            let written = expression.to_string();
            let read = Expression::parse(&written).expect("what is written is valid");
            prop_assert_eq!(read.to_string(), written);
            prop_assert_eq!(read.clone().simplified(), read.clone().simplified().simplified());
            prop_assert_eq!(read.ids(), read.simplified().ids());
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,80}") {
            let _ = Expression::parse(&text);
        }

        #[test]
        fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
            "MIT", "gpl-2.0+", "AND", "or", "WITH", "(", ")", "+", ":", "LicenseRef-x", "DocumentRef-", "NONE", "é", "LLVM-exception",
        ]), 0..24)) {
            if let Ok(read) = Expression::parse(&words.join(" ")) {
                prop_assert_eq!(Expression::parse(&read.to_string()), Ok(read));
            }
        }
    }
}
