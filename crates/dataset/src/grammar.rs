//! Whether a text is one of its language.

use std::ops::Range;

use familiar_source::Language;
use familiar_syntax::languages;
use familiar_syntax::tree::{self, Node};
use familiar_transform::Program;

/// Most bytes that a tree may take.
const TREE: usize = 256 << 20;

/// Whether the grammar of a language reads a text without an error; `None` where there is none.
pub(crate) fn reads(language: Language, text: &str) -> Option<bool> {
    languages::definition(language).tree?;
    Some(statements(language, text, &(0..text.len())).is_some())
}

/// Where the outermost statements of a part of a text stand, if the grammar of a language reads the text without an error.
pub(crate) fn statements(language: Language, text: &str, part: &Range<usize>) -> Option<Vec<Range<usize>>> {
    if language == Language::Python {
        return python(text);
    }
    tree::outermost(languages::definition(language).tree?, text.as_bytes(), part, TREE)
}

/// The grammar of Python takes more than Python does, such as a function without a body.
fn python(text: &str) -> Option<Vec<Range<usize>>> {
    let program = Program::parse(Language::Python, text.as_bytes(), TREE).ok()?;
    let mut blocks = program.root().subtree().filter(|it| it.kind() == "block");
    let is_whole = blocks.all(|it| it.named().any(|statement| statement.kind() != "comment"));
    is_whole.then(|| program.root().children().map(Node::range).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_without_a_body_is_no_program() {
        let python = |text: &str| reads(Language::Python, text);
        for text in ["def f(x):\n", "def f(x):\n    # later\n", "def f(x):\n    if x:\n", "class A:\n"] {
            assert_eq!(python(text), Some(false), "{text}");
        }
        for text in ["def f(x):\n    \"\"\"It does nothing.\"\"\"\n", "def f(x): return x\n", "print 'old'\n"]
        {
            assert_eq!(python(text), Some(true), "{text}");
        }
        assert_eq!(reads(Language::Css, "a {}"), None);
    }
}
