//! Helpers and imports that a reply has in blocks of their own.
//!
//! Models often write the imports, a type or a helper first, and then the function that needs them. What a block declares belongs to the
//! parts of other blocks of its language that name it. Implementations are no helpers: those that have the name of the seed in theirs, and
//! those that have one name together.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use familiar_source::{Language, Span};

use super::check::Program;
use super::declarations::{Declarations, Word};
use super::naming::{has_name, shows_others};
use super::pieces::{Name, is_import, names, statements, within};
use super::split::Part;

/// Most bytes that the implementations of a reply have together with what stands in other blocks.
const MOST: usize = 4 << 20;

/// A block of a reply: a program, and its implementations.
pub(super) type Block<'p, 'c> = (&'p Program<'c>, &'p [Part]);

/// What becomes of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is an implementation.
    Alone,
    /// It is one with what it needs of other blocks, as one text.
    Joined(String),
    /// It belongs to others.
    Helper,
    /// It shows how others are called.
    Example,
}

/// A part as the others see it.
struct Seen<'p, 'c> {
    block: usize,
    /// The number of the part in its block.
    at: usize,
    language: Language,
    code: &'p str,
    /// The outermost functions and classes.
    declared: BTreeSet<&'c str>,
    classes: BTreeSet<&'c str>,
    methods: BTreeSet<&'c str>,
    /// The names in it that are neither declared there, nor members of something else, nor variables.
    used: BTreeSet<&'c str>,
    parameters: BTreeSet<&'c str>,
}

/// What becomes of the parts of each block of a reply to a question about functions of some names. A block without parts has one fate, which
/// says whether others need it.
pub(super) fn fates(blocks: &[Block<'_, '_>], seed: &BTreeSet<&str>) -> Vec<Vec<Fate>> {
    let mut fates: Vec<Vec<Fate>> =
        blocks.iter().map(|(_, parts)| vec![Fate::Alone; parts.len().max(1)]).collect();
    if blocks.len() < 2 {
        return fates;
    }
    let seen: Vec<Seen<'_, '_>> = blocks
        .iter()
        .enumerate()
        .flat_map(|(block, (program, parts))| Seen::all(block, program, parts))
        .collect();
    let mut declared: BTreeMap<Word<'_>, Vec<usize>> = BTreeMap::new();
    for (which, part) in seen.iter().enumerate() {
        for &name in &part.declared {
            declared.entry((part.language, name)).or_default().push(which);
        }
    }
    let named_by = |part: &Seen<'_, '_>| -> BTreeSet<usize> {
        part.used.iter().filter_map(|name| declared.get(&(part.language, *name))).flatten().copied().collect()
    };
    let named: Vec<BTreeSet<usize>> = seen.iter().map(named_by).collect();
    let is_named: BTreeSet<usize> = named.iter().flatten().copied().collect();
    let is_example = |&which: &usize| {
        !named[which].is_empty() && !is_named.contains(&which) && seen[which].is_example(seed)
    };
    let is_helper = |&which: &usize| {
        let part = &seen[which];
        let is_alone = part.declared.iter().all(|name| declared[&(part.language, *name)].len() == 1);
        let mut all = part.declared.iter().chain(&part.methods);
        is_alone && !all.any(|name| seed.iter().any(|it| has_name(name, it)))
    };
    let examples: BTreeSet<usize> = (0..seen.len()).filter(is_example).collect();
    let helpers: BTreeSet<usize> = (0..seen.len()).filter(is_helper).collect();
    let needs: Vec<BTreeSet<usize>> = named.iter().map(|it| it & &helpers).collect();
    let mut declarations = Declarations::default();
    for (block, (program, _)) in blocks.iter().enumerate().filter(|(_, (_, parts))| parts.is_empty()) {
        let language = program.code.language;
        declarations.add(block, &program.code, |name| declared.contains_key(&(language, name)));
    }
    for &which in &examples {
        fates[seen[which].block][seen[which].at] = Fate::Example;
    }
    let is_needed: BTreeSet<usize> =
        (0..seen.len()).filter(|it| !examples.contains(it)).flat_map(|it| &needs[it]).copied().collect();
    // Parts that nobody needs come first. Of those that need each other, the first one stands for all.
    let order = (0..seen.len()).filter(|it| !is_needed.contains(it)).chain(is_needed.iter().copied());
    let mut left = MOST;
    for which in order {
        let Seen { block, at, .. } = seen[which];
        if left == 0 || fates[block][at] != Fate::Alone {
            continue;
        }
        let Some(together) = together(&seen, &needs, which, left) else {
            left = 0;
            continue;
        };
        let parts: Vec<&Seen<'_, '_>> = together.iter().map(|&it| &seen[it]).collect();
        let (text, others) = text(&parts, &declarations);
        left = left.saturating_sub(text.len());
        if parts.len() > 1 || !others.is_empty() {
            for part in &parts[..parts.len() - 1] {
                fates[part.block][part.at] = Fate::Helper;
            }
            for other in others {
                fates[other] = vec![Fate::Helper];
            }
            fates[block][at] = Fate::Joined(text);
        }
    }
    fates
}

