//! Several implementations in one block of code.
//!
//! Functions that use each other belong together, as a function and its helpers do. Functions of which none uses another are several
//! implementations. So are functions of one name.

use std::collections::BTreeSet;
use std::ops::Range;

use familiar_source::{Language, TokenClass};
use familiar_syntax::{Parser, Want};

use super::check::{Function, functions, parses};

/// Most bytes that all parts together get of what stands outside of functions.
const MOST: usize = 4 << 20;

/// The implementations in `code`, each with what stands outside of functions; the whole where it is one, or where the parts are no programs.
/// Empty where there is no function.
pub(super) fn split(parser: &mut Parser, language: Language, code: &str) -> Vec<String> {
    let functions = functions(parser, language, code);
    if functions.is_empty() {
        return Vec::new();
    }
    let groups = groups(parser, language, code, &functions);
    if groups.len() < 2 || functions.iter().any(|it| it.in_class) {
        return vec![code.to_owned()];
    }
    let pieces = pieces(language, code, &functions);
    let outside: usize = pieces.iter().filter(|it| it.function.is_none()).map(|it| it.range.len()).sum();
    if outside.saturating_mul(groups.len()) > MOST {
        return vec![code.to_owned()];
    }
    let name = |at: &usize| &code[functions[*at].name.range()];
    let named: BTreeSet<&str> = (0..functions.len()).map(|at| name(&at)).collect();
    let mut uses = names(parser, language, code);
    uses.retain(|(_, name)| named.contains(name));
    let part = |group: &Vec<usize>| {
        let own: BTreeSet<&str> = group.iter().map(name).collect();
        let is_own = |piece: &&Piece| {
            if let Some(at) = piece.function {
                return group.contains(&at);
            }
            // What calls another implementation is no part of this one.
            let [from, to] =
                [piece.range.start, piece.range.end].map(|end| uses.partition_point(|(at, _)| *at < end));
            uses[from..to].iter().all(|(_, name)| own.contains(name))
        };
        let mut text = String::new();
        for piece in pieces.iter().filter(is_own) {
            text.push_str(code[piece.range.clone()].trim_end());
            text.push('\n');
        }
        text
    };
    let parts: Vec<String> = groups.iter().map(part).collect();
    if parts.iter().all(|part| parses(language, part) == Some(true)) { parts } else { vec![code.to_owned()] }
}

/// A function with its comments, or a statement outside of functions.
struct Piece {
    range: Range<usize>,
    /// The number of the function.
    function: Option<usize>,
}

/// The code in pieces, in their order. Blank lines are in none.
fn pieces(language: Language, code: &str, functions: &[Function]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for (number, function) in functions.iter().enumerate() {
        let end = function.bytes.end as usize;
        let start =
            start_with_comments(language, code, function.bytes.start as usize).clamp(at.min(end), end);
        outside(code, at..start, &mut pieces);
        // A semicolon or a comment may stand behind it, on its line.
        let line_end = code[end..].find('\n').map_or(code.len(), |it| end + it + 1);
        let next = functions.get(number + 1).map_or(code.len(), |it| it.bytes.start as usize);
        at = if line_end <= next { line_end } else { end };
        pieces.push(Piece { range: start..at, function: Some(number) });
    }
    outside(code, at..code.len(), &mut pieces);
    pieces
}

/// Adds the statements in a range: each begins with a line at the margin that closes no bracket.
fn outside(code: &str, range: Range<usize>, pieces: &mut Vec<Piece>) {
    let mut at = range.start;
    for line in code[range].split_inclusive('\n') {
        let begins = line.starts_with(|c: char| !c.is_whitespace() && !")]}".contains(c));
        match pieces.last_mut().filter(|_| !begins) {
            Some(piece) if piece.function.is_none() => piece.range.end = at + line.len(),
            _ if line.trim().is_empty() => {}
            _ => pieces.push(Piece { range: at..at + line.len(), function: None }),
        }
        at += line.len();
    }
}

/// The identifiers of the code, each with its place.
fn names<'c>(parser: &mut Parser, language: Language, code: &'c str) -> Vec<(usize, &'c str)> {
    let tokens = parser.parse(language, code.as_bytes(), Want::default()).tokens;
    tokens
        .iter()
        .filter(|token| token.class == TokenClass::Identifier)
        .map(|token| (token.start as usize, &code[token.start as usize..token.end as usize]))
        .collect()
}

