//! Code in a reply: what stands between fences.

/// A block of code of a reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The number of the line that opens it, from 0.
    pub line: usize,
    /// The word behind the fence, in lower case: mostly a language; may be empty.
    pub label: String,
    /// The lines between the fences, without the indentation that the fence has.
    pub code: String,
    /// Whether there is a fence at its end. What has none may be cut.
    pub is_closed: bool,
}

/// The blocks of code in `text`, in their order, as Markdown has them: lines of at least three backticks or tildes open and close a
/// block. Fences may be indented, or follow the sign of a list or of a quotation.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Fence> = None;
    for (number, line) in text.lines().enumerate() {
        match &open {
            None => {
                if let Some((fence, label)) = Fence::opened_by(line) {
                    blocks.push(Block { line: number, label, code: String::new(), is_closed: false });
                    open = Some(fence);
                }
            }
            Some(fence) => {
                let Some(block) = blocks.last_mut() else { break };
                if fence.is_closed_by(line) {
                    block.is_closed = true;
                    open = None;
                } else {
                    block.code.push_str(fence.inside(line));
                    block.code.push('\n');
                }
            }
        }
    }
    blocks
}

/// A fence that is open.
struct Fence {
    letter: char,
    length: usize,
    /// Columns before it.
    indent: usize,
}

impl Fence {
    fn opened_by(line: &str) -> Option<(Self, String)> {
        let rest = line.trim_start_matches([' ', '\t', '>', '-', '*', '+']);
        let before = &line[..line.len() - rest.len()];
        let letter = rest.chars().next().filter(|letter| matches!(letter, '`' | '~'))?;
        let after = rest.trim_start_matches(letter);
        let length = rest.len() - after.len();
        // Backticks behind the fence make it code within a line.
        if length < 3 || letter == '`' && after.contains('`') {
            return None;
        }
        let word = after.trim().trim_start_matches(['{', '.']);
        let end = word
            .find(|c: char| c.is_whitespace() || matches!(c, '}' | ',' | ':' | '{'))
            .unwrap_or(word.len());
        let label = word[..end].to_ascii_lowercase();
        Some((Self { letter, length, indent: before.chars().count() }, label))
    }

    fn is_closed_by(&self, line: &str) -> bool {
        let rest = line.trim_start_matches([' ', '\t', '>']);
        let after = rest.trim_start_matches(self.letter);
        rest.len() - after.len() >= self.length && after.trim().is_empty()
    }

    /// A line without the columns that stand before the fence.
    fn inside<'l>(&self, line: &'l str) -> &'l str {
        let mut rest = line;
        for _ in 0..self.indent {
            match rest.strip_prefix([' ', '\t', '>']) {
                Some(shorter) => rest = shorter,
                None => break,
            }
        }
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String, bool)> {
        blocks(text).into_iter().map(|it| (it.label, it.code, it.is_closed)).collect()
    }

    fn one(label: &str, code: &str, is_closed: bool) -> Vec<(String, String, bool)> {
        vec![(label.to_owned(), code.to_owned(), is_closed)]
    }

    #[test]
    fn fences_are_known_in_all_their_spellings() {
        let code = "x = 1\nif x:\n    y = 2\n";
        for (open, close) in [
            ("```python", "```"),
            ("``` Python", "```"),
            ("~~~python", "~~~~"),
            ("````python title=\"a\"", "````"),
            ("```{python}", "```  "),
            ("```{.python .numbered}", "```"),
            ("```python:file.py", "```"),
        ] {
            let text = format!("Here it is:\n\n{open}\n{code}{close}\nDone.");
            assert_eq!(found(&text), one("python", code, true), "{open}");
        }
        assert_eq!(found("```\nx\n```"), one("", "x\n", true));
        assert_eq!(found("```python\r\nx\r\n```\r\n"), one("python", "x\n", true));
    }

    #[test]
    fn indented_fences_take_their_indentation_off() {
        assert_eq!(found("1. first\n   ```py\n   a:\n     b\n   ```\n"), one("py", "a:\n  b\n", true));
        assert_eq!(found("> ```py\n> a\n> ```"), one("py", "a\n", true));
        assert_eq!(found("- ```py\n  a\n  ```"), one("py", "a\n", true));
    }

    #[test]
    fn what_is_not_closed_is_said() {
        assert_eq!(found("```python\nx = 1\ny = "), one("python", "x = 1\ny = \n", false));
    }

    #[test]
    fn a_fence_closes_only_its_own_kind() {
        let inner = "print('''\n```\n''')\n";
        assert_eq!(found(&format!("````python\n{inner}````")), one("python", inner, true));
        assert_eq!(found("~~~\n```\n~~~"), one("", "```\n", true));
    }

    #[test]
    fn prose_has_no_code() {
        for text in ["", "no code", "some `code` here", "```x``` in a line", "``\nx\n``"] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn several_blocks_come_in_their_order() {
        let labels: Vec<_> =
            blocks("```sh\na\n```\ntext\n```python\nb\n```").into_iter().map(|it| it.label).collect();
        assert_eq!(labels, ["sh", "python"]);
        let lines: Vec<_> = blocks("a\n~~~\n```\n~~~\n\n```\nb").into_iter().map(|it| it.line).collect();
        assert_eq!(lines, [1, 5]);
    }
}
