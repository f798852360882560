//! Whether a text is one of its language.

use familiar_source::Language;
use familiar_syntax::{languages, tree};
use familiar_transform::Program;

/// Most bytes that a tree may take.
const TREE: usize = 256 << 20;

/// Whether the grammar of a language reads a text without an error; `None` where there is none.
pub(crate) fn reads(language: Language, text: &str) -> Option<bool> {
    if language == Language::Python {
        return Some(is_python(text));
    }
    let grammar = languages::definition(language).tree?;
    Some(tree::is_clean(grammar, text.as_bytes(), TREE))
}

/// The grammar of Python takes more than Python does, such as a function without a body.
fn is_python(text: &str) -> bool {
    let Ok(program) = Program::parse(Language::Python, text.as_bytes(), TREE) else { return false };
    let mut blocks = program.root().subtree().filter(|it| it.kind() == "block");
    blocks.all(|it| it.named().any(|statement| statement.kind() != "comment"))
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
