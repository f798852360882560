//! Helpers and imports that a reply has in blocks of their own.
//!
//! Models often write the imports, a type or a helper first, and then the function that needs them. A block belongs to another one of its
//! language that names what it declares. Implementations that declare the function of the seed, or one name together, are no helpers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use familiar_source::Language;

use super::check::{Code, Function, Program};
use super::pieces::{Name, is_import, names, pieces};

/// Most bytes that all blocks of a reply together get of other ones.
const MOST: usize = 4 << 20;

/// Whether a block is an implementation.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Alone,
    /// With what it needs of other blocks, as one text.
    Joined(String),
    /// It belongs to other blocks.
    Part,
    /// It shows how others are called.
    Example,
}

/// A block as the others see it.
struct Block<'p, 'c> {
    code: &'p Code<'c>,
    names: Vec<Name<'c>>,
    /// Those that are given a value.
    given: BTreeSet<&'c str>,
    /// The outermost functions and classes.
    declared: BTreeSet<&'c str>,
    /// What stands outside of functions, where there are none and all of it declares something.
    declarations: Vec<Range<usize>>,
}

/// What becomes of the blocks of a reply to a question about a function of one of these names.
pub(super) fn fates(programs: &[&Program<'_>], seed: &BTreeSet<&str>) -> Vec<Fate> {
    let mut fates: Vec<Fate> = programs.iter().map(|_| Fate::Alone).collect();
    if programs.len() < 2 {
        return fates;
    }
    let blocks: Vec<Block<'_, '_>> = programs.iter().map(|program| Block::of(&program.code)).collect();
    let mut declared: BTreeMap<Word<'_>, Vec<usize>> = BTreeMap::new();
    for (at, block) in blocks.iter().enumerate() {
        for &name in &block.declared {
            declared.entry((block.code.language, name)).or_default().push(at);
        }
    }
    let calls_other = |block: &Block<'_, '_>| {
        let is_other = |name: &&str| {
            !block.declared.contains(name) && declared.contains_key(&(block.code.language, *name))
        };
        block.used().any(|name| is_other(&name))
    };
    for (block, fate) in blocks.iter().zip(&mut fates) {
        if block.only_begins() && calls_other(block) {
            *fate = Fate::Example;
        }
    }
    let needs = needs(&blocks, &declared, &fates, seed);
    let declarations = Declarations::of(&blocks, &declared);
    let mut known: BTreeSet<usize> = BTreeSet::new();
    let mut bytes = 0;
    // Blocks that nobody needs come first. Of those that need each other, the first one stands for all.
    let helpers: BTreeSet<usize> = needs.iter().flatten().copied().collect();
    let others = (0..blocks.len()).filter(|it| !helpers.contains(it));
    for at in others.chain(helpers.iter().copied()) {
        if known.contains(&at) || fates[at] == Fate::Example || blocks[at].code.functions.is_empty() {
            continue;
        }
        let (mut together, mut left) = (BTreeSet::from([at]), vec![at]);
        while let Some(next) = left.pop() {
            left.extend(needs[next].iter().copied().filter(|it| together.insert(*it)));
        }
        let (text, parts) = text(&blocks, &declarations, at, together);
        bytes += text.len();
        if parts.len() > 1 && bytes <= MOST {
            fates[at] = Fate::Joined(text);
            for part in parts.into_iter().filter(|&it| it != at) {
                fates[part] = Fate::Part;
                known.insert(part);
            }
        }
    }
    fates
}

/// A name in a language.
type Word<'c> = (Language, &'c str);

