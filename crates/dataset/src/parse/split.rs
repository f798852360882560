//! Several implementations in one block of code.
//!
//! Functions that use each other belong together, as a function and its helpers do. Functions of which none uses another are several
//! implementations. So are functions of one name.

use familiar_source::{Language, TokenClass};
use familiar_syntax::{Parser, Want};

use super::check::{Function, functions};

/// The implementations in `code`, each with the imports of all; the whole where it is one. Empty where there is no function.
pub(super) fn split(parser: &mut Parser, language: Language, code: &str) -> Vec<String> {
    let functions = functions(parser, language, code);
    if functions.is_empty() {
        return Vec::new();
    }
    let groups = groups(parser, language, code, &functions);
    if groups.len() < 2 || functions.iter().any(|it| it.in_class) {
        return vec![code.to_owned()];
    }
    let starts: Vec<usize> =
        functions.iter().map(|it| start_with_comments(code, it.bytes.start as usize)).collect();
    let imports: String = lines_outside(code, &functions).filter(|line| is_import(line)).collect();
    let part = |group: &Vec<usize>| {
        let mut text = imports.clone();
        for &at in group {
            text.push_str(code[starts[at]..functions[at].bytes.end as usize].trim_end());
            text.push('\n');
        }
        text
    };
    groups.iter().map(part).collect()
}

/// The functions by number, those together that use each other, in the order of the first of each.
fn groups(parser: &mut Parser, language: Language, code: &str, functions: &[Function]) -> Vec<Vec<usize>> {
    let name = |at: usize| &code[functions[at].name.range()];
    let tokens = parser.parse(language, code.as_bytes(), Want::default()).tokens;
    let names: Vec<(usize, &str)> = tokens
        .iter()
        .filter(|token| token.class == TokenClass::Identifier)
        .map(|token| (token.start as usize, &code[token.start as usize..token.end as usize]))
        .collect();
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
fn start_with_comments(code: &str, start: usize) -> usize {
    let mut start = code[..start].rfind('\n').map_or(0, |at| at + 1);
    while let Some(before) = code[..start].strip_suffix('\n') {
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line = before[line_start..].trim();
        if !line.starts_with(['#', '/', '*', '@', '[']) || is_import(line) {
            break;
        }
        start = line_start;
    }
    start
}

/// The lines that are in no function, with their ends.
fn lines_outside<'c>(code: &'c str, functions: &'c [Function]) -> impl Iterator<Item = &'c str> {
    let mut at = 0;
    code.split_inclusive('\n').filter(move |line| {
        let start = at;
        at += line.len();
        !functions.iter().any(|it| it.bytes.range().contains(&start))
    })
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
