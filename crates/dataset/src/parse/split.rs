//! Several implementations in one block of code.
//!
//! Functions that use each other belong together, as a function and its helpers do, also by what a decorator or a table outside of them
//! names. Functions of which none uses another are several implementations. So are functions of one name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::check::{Code, Program, statements};
use super::pieces::{Name, Piece, names, pieces, within};

/// Most bytes that all parts together get of what stands outside of functions.
const MOST: usize = 4 << 20;

/// An implementation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) code: String,
    /// The hash of its tokens.
    pub(super) hash: u128,
    /// Where it stands in the block, in their order.
    pub(super) ranges: Vec<Range<usize>>,
}

/// The implementations in `code`, each with what stands outside of functions; the whole where it is one, or where the parts are no programs.
/// Empty where there is no function.
pub(super) fn split(program: &Program<'_>) -> Vec<Part> {
    let code = &program.code;
    let functions = &code.functions;
    if functions.is_empty() {
        return Vec::new();
    }
    let whole = || {
        let all = 0..code.text.len();
        vec![Part { code: code.text.to_owned(), hash: code.hash(&code.tokens), ranges: vec![all] }]
    };
    if functions.len() < 2 || functions.iter().any(|it| it.in_class) {
        return whole();
    }
    let pieces = pieces(code);
    let uses = names(code);
    let groups = groups(code, &pieces, &uses);
    if groups.len() < 2 {
        return whole();
    }
    let name = |at: &usize| &code.text[functions[*at].name.range()];
    let named: BTreeSet<&str> = (0..functions.len()).map(|at| name(&at)).collect();
    let uses: Vec<Name> = uses.into_iter().filter(|it| named.contains(it.text)).collect();
    let (inside, outside): (Vec<&Piece>, Vec<&Piece>) = pieces.iter().partition(|it| it.function.is_some());
    if outside.iter().map(|it| it.range.len()).sum::<usize>().saturating_mul(groups.len()) > MOST {
        return whole();
    }
    let part = |group: &Vec<usize>| {
        let own: BTreeSet<&str> = group.iter().map(name).collect();
        // What calls another implementation is no part of this one.
        let is_own = |piece: &&&Piece| within(&uses, &piece.range).iter().all(|it| own.contains(it.text));
        let functions = group.iter().map(|&at| &inside[at].range);
        let mut ranges: Vec<Range<usize>> =
            functions.chain(outside.iter().filter(is_own).map(|it| &it.range)).cloned().collect();
        ranges.sort_by_key(|it| it.start);
        let mut text = String::new();
        for range in &ranges {
            text.push_str(code.text[range.clone()].trim_end());
            text.push('\n');
        }
        Part { code: text, hash: code.hash(ranges.iter().flat_map(|it| code.tokens_in(it))), ranges }
    };
    let parts: Vec<Part> = groups.iter().map(part).collect();
    // Whole statements are a program.
    let are_statements =
        || pieces.iter().all(|it| program.parts_at(it.range.start) && program.parts_at(it.range.end));
    let are_programs = || parts.iter().all(|part| statements(code.language, &part.code).is_some());
    if are_statements() || are_programs() { parts } else { whole() }
}

