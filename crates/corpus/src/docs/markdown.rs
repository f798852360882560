//! Code blocks of Markdown: fenced ones, whose first word after the fence names the language, and indented ones.

use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

use crate::LanguageHint;
use crate::block::Block;

/// The code blocks of a text in Markdown.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut code: Option<(String, Option<usize>, LanguageHint)> = None;
    let (mut line, mut counted) = (1_u32, 0_usize);
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => code = Some((String::new(), None, language_of(&kind))),
            Event::Text(part) => {
                if let Some((code, start, _)) = &mut code {
                    code.push_str(&part);
                    start.get_or_insert(range.start);
                }
            }
            Event::End(TagEnd::CodeBlock) => {
                if let Some((code, Some(start), language)) = code.take() {
                    line += text[counted..start].bytes().filter(|&byte| byte == b'\n').count() as u32;
                    counted = start;
                    blocks.extend(Block::new(&code, line, language));
                }
            }
            _ => {}
        }
    }
    blocks
}

/// Directives of MyST whose argument is the language.
const DIRECTIVES: [&str; 4] = ["code", "code-block", "sourcecode", "code-cell"];

/// `python`, `rust,no_run`, `{.python}`, `{r setup}`, `{code-block} python`. Attributes alone, such as `title="a.py"`, say nothing.
fn language_of(kind: &CodeBlockKind<'_>) -> LanguageHint {
    let CodeBlockKind::Fenced(info) = kind else { return LanguageHint::BLOCK };
    let directive = info.trim_start().strip_prefix('{').and_then(|rest| rest.split_once('}'));
    let info = match directive {
        Some((name, argument)) if DIRECTIVES.contains(&name.trim()) => argument,
        _ => &**info,
    };
    match info.split([' ', ',', '{', '}', ':']).find(|word| !word.is_empty()) {
        Some(word) if !word.contains('=') => LanguageHint::of_name(word.trim_start_matches('.')),
        _ => LanguageHint::BLOCK,
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;

    use super::*;

    #[test]
    fn fences_are_blocks_with_their_language_and_line() {
        let text = "# T\n\n```python title=x\na = 1\nb = 2\n```\n\n> ```rust,no_run\n> fn f() {\n> }\n> ```\n\n    x\n    y\n";
        let expected = [
            ("a = 1\nb = 2\n", 4, LanguageHint::Language(Language::Python)),
            ("fn f() {\n}\n", 9, LanguageHint::Language(Language::Rust)),
            ("x\ny\n", 13, LanguageHint::BLOCK),
        ];
        let blocks = blocks(text);
        let found: Vec<_> =
            blocks.iter().map(|block| (block.code.as_str(), block.first_line, block.language)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_fence_says_its_language_in_many_ways() {
        let python = LanguageHint::Language(Language::Python);
        for (info, expected) in [
            ("{.python}", python),
            ("{code-block} python", python),
            ("{code}python", python),
            ("{ sourcecode } py", python),
            ("{code-cell} ipython3", python),
            ("{code-block}", LanguageHint::BLOCK),
            ("title=\"a.py\"", LanguageHint::BLOCK),
            ("{note} python", LanguageHint::Other),
        ] {
            let blocks = blocks(&format!("```{info}\na\nb\n```\n"));
            assert_eq!(blocks[0].language, expected, "{info}");
        }
    }

    #[test]
    fn an_open_fence_ends_with_the_text() {
        assert_eq!(blocks("```\na\nb").len(), 1);
        assert_eq!(blocks("```"), []);
    }
}
