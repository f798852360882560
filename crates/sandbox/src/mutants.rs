//! Small faults, put into a program on purpose: inputs that detect them say something.

use crate::inputs::scan::{Piece, pieces};
use crate::program::Program;
use familiar_source::Language;

/// What becomes of an operator or a word.
const CHANGES: [(&str, &str); 22] = [
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("//", "*"),
    ("%", "+"),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("===", "!=="),
    ("!==", "==="),
    ("&&", "||"),
    ("||", "&&"),
    ("+=", "-="),
    ("-=", "+="),
    ("and", "or"),
    ("or", "and"),
    ("True", "False"),
    ("true", "false"),
];

/// At most `most` programs that differ from `program` in one operator, one truth value or one number each. They are spread over the
/// text. Some of them do not compile, and some behave like the program.
pub fn mutants(program: &Program, most: usize) -> Vec<Program> {
    let text = &program.text;
    let mut all = Vec::new();
    for (kind, range) in pieces(text, program.language) {
        let piece = &text[range.clone()];
        let comment = piece.starts_with("//") && program.language != Language::Python;
        let new = match kind {
            Piece::Operator | Piece::Name if !comment => {
                CHANGES.iter().find(|(old, _)| *old == piece).map(|(_, new)| (*new).to_owned())
            }
            Piece::Number => {
                piece.parse::<i64>().ok().and_then(|number| number.checked_add(1)).map(|n| n.to_string())
            }
            _ => None,
        };
        if let Some(new) = new {
            let text = [&text[..range.start], &new, &text[range.end..]].concat();
            all.push(Program { language: program.language, text });
        }
    }
    if all.len() <= most {
        return all;
    }
    (0..most).map(|place| all[place * all.len() / most].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_mutant_differs_in_one_place() {
        let program = Program::python("def f(a):\n    # a + b\n    return a + 1 if a < 3 and a else '<'");
        let texts: Vec<String> = mutants(&program, 10).into_iter().map(|mutant| mutant.text).collect();
        let line = |changed: &str| format!("def f(a):\n    # a + b\n    return {changed} else '<'");
        let expected = [
            "a - 1 if a < 3 and a",
            "a + 2 if a < 3 and a",
            "a + 1 if a <= 3 and a",
            "a + 1 if a < 4 and a",
            "a + 1 if a < 3 or a",
        ];
        assert_eq!(texts, expected.map(line));
        assert_eq!(mutants(&program, 2).len(), 2);
    }
}
