//! A reply that has a program.

use familiar_endpoint::{Answer, End, blocks};
use familiar_source::Language;
use familiar_transform::Program;

/// A tree of a reply takes no more memory.
const MEMORY: usize = 256 << 20;

/// What a reply to a request for an implementation is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    Program(String),
    /// The model, or a filter, refused.
    Refused,
    /// The reply has no code.
    WithoutCode,
    /// It ends in the middle, since it has as many tokens as it may.
    Cut,
    /// It has code that is no program in Python.
    NotPython,
    /// The server gave no reply that is of use.
    Failed,
}

impl Written {
    /// Reads a reply. Of several blocks of code, the longest one counts that is a program in Python. A reply without blocks may be one as
    /// a whole.
    pub(crate) fn of(answer: &Answer) -> Self {
        let reply = match answer {
            Answer::Failed(_) => return Self::Failed,
            Answer::Reply(reply) if reply.end == End::Refused => return Self::Refused,
            Answer::Reply(reply) => reply,
        };
        let blocks = blocks(&reply.text);
        let is_cut = reply.end == End::Cut && blocks.iter().all(|block| !block.is_closed);
        let of_python = |label: &str| label.is_empty() || label.starts_with("py");
        let codes = blocks.iter().filter(|block| of_python(&block.label)).map(|block| block.code.as_str());
        let mut programs: Vec<&str> = codes.filter(|code| is_program(code)).collect();
        if blocks.is_empty() && is_program(&reply.text) && reads_input(&reply.text) {
            programs.push(&reply.text);
        }
        // The first of the longest ones.
        programs.sort_by_key(|code| std::cmp::Reverse(code.len()));
        match programs.first() {
            _ if is_cut => Self::Cut,
            Some(program) => Self::Program(format!("{}\n", program.trim_end())),
            None if blocks.is_empty() => Self::WithoutCode,
            None => Self::NotPython,
        }
    }
}

fn is_program(code: &str) -> bool {
    !code.trim().is_empty() && Program::parse(Language::Python, code.as_bytes(), MEMORY).is_ok()
}

/// Whether words stand in a text that a tool for standard input needs: a single word of prose is a program in Python, too.
fn reads_input(text: &str) -> bool {
    ["stdin", "input(", "open(0"].iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use familiar_endpoint::{Reply, Tokens};

    use super::*;

    const TOOL: &str = "import sys\nprint(sys.stdin.read())\n";

    fn of(text: &str, end: End) -> Written {
        Written::of(&Answer::Reply(Reply { text: text.to_owned(), end, tokens: Tokens::default() }))
    }

    fn tool() -> Written {
        Written::Program(TOOL.to_owned())
    }

    #[test]
    fn the_program_is_found_in_each_form_of_a_reply() {
        for reply in [
            TOOL.to_owned(),
            format!("```python\n{TOOL}```"),
            format!(
                "Here:\n\n```\n{TOOL}\n\n```\nUse it so:\n```sh\npython3 tool.py < a-file-with-a-name-that-is-longer-than-the-tool.py\n```"
            ),
            format!("~~~py\n{TOOL}~~~"),
            format!("First:\n```python\nx = 1\n```\nthen\n```python3\n{TOOL}```"),
            format!(
                "```python\nnot python at all, though longer than the tool that follows it in the reply\n```\n```\n{TOOL}```"
            ),
            format!("```python\n{TOOL}"),
        ] {
            assert_eq!(of(&reply, End::Complete), tool(), "{reply}");
        }
        assert_eq!(of(&format!("```python\n{TOOL}```\nand so"), End::Cut), tool());
    }

    #[test]
    fn what_has_no_program_is_told_apart() {
        assert_eq!(of("I think so.", End::Complete), Written::WithoutCode);
        assert_eq!(of("Sorry", End::Complete), Written::WithoutCode);
        assert_eq!(of("", End::Complete), Written::WithoutCode);
        assert_eq!(of("no", End::Refused), Written::Refused);
        assert_eq!(of("```python\nimport sys\nprint(", End::Cut), Written::Cut);
        assert_eq!(of("```python\nx = (\n```", End::Complete), Written::NotPython);
        assert_eq!(of("```rust\nfn main() {}\n```", End::Complete), Written::NotPython);
        assert_eq!(Written::of(&Answer::Failed("it broke".to_owned())), Written::Failed);
    }
}