/// The functions by number, those together that use each other, in the order of the first of each.
fn groups(parser: &mut Parser, language: Language, code: &str, functions: &[Function]) -> Vec<Vec<usize>> {
    let name = |at: usize| &code[functions[at].name.range()];
    let names = names(parser, language, code);
    let uses = |user: usize, used: usize| {
        let range = functions[user].bytes.range();
        name(user) != name(used)
            && !name(used).is_empty()
            && names.iter().any(|(at, it)| range.contains(at) && *it == name(used))
    };
    let mut group: Vec<usize> = (0..functions.len()).collect();
    for user in 0..functions.len() {
        for used in 0..functions.len() {
            // Of several functions of one name, the one before is meant, or else the first one behind.
            let nearest = (0..functions.len()).filter(|&it| name(it) == name(used)).rfind(|&it| it < user);
            let is_meant = nearest.map_or(used > user, |it| it == used);
            if is_meant && uses(user, used) {
                let (from, to) = (group[used].max(group[user]), group[used].min(group[user]));
                group.iter_mut().filter(|it| **it == from).for_each(|it| *it = to);
            }
        }
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for first in 0..functions.len() {
        if group[first] == first {
            groups.push((0..functions.len()).filter(|&it| group[it] == first).collect());
        }
    }
    groups
}

/// Where the comments and decorators that stand directly before a function begin.
fn start_with_comments(language: Language, code: &str, start: usize) -> usize {
    let has_macros = matches!(language, Language::C | Language::Cpp | Language::CSharp);
    let mut start = code[..start].rfind('\n').map_or(0, |at| at + 1);
    while let Some(before) = code[..start].strip_suffix('\n') {
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before[line_start..].trim();
        if !line.starts_with(['#', '/', '*', '@', '['])
            || is_import(line)
            || has_macros && line.starts_with('#')
        {
            break;
        }
        start = line_start;
    }
    start
}

fn is_import(line: &str) -> bool {
    const STARTS: [&str; 8] =
        ["import ", "from ", "#include", "using ", "use ", "package ", "require", "const "];
    let line = line.trim_start();
    STARTS.iter().any(|start| line.starts_with(start))
        && (!line.starts_with("const ") || line.contains("require("))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(language: Language, code: &str) -> Vec<String> {
        split(&mut Parser::default(), language, code)
    }

    #[test]
    fn functions_that_do_not_use_each_other_are_several_implementations() {
        let code = "import math\n\n# the first\ndef f1(x):\n    return math.sqrt(x)\n\ndef f2(x):\n    return x ** 0.5\n";
        assert_eq!(
            parts(Language::Python, code),
            [
                "import math\n# the first\ndef f1(x):\n    return math.sqrt(x)\n",
                "import math\ndef f2(x):\n    return x ** 0.5\n"
            ]
        );
    }

    #[test]
    fn each_implementation_has_what_stands_outside_of_functions() {
        let code = "from math import (\n    sqrt,\n    floor,\n)\n\nLIMIT = 10\n\ndef f1(x):\n    return sqrt(x) + LIMIT\n\n\
                    def f2(x):\n    return floor(x) * LIMIT\n\nprint(f1(1))\n";
        let outside = "from math import (\n    sqrt,\n    floor,\n)\nLIMIT = 10\n";
        let first = format!("{outside}def f1(x):\n    return sqrt(x) + LIMIT\nprint(f1(1))\n");
        let second = format!("{outside}def f2(x):\n    return floor(x) * LIMIT\n");
        assert_eq!(parts(Language::Python, code), [first, second]);
        let code = "#define TEN 10\nint f(int a) { return a + TEN; }\nint g(int a) { return TEN + a; }\n";
        let first = "#define TEN 10\nint f(int a) { return a + TEN; }\n";
        assert_eq!(parts(Language::C, code), [first, "#define TEN 10\nint g(int a) { return TEN + a; }\n"]);
    }

    #[test]
    fn a_block_whose_parts_are_no_programs_stays_whole() {
        let code = "try:\n    import one\nexcept ImportError:\n    def f(x):\n        return x\n\ndef g(x):\n    return x + 1\n";
        assert_eq!(parts(Language::Python, code), [code]);
    }

    #[test]
    fn helpers_stay_with_those_who_use_them() {
        let code = "int twice(int a) { return 2 * a; }\nint f(int a) { return twice(a); }\n";
        assert_eq!(parts(Language::C, code), [code]);
        let code = "def h(x):\n    return x\n\ndef f(x):\n    return h(x)\n\ndef f(x):\n    return x\n";
        assert_eq!(parts(Language::Python, code).len(), 2);
    }

    #[test]
    fn functions_of_one_name_are_several_implementations() {
        let code = "def f(n):\n    return n and n + f(n - 1)\n\ndef f(n):\n    return sum(range(n + 1))\n";
        assert_eq!(parts(Language::Python, code).len(), 2);
    }

    #[test]
    fn a_class_is_one_implementation() {
        let code = "class A {\n    int f(int a) { return a; }\n    int g(int a) { return a + 1; }\n}\n";
        assert_eq!(parts(Language::Java, code), [code]);
        assert_eq!(parts(Language::Python, "x = 1\n"), Vec::<String>::new());
    }
}
