//! What the grammar of a language says of a text, and which functions there are.

use familiar_source::{FragmentKind, Language, Span};
use familiar_syntax::{Parser, Want};

use crate::grammar::reads;

/// A function that stands in no other function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) bytes: Span,
    pub(super) name: Span,
    /// Whether it is in a class.
    pub(super) in_class: bool,
}

/// Whether the grammar reads the text without an error; `None` where no grammar knows the language.
pub(super) fn parses(language: Language, code: &str) -> Option<bool> {
    let clean = |text: &str| reads(language, text);
    // Methods and members stand in a class elsewhere.
    let wrapped = match language {
        Language::Java
        | Language::CSharp
        | Language::Cpp
        | Language::Kotlin
        | Language::Scala
        | Language::Swift
        | Language::Dart => Some(format!("class Wrapped {{\n{code}\n}}\n")),
        Language::Php if !code.contains("<?") => Some(format!("<?php\n{code}")),
        _ => None,
    };
    // In C#, a member by itself is an error more often than not.
    let is_member = language == Language::CSharp && !code.contains("class ");
    Some(match wrapped {
        Some(text) if is_member => clean(&text)? || clean(code)?,
        Some(text) => clean(code)? || clean(&text)?,
        None => clean(code)?,
    })
}

/// The outermost functions, in their order.
pub(super) fn functions(parser: &mut Parser, language: Language, code: &str) -> Vec<Function> {
    let is_bare = language == Language::Php && !code.contains("<?");
    let (shift, text) = if is_bare { (6, format!("<?php\n{code}")) } else { (0, code.to_owned()) };
    let parsed = parser.parse(language, text.as_bytes(), Want { fragments: true, ..Want::default() });
    let of = |kind| parsed.fragments.iter().filter(move |it| it.kind == kind);
    let within =
        |inner: Span, outer: Span| inner != outer && outer.start <= inner.start && inner.end <= outer.end;
    let mut functions = Vec::new();
    for function in of(FragmentKind::Function) {
        if of(FragmentKind::Function).any(|it| within(function.bytes, it.bytes)) {
            continue;
        }
        let in_class = of(FragmentKind::Class).any(|it| within(function.bytes, it.bytes));
        let moved = |span: Span| Span::new(span.start.saturating_sub(shift), span.end.saturating_sub(shift));
        functions.push(Function { bytes: moved(function.bytes), name: moved(function.name), in_class });
    }
    functions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_read_without_their_class() {
        for (language, code) in [
            (Language::Java, "public static int f(int a) { return a; }"),
            (Language::CSharp, "private static string F(string a) => a + \"x\";"),
            (Language::Cpp, "int f(const std::string& a) { return a.size(); }"),
            (Language::Php, "function f($a) { return $a; }"),
            (Language::Python, "def f(a):\n    return a\n"),
            (Language::JavaScript, "const f = (a) => { return a; };"),
        ] {
            assert_eq!(parses(language, code), Some(true), "{language:?}");
            assert_eq!(functions(&mut Parser::default(), language, code).len(), 1, "{language:?}");
        }
        assert_eq!(parses(Language::Python, "def f(a)\n    return a\n"), Some(false));
        assert_eq!(parses(Language::Python, "def f(a):\n"), Some(false));
        assert_eq!(parses(Language::Java, "int f(int a) { return a;"), Some(false));
        assert_eq!(parses(Language::Css, "a {}"), None);
    }
}
