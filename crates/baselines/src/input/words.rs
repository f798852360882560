//! Sequences of tokens.

use familiar_represent::tokens::{Class, Tokenizer};
use familiar_source::Language;

use super::program::Symbols;

/// Operators and keywords in their order (Appendix B.1).
pub(super) fn operators_and_keywords(language: Language, code: &str) -> Option<Symbols> {
    each(language, code, |class, text| matches!(class, Class::Keyword | Class::Operator).then_some(text))
}

/// All tokens; literals of strings are seen as such.
pub(super) fn all(language: Language, code: &str) -> Option<Symbols> {
    each(language, code, |class, text| Some(if class == Class::String { "\"\"" } else { text }))
}

/// What `name` says of each token.
pub(super) fn each(
    language: Language,
    code: &str,
    name: impl for<'t> Fn(Class, &'t str) -> Option<&'t str>,
) -> Option<Symbols> {
    let mut tokenizer = Tokenizer::default();
    let tokens = tokenizer.tokens(language, code.as_bytes()).ok()?;
    let mut names = Vec::with_capacity(tokens.list.len());
    for token in tokens.list {
        let text = String::from_utf8_lossy(tokens.text_of(token));
        names.extend(name(token.class, &text).map(Box::from));
    }
    Some(Symbols { names, edges: Vec::new() })
}
