//! Functions that no declaration makes: `total = partial(fold, add)`.

use familiar_source::Language;

use crate::tokens::Word;

/// The variables outside of functions and classes that may hold a function, by what is given to them last: what a call, a name or a
/// `lambda` gives.
pub(super) fn variables<'t>(text: &str, words: &[Word<'t>], language: Language) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let [next, value] = [1, 2].map(|behind| words.get(place + behind).map_or("", |it| it.text));
        let first = match language {
            Language::JavaScript => place
                .checked_sub(1)
                .map(|before| &words[before])
                .filter(|before| ["const", "let", "var"].contains(&before.text)),
            _ => Some(word),
        };
        let begins = |first: &Word<'_>| text[..first.start].chars().next_back().is_none_or(|it| it == '\n');
        if word.names() && next == "=" && first.is_some_and(begins) {
            found.retain(|name| *name != word.text);
            if value.starts_with(|letter: char| letter.is_alphabetic() || letter == '_' || letter == '(') {
                found.push(word.text);
            }
        }
    }
    found
}
