//! Which code does enough to be told from other code by its vector.

use std::hash::{Hash, Hasher};

use familiar_source::{Language, Token, TokenClass};
use rustc_hash::FxHasher;

use crate::Sequence;

/// Least statements in the body of a fragment: what hardly does anything is like everything else that hardly does anything.
const BODY: usize = 4;

/// Of so many tokens at most one is a value: a table does nothing, and is like every other.
const VALUES: usize = 3;

/// Fewest tokens of a statement that may repeat another, and how many of a hundred statements at most do.
const STATEMENT: usize = 4;
const REPEATED: usize = 40;

/// Whether the `tokens` of a fragment do enough to be told from others.
pub fn is_distinctive(language: Language, text: &[u8], tokens: &[Token]) -> bool {
    let is_value =
        |token: &&Token| matches!(token.class, TokenClass::Number | TokenClass::String | TokenClass::Char);
    tokens.iter().filter(is_value).count() * VALUES <= tokens.len()
        && !repeats_itself(text, tokens)
        && Sequence::new(language, text, tokens).body_statements() >= BODY
}

/// Whether a large part of the statements in `tokens` say what others there say, but for values: a list of calls, as the edges of a
/// graph are in a test, is like every other.
fn repeats_itself(text: &[u8], tokens: &[Token]) -> bool {
    let mut forms = Vec::new();
    for statement in tokens.chunk_by(|_, next| !next.starts_line) {
        if statement.len() >= STATEMENT {
            let mut hasher = FxHasher::default();
            for token in statement {
                let is_name = !token.class.is_literal();
                (token.class as u8).hash(&mut hasher);
                let said: &[u8] = if is_name { token.text(text) } else { &[] };
                said.hash(&mut hasher);
            }
            forms.push(hasher.finish());
        }
    }
    let statements = forms.len();
    forms.sort_unstable();
    forms.dedup();
    (statements - forms.len()) * 100 > statements * REPEATED
}

#[cfg(test)]
mod tests {
    use familiar_source::FragmentKind;
    use familiar_syntax::{Parser, Want};

    use super::*;

    fn does(text: &str) -> bool {
        let mut parser = Parser::default();
        let parsed =
            parser.parse(Language::Java, text.as_bytes(), Want { fragments: true, line_starts: true });
        let function = parsed.fragments.iter().find(|it| it.kind == FragmentKind::Function);
        let function = function.expect("there is a method");
        is_distinctive(Language::Java, text.as_bytes(), &parsed.tokens[function.tokens.range()])
    }

    #[test]
    fn a_list_of_calls_does_too_little_to_be_told_from_others() {
        let list = "class A { void a() { Graph g = new Graph(); add(g, 0, 1); add(g, 1, 2); add(g, 2, 5); add(g, 5, 1);
            add(g, 1, 3); check(g, 4); int m = g.size(); } }";
        assert!(!does(list));
        let steps = "class A { void a() { Graph g = new Graph(); add(g, 0, 1); remove(g, 1, 2); join(g, 2, 5); add(g, 5, 1);
            check(g, 4); int m = g.size(); } }";
        assert!(does(steps));
        assert!(!does("class A { void a() { add(g); remove(g, x); } }"));
    }
}
