//! A block of code in a text: what all kinds of documents yield.

use std::borrow::Cow;

use familiar_source::Language;

use crate::LanguageHint;

/// Code that stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) code: String,
    /// The line of the text that the code starts on, counted from 1.
    pub(crate) first_line: u32,
    pub(crate) language: LanguageHint,
}

impl Block {
    /// Code without blank lines at its ends, and of a session at Python's prompt only what was typed; `None` if nothing
    /// is left.
    pub(crate) fn new(code: &str, first_line: u32, language: LanguageHint) -> Option<Self> {
        let blank = code.lines().take_while(|line| line.trim().is_empty()).count();
        let lines: Vec<&str> = code.lines().skip(blank).collect();
        let end = lines.iter().rposition(|line| !line.trim().is_empty())? + 1;
        let lines = &lines[..end];
        let first_line = first_line + blank as u32;
        let (lines, language) = if is_session(lines) {
            (Cow::Owned(typed(lines)), LanguageHint::Language(Language::Python))
        } else {
            (Cow::Borrowed(lines), language)
        };
        let code = lines.iter().flat_map(|line| [*line, "\n"]).collect();
        Some(Self { code, first_line, language })
    }

    /// How many lines are not blank.
    pub(crate) fn lines(&self) -> usize {
        self.code.lines().filter(|line| !line.trim().is_empty()).count()
    }
}

fn is_session(lines: &[&str]) -> bool {
    lines.first().is_some_and(|line| prompted(line, ">>>").is_some())
}

/// What follows a prompt.
fn prompted<'l>(line: &'l str, prompt: &str) -> Option<&'l str> {
    let rest = line.trim_start().strip_prefix(prompt)?;
    rest.strip_prefix(' ').or(rest.is_empty().then_some(""))
}

/// The lines after prompts, without the output between them.
fn typed<'l>(lines: &[&'l str]) -> Vec<&'l str> {
    let mut typed = Vec::new();
    let mut open = false;
    for line in lines {
        let continued = prompted(line, "...").filter(|_| open);
        let input = prompted(line, ">>>").or(continued);
        open = input.is_some();
        typed.extend(input);
    }
    // A block ends with an empty prompt.
    let end = typed.iter().rposition(|line| !line.trim().is_empty()).map_or(0, |last| last + 1);
    typed.truncate(end);
    typed
}

/// Lines without the white space that all of them start with.
pub(crate) fn dedented(lines: &[&str]) -> String {
    let depth = |line: &&&str| line.len() - line.trim_start().len();
    let common =
        lines.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(&line)).min().unwrap_or(0);
    lines.iter().flat_map(|line| [line.get(common..).unwrap_or_default(), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_ends_are_cut_and_the_line_follows() {
        let block = Block::new("\n \n  a\n\nb\n\n", 4, LanguageHint::BLOCK).expect("some code");
        assert_eq!((block.code.as_str(), block.first_line, block.lines()), ("  a\n\nb\n", 6, 2));
        assert_eq!(Block::new(" \n\n", 1, LanguageHint::BLOCK), None);
    }

    #[test]
    fn of_a_session_what_was_typed_stays() {
        let text = ">>> for i in range(2):\n...     print(i)\n...\n0\n1\n... not typed\n>>> x\n";
        let block = Block::new(text, 1, LanguageHint::BLOCK).expect("some code");
        assert_eq!(block.code, "for i in range(2):\n    print(i)\n\nx\n");
        assert_eq!(block.language, LanguageHint::Language(Language::Python));
    }

    #[test]
    fn dedenting_keeps_the_shape() {
        assert_eq!(dedented(&["    a", "", "      b"]), "a\n\n  b\n");
    }
}
