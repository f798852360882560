//! Lines of a reply that stand before an implementation.

use familiar_source::{Language, language_called};

/// A line that announces code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Heading<'l> {
    /// The language that it names.
    pub(super) language: Option<Language>,
    /// What of the line is code already, as in a numbered list.
    pub(super) code: &'l str,
}

/// Words for an implementation.
const KINDS: [&str; 14] = [
    "alternative",
    "approach",
    "clone",
    "code",
    "example",
    "function",
    "implementation",
    "method",
    "option",
    "solution",
    "translation",
    "variant",
    "variation",
    "version",
];
/// Longer lines announce nothing.
const LONGEST: usize = 90;

/// The heading that a line is, if it is one.
pub(super) fn heading(line: &str) -> Option<Heading<'_>> {
    let trimmed = line.trim();
    let bare = trimmed.trim_start_matches(['#', '*', '/', '>', '-', '=', ' ', '_']);
    // A line across the page; with a slash it begins or ends a comment.
    if bare.is_empty() && trimmed.len() >= 3 && !trimmed.contains('/') {
        return Some(Heading { language: None, code: "" });
    }
    let bare = bare.trim_end_matches(['*', '=', '-', '_', ' ']);
    if bare.len() > LONGEST && !starts_with_number(bare) {
        return None;
    }
    if let Some(rest) = behind_number(bare) {
        let is_code = !rest.is_empty() && !is_prose(rest) && !rest.ends_with(':') || starts_code(rest);
        return Some(Heading { language: named(rest), code: if is_code { rest } else { "" } });
    }
    let words: Vec<&str> = bare.trim_end_matches([':', '.']).split_whitespace().collect();
    let is_kind = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_ascii_lowercase();
        KINDS.contains(&word.as_str()) || KINDS.contains(&word.trim_end_matches('s'))
    };
    let has_number =
        words.iter().any(|word| word.trim_matches(|c: char| !c.is_ascii_digit()).parse::<u32>().is_ok());
    let ends = bare.ends_with(':') || trimmed.starts_with(['#', '*', '/']);
    let announces = match words.as_slice() {
        [one] => ends && language_of(one).is_some(),
        [first, ..] if words.len() <= 8 => {
            (is_kind(first) && has_number && !bare.contains(['=', ';']))
                || (ends && named(bare).is_some() && words.iter().any(|word| is_kind(word)))
        }
        _ => false,
    };
    announces.then(|| Heading { language: named(bare), code: "" })
}

/// Whether a line is a sentence and no code.
pub(super) fn is_prose(line: &str) -> bool {
    let line = line.trim();
    if line.is_empty()
        || starts_code(line)
        || line.starts_with(['#', '/', '*', '@', '"', '\'', '}', '{', '<', ')', ']'])
    {
        return false;
    }
    let words = line.split_whitespace().count();
    let is_sentence = words >= 3 && (line.ends_with(['.', ':', '!', '?', ',']) || words >= 6);
    let signs = line.matches([';', '{', '}', '=', '[', ']']).count()
        + line.matches("()").count()
        + line.matches("->").count();
    is_sentence && signs == 0 && line.starts_with(|c: char| c.is_alphabetic() || c == '-' || c == '`')
}

/// Whether a text begins as no program does: with the number of a list's item, or with a sentence.
pub(super) fn begins_as_words(text: &str) -> bool {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let is_sentence = |line: &str| {
        line.starts_with(char::is_uppercase) && line.ends_with(['.', ':', '!', '?']) && !line.contains('(')
    };
    starts_with_number(first) || is_prose(first) && is_sentence(first)
}