impl<'p, 'c> Block<'p, 'c> {
    fn of(code: &'p Code<'c>) -> Self {
        let outermost = code.functions.iter().filter(|it| !it.in_class).map(|it| it.name);
        let declared = outermost.chain(code.classes.iter().copied()).map(|span| &code.text[span.range()]);
        let names = names(code);
        let given = names.iter().filter(|it| it.is_given).map(|it| it.text).collect();
        let declared: BTreeSet<&str> = declared.filter(|name| !name.is_empty()).collect();
        let mut declarations = Vec::new();
        if code.functions.is_empty() {
            let all = pieces(code).into_iter().map(|it| it.range);
            // A comment has no tokens. The search takes some imports for comments.
            let has_tokens =
                |it: &Range<usize>| !code.tokens_in(it).is_empty() || is_import(&code.text[it.clone()]);
            let all: Vec<Range<usize>> = all.filter(has_tokens).collect();
            if all.iter().all(|it| declares(&code.text[it.clone()])) {
                declarations = all;
            }
        }
        Self { code, names, given, declared, declarations }
    }

    /// The names in it that are neither members of something else nor given a value there, as variables are.
    fn used(&self) -> impl Iterator<Item = &'c str> {
        self.names.iter().filter(|it| !it.is_member && !self.given.contains(it.text)).map(|it| it.text)
    }

    /// Whether it has nothing but what a program begins with.
    fn only_begins(&self) -> bool {
        let begins = |it: &Function| matches!(&self.code.text[it.name.range()], "main" | "Main");
        !self.code.functions.is_empty() && self.code.functions.iter().all(begins)
    }
}

/// Whether a statement outside of functions declares something.
fn declares(statement: &str) -> bool {
    const STARTS: [&str; 16] = [
        "class ",
        "struct ",
        "typedef ",
        "enum ",
        "union ",
        "interface ",
        "type ",
        "record ",
        "const ",
        "let ",
        "var ",
        "static ",
        "final ",
        "public ",
        "private ",
        "#define ",
    ];
    is_import(statement) || STARTS.iter().any(|start| statement.starts_with(start)) || {
        // `LIMIT = 10`
        let end = statement.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(0);
        let rest = statement[end..].trim_start();
        end > 0 && (rest.starts_with(":=") || rest.starts_with('=') && !rest.starts_with("=="))
    }
}

/// For each block the helpers that it names.
fn needs(
    blocks: &[Block<'_, '_>],
    declared: &BTreeMap<Word<'_>, Vec<usize>>,
    fates: &[Fate],
    seed: &BTreeSet<&str>,
) -> Vec<BTreeSet<usize>> {
    let is_helper = |at: usize| {
        let block = &blocks[at];
        let is_own = |name: &&str| {
            !seed.contains(name)
                && declared.get(&(block.code.language, *name)).is_some_and(|it| it.len() == 1)
        };
        fates[at] != Fate::Example && block.declared.iter().all(is_own)
    };
    let needs_of = |(at, block): (usize, &Block<'_, '_>)| -> BTreeSet<usize> {
        if fates[at] == Fate::Example {
            return BTreeSet::new();
        }
        let others = block.used().filter(|name| !block.declared.contains(name));
        let all = others.filter_map(|name| declared.get(&(block.code.language, name))?.first().copied());
        all.filter(|&other| other != at && is_helper(other)).collect()
    };
    blocks.iter().enumerate().map(needs_of).collect()
}

/// A statement outside of functions.
struct Declaration<'c> {
    block: usize,
    text: &'c str,
    names: Vec<&'c str>,
}

#[derive(Default)]
struct Declarations<'c> {
    all: Vec<Declaration<'c>>,
    /// Those by the names in them.
    named: BTreeMap<Word<'c>, Vec<usize>>,
    /// Those that do not name all that they declare, such as `#include <math.h>`.
    open: BTreeMap<Language, Vec<usize>>,
}

