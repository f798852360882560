//! The code of a reply, between its words.

use familiar_endpoint::blocks;
use familiar_source::{Language, language_called};

use super::clean::dedented;
use super::headings::{heading, is_prose, starts_code};

/// So deep may blocks of Markdown stand in each other.
const NESTED: usize = 2;

/// Whether code stands between fences.
pub(super) fn is_fenced(text: &str) -> bool {
    !blocks(text).is_empty()
}

/// A stretch of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Segment {
    /// The language that the fence or the line before it names.
    pub(super) language: Option<Language>,
    pub(super) code: String,
    /// Whether it stands between fences, of which the last one is missing.
    pub(super) is_open: bool,
}

/// The code between fences; without fences, what stands between headings and sentences.
pub(super) fn segments(text: &str) -> Vec<Segment> {
    let fenced = fenced(text, NESTED);
    let mut all = if fenced.is_empty() { unfenced(text) } else { fenced };
    for segment in &mut all {
        segment.code = dedented(std::mem::take(&mut segment.code));
    }
    all
}

/// The code between fences, and between fences in blocks of Markdown, so many deep.
fn fenced(text: &str, deep: usize) -> Vec<Segment> {
    let lines: Vec<&str> = text.lines().collect();
    // The last line before a block that is in no block, and where the block before ends.
    let (mut last, mut end) = ("", 0);
    let of = |block: familiar_endpoint::Block| {
        let between = lines[end..block.line].iter().rfind(|line| !line.trim().is_empty());
        last = between.copied().unwrap_or(last);
        end = block.line + 1 + block.code.matches('\n').count() + usize::from(block.is_closed);
        let named = heading(last).and_then(|it| it.language);
        if deep > 0 && matches!(block.label.as_str(), "markdown" | "md") {
            let inner = fenced(&block.code, deep - 1);
            if !inner.is_empty() {
                return inner;
            }
        }
        let language = language_called(&block.label).or(named);
        vec![Segment { language, is_open: !block.is_closed, code: block.code }]
    };
    blocks(text).into_iter().flat_map(of).filter(|it| !it.code.trim().is_empty()).collect()
}

fn unfenced(text: &str) -> Vec<Segment> {
    let mut parts = vec![Segment::default()];
    // Whether the part has code at the margin.
    let mut begun = false;
    // Where the last comment ends that began at the start of a line.
    let mut comment_end = 0;
    let last_end = text.rfind("*/").unwrap_or(0);
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if (comment_end..last_end).contains(&at) && line.trim_start().starts_with("/*") {
            comment_end = text[at..].find("*/").map_or(0, |it| at + it);
        }
        let end = at + line.len();
        at = end;
        let line = line.strip_suffix('\n').unwrap_or(line);
        // An indented line belongs to the code that began at the margin: it may be a comment or words of a text in it.
        let belongs = end <= comment_end || begun && line.starts_with([' ', '\t']);
        let found = heading(line).filter(|_| !belongs);
        let (language, code) = match found {
            Some(found) => (Some(found.language), found.code),
            None => (None, line),
        };
        begun &= language.is_none();
        begun |= !code.starts_with([' ', '\t']) && starts_code(code);
        if let Some(language) = language {
            // Two headings one after the other are one.
            let last = parts.last_mut().filter(|part| part.code.trim().is_empty());
            match last {
                Some(part) => part.language = language.or(part.language),
                None => parts.push(Segment { language, ..Segment::default() }),
            }
        }
        if let Some(part) = parts.last_mut() {
            part.code.push_str(code);
            part.code.push('\n');
        }
    }
    for part in &mut parts {
        part.code = without_prose(&part.code);
    }
    parts.retain(|part| part.code.lines().any(|line| !line.trim().is_empty()));
    parts
}