/// The functions by number, those together that use each other, in the order of the first of each.
fn groups(code: &Code<'_>, pieces: &[Piece], names: &[Name<'_>]) -> Vec<Vec<usize>> {
    let functions = &code.functions;
    let name = |at: usize| &code.text[functions[at].name.range()];
    // What a variable outside of functions names counts as named by those who use the variable.
    let mut tables: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for piece in pieces.iter().filter(|it| it.function.is_none()) {
        let all = within(names, &piece.range);
        if let Some(variable) = all.first().filter(|it| it.is_given) {
            let named = all[1..].iter().filter(|it| !it.is_called).map(|it| it.text);
            tables.entry(variable.text).or_default().extend(named);
        }
    }
    let mut used: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); functions.len()];
    for piece in pieces {
        let Some(number) = piece.function else { continue };
        let mut left: Vec<&str> = within(names, &piece.range).iter().map(|it| it.text).collect();
        while let Some(text) = left.pop() {
            if used[number].insert(text) {
                left.extend(tables.get(text).into_iter().flatten());
            }
        }
    }
    let mut numbers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for at in 0..functions.len() {
        numbers.entry(name(at)).or_default().push(at);
    }
    let (mut links, mut ahead) = (Vec::new(), BTreeSet::new());
    for (user, texts) in used.iter().enumerate() {
        for others in texts.iter().filter(|it| **it != name(user)).filter_map(|it| numbers.get(it)) {
            // Of several functions of one name, the one before is meant, or else all behind.
            let before = others.partition_point(|&it| it < user);
            let meant = if before > 0 {
                &others[before - 1..before]
            } else if ahead.insert(others[0]) {
                &others[..]
            } else {
                // All of them are together already.
                &others[..1]
            };
            links.extend(meant.iter().map(|&other| (user, other)));
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (at, first) in joined(functions.len(), &links).into_iter().enumerate() {
        groups.entry(first).or_default().push(at);
    }
    groups.into_values().collect()
}

/// The smallest number that each of `count` is linked with, through others or by itself.
fn joined(count: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let mut group: Vec<usize> = (0..count).collect();
    let root = |group: &mut Vec<usize>, mut at: usize| {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    };
    for &(one, other) in links {
        let (one, other) = (root(&mut group, one), root(&mut group, other));
        group[one.max(other)] = one.min(other);
    }
    (0..count).map(|at| root(&mut group, at)).collect()
}

#[cfg(test)]
mod tests {
    use familiar_source::Language;
    use familiar_syntax::Parser;

    use super::*;

    fn parts(language: Language, code: &str) -> Vec<String> {
        let code = Code::read(&mut Parser::default(), language, code);
        split(&code.program().expect("a program")).into_iter().map(|it| it.code).collect()
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
        // A line of its own begins the second function's statement.
        let code = "int f(int a) {\n    return a;\n}\n\ntemplate <class T>\nT g(T a) {\n    return a;\n}\n";
        assert_eq!(parts(Language::Cpp, code), [code]);
    }

    #[test]
    fn helpers_stay_with_those_who_use_them() {
        let code = "int twice(int a) { return 2 * a; }\nint f(int a) { return twice(a); }\n";
        assert_eq!(parts(Language::C, code), [code]);
        let code = "def h(x):\n    return x\n\ndef f(x):\n    return h(x)\n\ndef f(x):\n    return x\n";
        assert_eq!(parts(Language::Python, code).len(), 2);
    }

    #[test]
    fn decorators_and_tables_name_helpers() {
        let code = "def quiet(g):\n    return lambda *a: g(*a)\n\n@quiet\ndef f(x):\n    return x\n";
        assert_eq!(parts(Language::Python, code), [code]);
        let code = "def one(x):\n    return 1\n\ndef two(x):\n    return 2\n\nHOW = {\n    True: one,\n    False: two,\n}\n\n\
                    def f(x):\n    return HOW[x > 1](x)\n\ndef f(x):\n    return 1 if x > 1 else 2\n";
        let found = parts(Language::Python, code);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("def one") && found[0].contains("HOW = {"), "{found:?}");
        // Calls that show how to use them are no tables.
        let code = "def first(n):\n    return n\n\nn = first(2)\n\ndef second(n):\n    return 0 + n\n\nn = second(2)\n";
        assert_eq!(parts(Language::Python, code).len(), 2);
        let code = "from functools import singledispatch\n\n@singledispatch\ndef f(x):\n    return 0\n\n@f.register(str)\ndef _(x):\n    return 1\n\n\
                    @f.register(int)\ndef _(x):\n    return 2\n";
        assert_eq!(parts(Language::Python, code), [code]);
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