/// Whether a line begins as code does in one of the languages.
pub(super) fn starts_code(line: &str) -> bool {
    const STARTS: [&str; 38] = [
        "async def ",
        "async function ",
        "auto ",
        "bool ",
        "char ",
        "class ",
        "const ",
        "def ",
        "double ",
        "else",
        "export ",
        "extern ",
        "final ",
        "float ",
        "fn ",
        "for ",
        "for(",
        "from ",
        "func ",
        "fun ",
        "function ",
        "if ",
        "if(",
        "import ",
        "inline ",
        "int ",
        "internal ",
        "let ",
        "long ",
        "namespace ",
        "private ",
        "protected ",
        "public ",
        "return ",
        "static ",
        "using ",
        "void ",
        "while ",
    ];
    let line = line.trim_start();
    let is_start = STARTS.iter().any(|start| line.starts_with(start));
    // Lists have items such as "using a loop".
    is_start && (!line.starts_with("using ") || line.contains([';', '=', '{']))
        || ["#include", "@", "package ", "<?php", "\"use strict\""]
            .iter()
            .any(|start| line.starts_with(start))
}

/// What stands behind the number of a list's item.
fn behind_number(line: &str) -> Option<&str> {
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits == 0 || digits > 3 {
        return None;
    }
    let rest = &line[digits..];
    let behind = rest.strip_prefix(['.', ')', ':'])?;
    (behind.is_empty() || behind.starts_with(char::is_whitespace)).then(|| behind.trim())
}

fn starts_with_number(line: &str) -> bool {
    behind_number(line).is_some()
}

/// The one language that a line names.
fn named(line: &str) -> Option<Language> {
    let found: Vec<Language> = line.split_whitespace().filter_map(language_of).collect();
    match found.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

fn language_of(word: &str) -> Option<Language> {
    let word = word.trim_matches(|c: char| matches!(c, ':' | '.' | ',' | '(' | ')' | '*' | '`' | '"'));
    let starts_upper = word.starts_with(|c: char| c.is_uppercase());
    // In a sentence, "go" and "c" are words.
    (starts_upper || word.len() > 2).then(|| language_called(word)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(language: Option<Language>) -> Heading<'static> {
        Heading { language, code: "" }
    }

    #[test]
    fn lines_that_announce_code_are_headings() {
        for line in [
            "1.",
            "2)",
            "### Clone 3:",
            "**Implementation 2**",
            "# Variant 4",
            "Version 1 (recursive):",
            "3. Using a stack:",
            "-----",
            "Solution #2",
        ] {
            assert_eq!(heading(line), Some(of(None)), "{line}");
        }
        assert_eq!(heading("Python:"), Some(of(Some(Language::Python))));
        assert_eq!(heading("**C#**"), Some(of(Some(Language::CSharp))));
        assert_eq!(heading("## Java implementation"), Some(of(Some(Language::Java))));
        assert_eq!(heading("2. C implementation:"), Some(of(Some(Language::C))));
        assert_eq!(
            heading("1. def f(x): return x"),
            Some(Heading { language: None, code: "def f(x): return x" })
        );
    }

    #[test]
    fn code_is_no_heading() {
        for line in [
            "x = 1",
            "def version_2(x):",
            "int f(int a) {",
            "# go through all",
            "case 1:",
            "    return 3",
            "else:",
            "",
            "version = 2",
            "go();",
            "/**",
            "**/",
            "//////",
        ] {
            assert_eq!(heading(line), None, "{line}");
        }
    }

    #[test]
    fn sentences_are_told_from_code() {
        for line in [
            "Here is another way to do it:",
            "This one uses recursion.",
            "For this you need a stack, which grows.",
            "- It is faster than the loop.",
        ] {
            assert!(is_prose(line), "{line}");
        }
        for line in [
            "for x in range(10):",
            "return a",
            "public static int f(int a) {",
            "x = y",
            "# a comment of words.",
            "if not value or value is other:",
            "} else {",
        ] {
            assert!(!is_prose(line), "{line}");
        }
    }

    #[test]
    fn programs_do_not_begin_as_words() {
        for text in ["\n1. With a loop:\n\nint f() {}\n", "Here are two of them:\nint f() {}\n"] {
            assert!(begins_as_words(text), "{text}");
        }
        for text in [
            "struct node *reverse(struct node *head,\n                     int n)\n",
            "template <class A, class B, class C, class D>\nA f(B b, C c, D d);\n",
            "trait Shape extends Serializable with Product:\n",
            "# Here it is:\ndef f():\n",
            "",
        ] {
            assert!(!begins_as_words(text), "{text}");
        }
    }
}
