//! What a program without a test is given.

use familiar_source::{FragmentKind, Language};
use familiar_syntax::{Parser, Want};

/// Functions that are called, the last ones: helpers stand first.
const MOST_FUNCTIONS: usize = 4;

/// How a program is asked what it does.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// It reads standard input, or has its own beginning.
    Stdio,
    /// These functions are called.
    Calls(Vec<String>),
}

/// How `code` is asked what it does; `None` where it has no function and reads nothing.
pub(super) fn way(language: Language, code: &str) -> Option<Way> {
    if reads_input(language, code) {
        return Some(Way::Stdio);
    }
    let mut parser = Parser::default();
    let parsed = parser.parse(language, code.as_bytes(), Want { fragments: true, line_starts: false });
    let mut functions = Vec::new();
    let mut end = 0;
    for fragment in parsed.fragments.iter().filter(|it| it.kind == FragmentKind::Function) {
        let name = &code[fragment.name.start as usize..fragment.name.end as usize];
        // What stands inside a function cannot be called from outside.
        if fragment.bytes.start >= end && !name.is_empty() {
            end = fragment.bytes.end;
            functions.push(name.to_owned());
        }
    }
    if functions.iter().any(|name| name == "main") {
        return Some(Way::Stdio);
    }
    functions.drain(..functions.len().saturating_sub(MOST_FUNCTIONS));
    (!functions.is_empty()).then_some(Way::Calls(functions))
}

/// Whether words stand in `code` with which a program of this language reads its standard input.
fn reads_input(language: Language, code: &str) -> bool {
    let words: &[&str] = match language {
        Language::Python => &["input(", "sys.stdin", "open(0"],
        Language::JavaScript => &["process.stdin", "/dev/stdin", "readFileSync(0", "readline("],
        Language::Java => &["System.in"],
        Language::Go => &["os.Stdin", "fmt.Scan"],
        Language::C | Language::Cpp => &["scanf", "cin", "getchar", "fgets", "gets(", "getline", "stdin"],
        _ => &[],
    };
    words.iter().any(|word| code.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_called_or_reads_its_input() {
        let calls = |names: &[&str]| Some(Way::Calls(names.iter().map(|&name| name.to_owned()).collect()));
        let python = |code| way(Language::Python, code);
        assert_eq!(
            python("def f(a):\n    def g(b):\n        return b\n    return g(a)\n\ndef h():\n    pass\n"),
            calls(&["f", "h"])
        );
        assert_eq!(python("n = int(input())\nprint(n * 2)\n"), Some(Way::Stdio));
        assert_eq!(python("x = 3\n"), None);
        assert_eq!(way(Language::C, "int main() { return 0; }\n"), Some(Way::Stdio));
        assert_eq!(way(Language::C, "int twice(int x) { return 2 * x; }\n"), calls(&["twice"]));
    }
}