/// A part with the helpers that it needs, and that these need in turn: helpers in their order, then the part. `None` where these are more than
/// `most` bytes.
fn together(
    seen: &[Seen<'_, '_>],
    needs: &[BTreeSet<usize>],
    which: usize,
    most: usize,
) -> Option<Vec<usize>> {
    let (mut known, mut left, mut bytes) = (BTreeSet::from([which]), vec![which], 0);
    while let Some(next) = left.pop() {
        bytes += seen[next].code.len();
        if bytes > most {
            return None;
        }
        left.extend(needs[next].iter().copied().filter(|it| known.insert(*it)));
    }
    known.remove(&which);
    Some(known.into_iter().chain([which]).collect())
}

/// The text of parts with the declarations that they need, imports first; and the blocks that the declarations are from.
fn text(parts: &[&Seen<'_, '_>], declarations: &Declarations<'_>) -> (String, BTreeSet<usize>) {
    let Some(last) = parts.last() else { return (String::new(), BTreeSet::new()) };
    let names = parts.iter().flat_map(|it| it.used.iter().copied());
    let parameters = parts.iter().flat_map(|it| it.parameters.iter().copied()).collect();
    let needed = declarations.needed(last.language, names, &parameters);
    let blocks = needed.iter().map(|&it| declarations.all[it].block).collect();
    let declared = needed.iter().map(|&it| declarations.all[it].text);
    let all = declared.chain(parts.iter().map(|it| it.code)).flat_map(statements);
    let (mut imports, mut others): (Vec<&str>, String) = (Vec::new(), String::new());
    let mut known = BTreeSet::new();
    for statement in all {
        if !is_import(statement) && !statement.starts_with("<?php") {
            others.push_str(statement);
            if !statement.ends_with('\n') {
                others.push('\n');
            }
        } else if known.insert(statement.trim_end()) {
            imports.push(statement.trim_end());
        }
    }
    // What a language asks for at the very beginning.
    imports.sort_by_key(|it| match it {
        it if it.starts_with("package ") || it.starts_with("<?php") => 0,
        it if it.starts_with("from __future__ ") => 1,
        _ => 2,
    });
    let imports: String = imports.into_iter().flat_map(|it| [it, "\n"]).collect();
    (imports + &others, blocks)
}

impl<'p, 'c> Seen<'p, 'c> {
    /// The parts of a block.
    fn all(block: usize, program: &Program<'c>, parts: &'p [Part]) -> Vec<Self> {
        let all = names(&program.code);
        let seen = |(at, part)| Self::of((block, at), program, part, &all);
        parts.iter().enumerate().map(seen).collect()
    }

