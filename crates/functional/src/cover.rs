//! Marks in a text that tell which of its blocks run.
//!
//! Python needs none: the sandbox sees its lines. Elsewhere each block of statements begins with a call that says so. Go has none,
//! since the braces of its blocks look like those of its values.

use crate::tokens::{Word, words};
use familiar_source::Language;
use std::fmt::Write;

/// The text with marks, and how many there are; nothing where a language has none.
pub(crate) fn marked(code: &str, language: Language) -> Option<(String, u32)> {
    let call = match language {
        Language::Java => "FamiliarFrame.hit",
        Language::CSharp => "FamiliarFrame.Hit",
        Language::C | Language::Cpp => "familiar_hit",
        Language::JavaScript => "familiarHit",
        _ => return None,
    };
    let words = words(code, language);
    let (mut text, mut from, mut count) = (String::new(), 0, 0);
    for place in 1..words.len() {
        if words[place].is("{") && begins_block(&words, place) {
            text.push_str(&code[from..words[place].end]);
            from = words[place].end;
            let _ = write!(text, " {call}({count});");
            count += 1;
        }
    }
    text.push_str(&code[from..]);
    (count > 0).then_some((text, count))
}

/// Whether the brace at `place` begins a block of statements.
fn begins_block(words: &[Word<'_>], place: usize) -> bool {
    let behind = words.get(place + 1).map_or("", |word| word.text);
    match words[place - 1].text {
        "else" | "do" | "try" | "finally" | "->" | "=>" => true,
        ")" => {
            let Some(open) = opening(words, place - 1) else { return false };
            let at = |back: usize| open.checked_sub(back).map_or("", |place| words[place].text);
            let named = open > 0 && words[open - 1].names() && !["return", "switch", "case"].contains(&at(1));
            let made = at(2) == "new" || at(2) == "." && at(4) == "new";
            (named || at(1) == "]") && !made && !["super", "this"].contains(&behind)
        }
        _ => false,
    }
}

fn opening(words: &[Word<'_>], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for place in (0..=close).rev() {
        match words[place].text {
            ")" => depth += 1,
            "(" => {
                depth -= 1;
                if depth == 0 {
                    return Some(place);
                }
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
    fn blocks_are_marked_and_values_are_not() {
        let c = "int f(int n) { int *a = (int[]){1}; if (n) { return 1; } else { switch (n) { case 1: ; } } return 0; }";
        let expected = "int f(int n) { familiar_hit(0); int *a = (int[]){1}; if (n) { familiar_hit(1); return 1; } else { familiar_hit(2); switch (n) { case 1: ; } } return 0; }";
        assert_eq!(marked(c, Language::C), Some((expected.to_owned(), 3)));
        let java = "Object f() { int[] a = {1}; return new A() { }; }";
        assert_eq!(marked(java, Language::Java).map(|(_, count)| count), Some(1));
    }
}