impl<'c> Declarations<'c> {
    fn of(blocks: &[Block<'_, 'c>], declared: &BTreeMap<Word<'_>, Vec<usize>>) -> Self {
        let mut found = Self::default();
        for (at, block) in blocks.iter().enumerate() {
            let language = block.code.language;
            // What names a function of another block shows how it is called, or is another implementation.
            let has_functions = |other: &usize| !blocks[*other].code.functions.is_empty();
            let is_declared = |name: &Name<'_>| {
                declared.get(&(language, name.text)).is_some_and(|it| it.iter().any(has_functions))
            };
            if block.names.iter().any(is_declared) {
                continue;
            }
            for range in &block.declarations {
                let (number, text) = (found.all.len(), block.code.text[range.clone()].trim_end());
                let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
                let names: Vec<&str> =
                    text.split(|letter| !is_letter(letter)).filter(|it| !it.is_empty()).collect();
                for name in &names {
                    found.named.entry((language, *name)).or_default().push(number);
                }
                if text.starts_with("#include")
                    || text.starts_with("using ")
                    || is_import(text) && text.contains('*')
                {
                    found.open.entry(language).or_default().push(number);
                }
                found.all.push(Declaration { block: at, text, names });
            }
        }
        found
    }

    /// The numbers of those that some names of a language need, and that these need in turn.
    fn needed(&self, language: Language, names: impl Iterator<Item = &'c str>) -> BTreeSet<usize> {
        let mut needed: BTreeSet<usize> = self.open.get(&language).into_iter().flatten().copied().collect();
        let (mut left, mut seen): (Vec<&str>, BTreeSet<&str>) = (names.collect(), BTreeSet::new());
        while let Some(name) = left.pop().filter(|_| !self.all.is_empty()) {
            if seen.insert(name) {
                for &number in self.named.get(&(language, name)).into_iter().flatten() {
                    let is_new = needed.insert(number);
                    // An import names nothing that stands in the reply.
                    if is_new && !is_import(self.all[number].text) {
                        left.extend(&self.all[number].names);
                    }
                }
            }
        }
        needed
    }
}

/// The text of a block with what it needs: declarations, helpers in their order, and then its own; and the blocks that this is from.
fn text(
    blocks: &[Block<'_, '_>],
    declarations: &Declarations<'_>,
    at: usize,
    mut together: BTreeSet<usize>,
) -> (String, BTreeSet<usize>) {
    let language = blocks[at].code.language;
    let needed = declarations.needed(language, together.iter().flat_map(|&it| blocks[it].used()));
    let known: BTreeSet<&str> = together.iter().flat_map(|&it| blocks[it].code.text.lines()).collect();
    let mut text = String::new();
    let mut add = |part: &str| {
        text.push_str(part.trim_end());
        text.push('\n');
    };
    let mut others = BTreeSet::new();
    for Declaration { block, text, .. } in needed.iter().map(|&number| &declarations.all[number]) {
        // A block may have its own imports beside those of all.
        if !together.contains(block) && !known.contains(text) {
            add(text);
        }
        others.insert(*block);
    }
    together.iter().filter(|&&it| it != at).for_each(|&helper| add(blocks[helper].code.text));
    text.push_str(blocks[at].code.text);
    together.extend(others);
    (text, together)
}

#[cfg(test)]
mod tests {
    use familiar_syntax::Parser;

    use super::*;

    /// What becomes of blocks: its text, or nothing of what is no implementation.
    fn joined(language: Language, blocks: &[&str]) -> Vec<Option<String>> {
        let program = |text: &&'static str| Code::read(&mut Parser::default(), language, text).program();
        let owned: Vec<&'static str> = blocks.iter().map(|it| &*it.to_string().leak()).collect();
        let programs: Vec<Program<'_>> = owned.iter().map(|it| program(it).expect("a program")).collect();
        let fates = fates(&programs.iter().collect::<Vec<_>>(), &BTreeSet::from(["total"]));
        let text = |(fate, block): (Fate, &&str)| match fate {
            Fate::Alone => Some((*block).to_owned()),
            Fate::Joined(text) => Some(text),
            Fate::Part | Fate::Example => None,
        };
        fates.into_iter().zip(blocks).map(text).collect()
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
        assert_eq!(joined(Language::Python, &["import math\n", own]), [None, Some(own.to_owned())]);
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
}