    fn of((block, at): (usize, usize), program: &Program<'c>, part: &'p Part, all: &[Name<'c>]) -> Self {
        let code = &program.code;
        let name = |span: Span| &code.text[span.range()];
        let (mut declared, mut classes, mut methods) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for range in &part.ranges {
            for function in begun(&code.functions, range, |it| it.bytes) {
                let to = if function.in_class { &mut methods } else { &mut declared };
                to.insert(name(function.name));
            }
            classes.extend(begun(&code.classes, range, |it| *it).iter().map(|it| name(*it)));
        }
        declared.extend(&classes);
        declared.remove("");
        let own = || part.ranges.iter().flat_map(|range| within(all, range));
        let variables: BTreeSet<&str> = own().filter(|it| it.is_set).map(|it| it.text).collect();
        let is_used = |name: &&str| !variables.contains(name) && !declared.contains(name);
        let used = own().filter(|it| !it.is_member).map(|it| it.text).filter(is_used).collect();
        let parameters = own().filter(|it| it.is_parameter).map(|it| it.text).collect();
        let language = code.language;
        Self { block, at, language, code: &part.code, declared, classes, methods, used, parameters }
    }

    /// Whether its names say that it only shows how others are called.
    fn is_example(&self, seed: &BTreeSet<&str>) -> bool {
        let is_main_class = |name: &&str| name.eq_ignore_ascii_case("main");
        let mut all = self.declared.iter().chain(&self.methods);
        !self.declared.is_empty()
            && !all.any(|name| seed.contains(name))
            && self.declared.iter().all(|name| shows_others(name))
            // Whole programs stand in a class of this name, too.
            && (!self.classes.iter().any(is_main_class) || self.methods.iter().all(|name| shows_others(name)))
    }
}

/// Those of some spans, in their order, that begin in a range.
fn begun<'t, T>(all: &'t [T], range: &Range<usize>, span: impl Fn(&T) -> Span) -> &'t [T] {
    let [from, to] =
        [range.start, range.end].map(|end| all.partition_point(|it| (span(it).start as usize) < end));
    &all[from..to]
}

#[cfg(test)]
mod tests {
    use familiar_syntax::Parser;

    use super::super::check::Code;
    use super::super::split::split;
    use super::*;