/// The text without paragraphs of sentences.
fn without_prose(text: &str) -> String {
    let mut kept = String::new();
    for paragraph in text.split("\n\n") {
        let lines: Vec<&str> = paragraph.lines().collect();
        let is_code = |line: &&str| !is_prose(line) && !line.trim().is_empty();
        let (first, last) = (lines.iter().position(is_code), lines.iter().rposition(is_code));
        if let (Some(first), Some(last)) = (first, last) {
            if !kept.is_empty() {
                kept.push('\n');
            }
            for line in &lines[first..=last] {
                kept.push_str(line);
                kept.push('\n');
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<(Option<Language>, String)> {
        segments(text).into_iter().map(|it| (it.language, it.code)).collect()
    }

    #[test]
    fn fences_have_the_language_of_their_label_or_of_the_line_before() {
        let text =
            "Sure!\n\n```python\na = 1\n```\n**Java:**\n```\nint a;\n```\nThat is all.\n```c\nint b;\n";
        let found = segments(text);
        let languages: Vec<_> = found.iter().map(|it| it.language).collect();
        assert_eq!(languages, [Some(Language::Python), Some(Language::Java), Some(Language::C)]);
        assert_eq!(found.iter().map(|it| it.is_open).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn fences_of_tildes_have_the_language_of_the_line_before() {
        let text = "**Java:**\n~~~\nint a;\n```\n~~~\n\n**C#**\n~~~\nint b;\n~~~\n```\nint c;\n```\n";
        let languages: Vec<_> = segments(text).iter().map(|it| it.language).collect();
        assert_eq!(languages, [Some(Language::Java), Some(Language::CSharp), Some(Language::CSharp)]);
    }

    #[test]
    fn blocks_of_markdown_hold_blocks() {
        let text = "````markdown\n# Two\n```python\na = 1\n```\n**C:**\n```\nint b;\n```\n````\n";
        let languages: Vec<_> = segments(text).iter().map(|it| it.language).collect();
        assert_eq!(languages, [Some(Language::Python), Some(Language::C)]);
    }

    #[test]
    fn comments_and_texts_within_code_are_no_headings() {
        let text = "Here it is:\n\ndef f(x):\n    \"\"\"\n    Version 2 of it:\n    \"\"\"\n    # 1. Add them up\n    return sum(x)\n";
        let code = "def f(x):\n    \"\"\"\n    Version 2 of it:\n    \"\"\"\n    # 1. Add them up\n    return sum(x)\n";
        assert_eq!(codes(text), [(None, code.to_owned())]);
    }

    #[test]
    fn lines_of_a_comment_are_no_headings() {
        let code = "/**\n * Version 2 of it:\n * 1. Add them up\n */\nint f(int a) {\n    return a;\n}\n";
        let text = format!("1. With a comment:\n\n{code}\n2. Without one:\n\nint f(int b) {{ return b; }}\n");
        let second = "int f(int b) { return b; }\n";
        assert_eq!(codes(&text), [(None, code.to_owned()), (None, second.to_owned())]);
        assert_eq!(codes("/* no end\n1. int f();\n").len(), 2);
    }

    #[test]
    fn lists_without_fences_are_taken_apart() {
        let text = "Here are two clones of the function:\n\n1. With a loop:\n\ndef f(x):\n    y = 0\n\n    for z in x:\n        y += z\n    \
                    return y\n\n2. def f(x):\n    return sum(x)\n\nBoth give the same result.\n";
        let first = "def f(x):\n    y = 0\n\n    for z in x:\n        y += z\n    return y\n";
        let second = "def f(x):\n    return sum(x)\n";
        assert_eq!(codes(text), [(None, first.to_owned()), (None, second.to_owned())]);
    }

    #[test]
    fn headings_name_languages_of_translations() {
        let text = "Python:\n\ndef f(): return 1\n\nC:\n\nint f() { return 1; }\n";
        let found = codes(text);
        assert_eq!(
            found.iter().map(|it| it.0).collect::<Vec<_>>(),
            [Some(Language::Python), Some(Language::C)]
        );
    }

    #[test]
    fn a_text_of_words_has_no_code() {
        assert_eq!(
            segments(
                "You could use a loop here. It goes through all numbers.\n\nThen return the sum of them."
            ),
            []
        );
        assert_eq!(segments(""), []);
    }
}
