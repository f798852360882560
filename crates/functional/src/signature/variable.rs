//! Functions that no declaration makes: `total = partial(fold, add)`.

use familiar_source::Language;

use super::function::Function;
use crate::tokens::Word;

/// What gives a function: of Python's modules, and `f.bind` of JavaScript.
const MAKERS: [&str; 7] = ["partial", "itemgetter", "attrgetter", "methodcaller", "compose", "curry", "bind"];

/// The variables outside of functions and classes that hold a function, as far as the text says: a `lambda`, another function, or what
/// comes of a call of a function that makes one. `own` are the functions of the text.
pub(super) fn variables<'t>(
    text: &str,
    words: &[Word<'t>],
    language: Language,
    own: &[Function],
) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (place, word) in words.iter().enumerate() {
        let first = match language {
            Language::JavaScript => place
                .checked_sub(1)
                .map(|before| &words[before])
                .filter(|before| ["const", "let", "var"].contains(&before.text)),
            _ => Some(word),
        };
        let is_given = words.get(place + 1).is_some_and(|it| it.is("="));
        if word.names() && is_given && first.is_some_and(|first| begins_line(text, first)) {
            found.retain(|name| *name != word.text);
            if holds_function(text, words, place + 2, own) {
                found.push(word.text);
            }
        }
    }
    found
}

fn begins_line(text: &str, word: &Word<'_>) -> bool {
    text[..word.start].chars().next_back().is_none_or(|it| it == '\n')
}

/// Whether the value at a place is a function.
fn holds_function(text: &str, words: &[Word<'_>], place: usize, own: &[Function]) -> bool {
    let at = |place: usize| words.get(place).map_or("", |it| it.text);
    if at(place) == "lambda" {
        return true;
    }
    // The last name of `a.b.c`.
    let mut last = place;
    while at(last + 1) == "." {
        last += 2;
    }
    let is_own = own.iter().any(|it| it.owner.is_none() && it.name == at(last));
    if at(last + 1) == "(" {
        MAKERS.contains(&at(last)) || is_own && makes_function(text, words, at(last))
    } else {
        is_own || last > place && ["operator", "math"].contains(&at(place))
    }
}

/// Whether a function has another one in it.
fn makes_function(text: &str, words: &[Word<'_>], name: &str) -> bool {
    let declared =
        words.windows(2).position(|pair| ["def", "function"].contains(&pair[0].text) && pair[1].is(name));
    let Some(start) = declared else { return false };
    let body = words[start + 2..].iter().take_while(|word| !begins_line(text, word));
    body.into_iter().any(|word| ["def", "lambda", "function", "=>"].contains(&word.text))
}