    /// The implementations in blocks: of each block those that are none of other blocks' parts.
    fn joined_by(seed: &str, language: Language, blocks: &[&str]) -> Vec<Vec<String>> {
        // Programs borrow their texts.
        let programs: Vec<(Vec<Part>, Program<'_>)> = blocks
            .iter()
            .filter_map(|text| Code::read(&mut Parser::default(), language, text).program())
            .map(|program| (split(&program), program))
            .collect();
        assert_eq!(programs.len(), blocks.len(), "they are programs");
        let all: Vec<Block<'_, '_>> =
            programs.iter().map(|(parts, program)| (program, parts.as_slice())).collect();
        let text = |(fate, part): (Fate, &Part)| match fate {
            Fate::Alone => Some(part.code.clone()),
            Fate::Joined(text) => Some(text),
            Fate::Helper | Fate::Example => None,
        };
        let fates = fates(&all, &BTreeSet::from([seed]));
        let of = |(fates, (parts, _)): (Vec<Fate>, &(Vec<Part>, _))| {
            fates.into_iter().zip(parts).filter_map(text).collect()
        };
        fates.into_iter().zip(&programs).map(of).collect()
    }

    /// The implementations of one block each; `None` where there is none.
    fn joined(language: Language, blocks: &[&str]) -> Vec<Option<String>> {
        joined_by("total", language, blocks).into_iter().map(|mut it| it.pop()).collect()
    }

    #[test]
    fn imports_go_to_those_who_name_them() {
        let [imports, one, two] = [
            "import math\nfrom functools import reduce\n",
            "def total(xs):\n    return math.fsum(xs)\n",
            "def total(xs):\n    return reduce(int.__add__, xs)\n",
        ];
        assert_eq!(
            joined(Language::Python, &[imports, one, two]),
            [
                None,
                Some("import math\ndef total(xs):\n    return math.fsum(xs)\n".to_owned()),
                Some(
                    "from functools import reduce\ndef total(xs):\n    return reduce(int.__add__, xs)\n"
                        .to_owned()
                ),
            ]
        );
        // Nobody can tell what a header declares.
        let c = ["#include <string.h>\n", "int total(char *s) { return strlen(s); }\n"];
        let together = format!("{}{}", c[0], c[1]);
        assert_eq!(joined(Language::C, &c), [None, Some(together)]);
        // What has its own import does not get another one.
        let own = "import math\n\ndef total(xs):\n    return math.fsum(xs)\n";
        let tidy = "import math\ndef total(xs):\n    return math.fsum(xs)\n";
        assert_eq!(joined(Language::Python, &["import math\n", own]), [None, Some(tidy.to_owned())]);
    }

    #[test]
    fn helpers_go_to_those_who_call_them() {
        let [helper, one, two] = [
            "def add(a, b):\n    return a + b\n",
            "def total(xs):\n    s = 0\n    for x in xs:\n        s = add(s, x)\n    return s\n",
            "def total(xs):\n    return sum(xs)\n",
        ];
        let together = format!("{helper}{one}");
        let expected = [None, Some(together.clone()), Some(two.to_owned())];
        assert_eq!(joined(Language::Python, &[helper, one, two]), expected);
        // It may come later.
        assert_eq!(
            joined(Language::Python, &[one, two, helper]),
            [Some(together), Some(two.to_owned()), None]
        );
        let [node, user] = [
            "struct Node {\n    int value;\n    struct Node *next;\n};\n",
            "int total(struct Node *n) { return n ? n->value + total(n->next) : 0; }\n",
        ];
        assert_eq!(joined(Language::C, &[node, user]), [None, Some(format!("{node}{user}"))]);
    }

    #[test]
    fn helpers_have_helpers_and_may_need_each_other() {
        let [one, two, three] = [
            "def one(n):\n    return n and two(n - 1)\n",
            "def two(n):\n    return n and one(n - 1)\n",
            "def total(xs):\n    return one(len(xs))\n",
        ];
        assert_eq!(
            joined(Language::Python, &[one, two, three]),
            [None, None, Some([one, two, three].concat())]
        );
        assert_eq!(joined(Language::Python, &[one, two]), [Some(format!("{two}{one}")), None]);
    }

    #[test]
    fn implementations_are_no_helpers() {
        // The second one shows the first one at work.
        let [one, two] =
            ["def total(xs):\n    return sum(xs)\n", "def twice(xs):\n    return 2 * total(xs)\n"];
        assert_eq!(joined(Language::Python, &[one, two]), [Some(one.to_owned()), Some(two.to_owned())]);
        let [one, two, user] = [
            "def fold(xs):\n    return sum(xs)\n",
            "def fold(xs):\n    return sum(list(xs))\n",
            "def other(xs):\n    return fold(xs)\n",
        ];
        assert_eq!(
            joined(Language::Python, &[one, two, user]),
            [one, two, user].map(|it| Some(it.to_owned()))
        );
        // A method of something else has the name of a function.
        let [add, user] = ["def add(a, b):\n    return a + b\n", "def total(xs):\n    return xs.add(1)\n"];
        assert_eq!(joined(Language::Python, &[add, user]), [Some(add.to_owned()), Some(user.to_owned())]);
        // So has a variable.
        let [add, user] =
            ["int add(int a) { return a; }\n", "int total(int a) { int add = a; return add; }\n"];
        assert_eq!(joined(Language::C, &[add, user]), [Some(add.to_owned()), Some(user.to_owned())]);
    }

    #[test]
    fn what_calls_an_implementation_is_an_example() {
        let [one, main] = [
            "int total(int *xs, int n) { int s = 0; while (n--) s += *xs++; return s; }\n",
            "int main(void) { int xs[] = {1, 2}; printf(\"%d\", total(xs, 2)); return 0; }\n",
        ];
        assert_eq!(joined(Language::C, &[one, main]), [Some(one.to_owned()), None]);
        let [one, use_of] = ["def total(xs):\n    return sum(xs)\n", "xs = [1, 2]\nprint(total(xs))\n"];
        assert_eq!(joined(Language::Python, &[one, use_of])[0], Some(one.to_owned()));
    }

    #[test]
    fn what_shows_implementations_takes_none_of_them() {
        let [one, two] = [
            "def total_loop(xs):\n    return sum(xs)\n",
            "def total_builtin(xs):\n    return sum(list(xs))\n",
        ];
        for example in [
            "def test_all():\n    for f in (total_loop, total_builtin):\n        assert f([1]) == 1\n",
            "class TestTotal(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(total_loop([1]), 1)\n",
            "def main():\n    print(total_loop([1]))\n",
        ] {
            let found = joined(Language::Python, &[one, two, example]);
            assert_eq!(found, [Some(one.to_owned()), Some(two.to_owned()), None], "{example}");
        }
        let java = [
            "class LoopTotal {\n    static int total(int[] xs) { int s = 0; for (int x : xs) s += x; return s; }\n}\n",
            "class StreamTotal {\n    static int total(int[] xs) { return Arrays.stream(xs).sum(); }\n}\n",
            "class Demo {\n    public static void main(String[] args) { System.out.println(LoopTotal.total(null)); }\n}\n",
        ];
        let expected = [Some(java[0].to_owned()), Some(java[1].to_owned()), None];
        assert_eq!(joined(Language::Java, &java), expected);
        // One variant calls another.
        let [one, two] =
            ["def total_v1(xs):\n    return sum(xs)\n", "def total_v2(xs):\n    return total_v1(list(xs))\n"];
        assert_eq!(joined(Language::Python, &[one, two]), [Some(one.to_owned()), Some(two.to_owned())]);
    }

    #[test]
    fn a_seed_may_be_called_main() {
        let [helper, main] = [
            "int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }\n",
            "int main(void) { return gcd(4, 6); }\n",
        ];
        assert_eq!(
            joined_by("main", Language::C, &[helper, main]),
            [vec![], vec![format!("{helper}{main}")]]
        );
    }

    #[test]
    fn names_before_colons_and_arguments_are_used() {
        for (language, first, second) in [
            (
                Language::Python,
                "VOWELS = 'aeiou'\n",
                "def total(xs):\n    if xs in VOWELS:\n        return 1\n",
            ),
            (
                Language::Python,
                "class Bad(Exception):\n    def __str__(self):\n        return ''\n",
                "def total(xs):\n    try:\n        return 1\n    except Bad:\n        return 2\n",
            ),
            (
                Language::Python,
                "class ListNode:\n    def __init__(self):\n        self.next = None\n",
                "def total(head) -> ListNode:\n    return head\n",
            ),
            (Language::Python, "LIMIT: Final = 3\n", "def total(xs):\n    return LIMIT\n"),
            (
                Language::Python,
                "def key(x):\n    return -x\n",
                "def total(xs):\n    return sorted(xs, key=key)\n",
            ),
            (
                Language::C,
                "enum color { RED, GREEN };\n",
                "int total(int a) { switch (a) { case RED: return 1; } return 2; }\n",
            ),
            (Language::C, "#define MAX 10\n", "int total(int a) { return a > MAX ? MAX : a; }\n"),
            (
                Language::JavaScript,
                "const add = (a, b) => a + b;\n",
                "function total(xs) { return fold(xs, { add: add }); }\n",
            ),
        ] {
            let together = format!("{first}{second}");
            assert_eq!(joined(language, &[first, second]), [None, Some(together)]);
        }
    }

    #[test]
    fn each_implementation_of_a_block_gets_what_it_needs() {
        let helper = "class Node:\n    def __init__(self):\n        self.next = None\n";
        let [one, two] = ["def total(head: Node):\n    return 1\n", "def total_of(xs):\n    return 2\n"];
        let found = joined_by("total", Language::Python, &[helper, &format!("{one}\n{two}")]);
        assert_eq!(found, [vec![], vec![format!("{helper}{one}"), two.to_owned()]]);
    }

    #[test]
    fn imports_come_first_and_once() {
        let [helper, user] = [
            "import math\n\ndef add(a, b):\n    return math.fsum((a, b))\n",
            "from __future__ import annotations\nimport math\n\ndef total(xs):\n    return add(math.pi, xs)\n",
        ];
        let together = "from __future__ import annotations\nimport math\ndef add(a, b):\n    return math.fsum((a, b))\n\
                        def total(xs):\n    return add(math.pi, xs)\n";
        assert_eq!(joined(Language::Python, &[helper, user])[1].as_deref(), Some(together));
        let [helper, user] = [
            "class Acc {\n    int sum() { return 0; }\n}\n",
            "import java.util.*;\nclass Solution {\n    int total(List<Integer> xs) { return new Acc().sum(); }\n}\n",
        ];
        let found = joined(Language::Java, &[helper, user]);
        assert!(
            found[1].as_deref().is_some_and(|it| it.starts_with("import java.util.*;\nclass Acc {")),
            "{found:?}"
        );
    }

    #[test]
    fn given_values_are_no_constants() {
        let [input, one] = ["xs = [1, 2]\n", "def total(xs):\n    return sum(xs)\n"];
        assert_eq!(joined(Language::Python, &[input, one]), [None, Some(one.to_owned())]);
        // An import serves, whatever stands beside it.
        let found = joined(
            Language::Python,
            &["import math\nprint(math.pi)\n", "def total(xs):\n    return math.fsum(xs)\n"],
        );
        assert_eq!(found[1].as_deref(), Some("import math\ndef total(xs):\n    return math.fsum(xs)\n"));
    }
}
