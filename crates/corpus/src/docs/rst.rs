//! Code blocks of reStructuredText: directives for code, literal blocks after `::`, and doctest blocks.

use familiar_source::Language;

use crate::LanguageHint;
use crate::block::{Block, dedented};

/// Directives whose body is code.
const CODE: [&str; 8] =
    ["code-block", "sourcecode", "code", "ipython", "doctest", "testcode", "testsetup", "testcleanup"];

/// The blocks of a text; `default` is what literal blocks are told to be before a `highlight` directive says otherwise.
pub(super) fn blocks(text: &str, default: LanguageHint) -> Vec<Block> {
    let lines: Vec<&str> = text.lines().collect();
    let mut document = Document { lines: &lines, default, highlight: default, blocks: Vec::new() };
    let mut at = 0;
    while at < lines.len() {
        at = document.element(at);
    }
    document.blocks
}

struct Document<'t> {
    lines: &'t [&'t str],
    default: LanguageHint,
    /// What a `highlight` directive said last.
    highlight: LanguageHint,
    blocks: Vec<Block>,
}

impl Document<'_> {
    /// Takes what starts on a line; the line where to go on.
    fn element(&mut self, at: usize) -> usize {
        let text = self.lines[at].trim();
        if let Some(explicit) = text.strip_prefix(".. ") {
            return self.explicit(at, explicit);
        }
        if text.starts_with(">>>") {
            return self.doctest(at);
        }
        let is_paragraphs_end = self.lines.get(at + 1).is_none_or(|next| next.trim().is_empty());
        if text.ends_with("::") && is_paragraphs_end {
            return self.body(at, at + 1, self.highlight);
        }
        at + 1
    }

    /// A directive, a comment or a target.
    fn explicit(&mut self, at: usize, text: &str) -> usize {
        let Some((name, argument)) = text.split_once("::") else {
            let is_comment = !text.starts_with(['_', '[', '|']);
            return if is_comment { self.body_end(at, at + 1) } else { at + 1 };
        };
        if name == "highlight" {
            self.highlight =
                if argument.trim() == "default" { self.default } else { LanguageHint::of_name(argument) };
        }
        if !CODE.contains(&name) {
            return at + 1;
        }
        let language = match name {
            "ipython" | "doctest" | "testcode" | "testsetup" | "testcleanup" => {
                LanguageHint::Language(Language::Python)
            }
            _ if argument.trim().is_empty() => self.highlight,
            _ => LanguageHint::of_name(argument),
        };
        let is_option =
            |line: &&&str| indent(line) > indent(self.lines[at]) && line.trim_start().starts_with(':');
        let options = self.lines[at + 1..].iter().take_while(is_option).count();
        self.body(at, at + 1 + options, language)
    }

    /// Takes the lines from `from` on that are indented more than line `at`.
    fn body(&mut self, at: usize, from: usize, language: LanguageHint) -> usize {
        let end = self.body_end(at, from);
        self.push(from, end, language);
        end
    }

    fn body_end(&self, at: usize, from: usize) -> usize {
        let outer = indent(self.lines[at]);
        let is_in = |line: &&&str| line.trim().is_empty() || indent(line) > outer;
        from + self.lines[from..].iter().take_while(is_in).count()
    }

    /// Takes a session, and the sessions that follow it with nothing but blank lines between.
    fn doctest(&mut self, at: usize) -> usize {
        let mut end = at;
        loop {
            end += self.lines[end..].iter().take_while(|line| !line.trim().is_empty()).count();
            let next = end + self.lines[end..].iter().take_while(|line| line.trim().is_empty()).count();
            let goes_on = self.lines.get(next).is_some_and(|line| line.trim_start().starts_with(">>>"));
            if !goes_on {
                break;
            }
            end = next;
        }
        self.push(at, end, LanguageHint::Language(Language::Python));
        end
    }

    fn push(&mut self, from: usize, end: usize, language: LanguageHint) {
        let code = dedented(&self.lines[from..end]);
        self.blocks.extend(Block::new(&code, from as u32 + 1, language));
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, u32, LanguageHint)]) {
        let blocks = blocks(text, LanguageHint::BLOCK);
        let found: Vec<_> =
            blocks.iter().map(|block| (block.code.as_str(), block.first_line, block.language)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn directives_have_options_and_a_language() {
        let text = "Text.\n\n.. code-block:: c\n   :linenos:\n\n   int x;\n     int y;\n\nMore.\n";
        check(text, &[("int x;\n  int y;\n", 6, LanguageHint::Language(Language::C))]);
        check(
            ".. note::\n\n   .. sourcecode:: java\n\n      int x;\n",
            &[("int x;\n", 5, LanguageHint::Language(Language::Java))],
        );
    }

    #[test]
    fn literal_blocks_follow_two_colons() {
        check("Like this::\n\n   a\n\n   b\nEnd::\nno block\n", &[("a\n\nb\n", 3, LanguageHint::BLOCK)]);
        let text = ".. highlight:: python3\n\nSo::\n\n  a\n";
        check(text, &[("a\n", 5, LanguageHint::Language(Language::Python))]);
        check("::\n\n  a\n", &[("a\n", 3, LanguageHint::BLOCK)]);
        check(".. highlight:: none\n\nSo::\n\n  a\n", &[("a\n", 5, LanguageHint::Other)]);
        check(
            ".. highlight:: c\n.. highlight:: default\n\nSo::\n\n  a\n",
            &[("a\n", 6, LanguageHint::BLOCK)],
        );
    }

    #[test]
    fn sessions_lose_prompts_and_output() {
        let python = LanguageHint::Language(Language::Python);
        check("   >>> a = 1\n   >>> a\n   1\n\n   >>> b\n\nText\n", &[("a = 1\na\nb\n", 1, python)]);
        check("So::\n\n   >>> f(\n   ...   1)\n   out\n", &[("f(\n  1)\n", 3, python)]);
    }

    #[test]
    fn comments_hold_no_code() {
        check(".. a comment\n\n   So::\n\n      a\n\nText\n", &[]);
        check(".. _target:\n\nSo::\n\n  a\n", &[("a\n", 5, LanguageHint::BLOCK)]);
    }
}
