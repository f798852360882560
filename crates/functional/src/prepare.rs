//! What stands around a side so that it can be run: imports, and a class for methods without one.

use crate::sample::literals;
use crate::signature::Function;
use crate::tokens::words;
use familiar_sandbox::Program;
use familiar_source::{Language, TokenClass};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The class around methods of Java and C# that have none.
pub(crate) const CLASS: &str = "Main";

const CLASS_OF_CSHARP: &str = "Wrapped";

const OF_JAVA: &str = "import java.io.*; import java.math.*; import java.net.*; import java.nio.charset.*; \
    import java.nio.file.*; import java.text.*; import java.time.*; import java.util.*; \
    import java.util.concurrent.*; import java.util.concurrent.atomic.*; import java.util.function.*; \
    import java.util.regex.*; import java.util.stream.*;";
const OF_CSHARP: &str = "using System; using System.Collections; using System.Collections.Generic; \
    using System.Diagnostics; using System.Globalization; using System.IO; using System.Linq; using System.Runtime.CompilerServices; using System.Text; \
    using System.Text.RegularExpressions; using System.Threading.Tasks;";
const OF_C: &str = "#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <float.h>\n\
    #include <limits.h>\n#include <math.h>\n#include <stdarg.h>\n#include <stdbool.h>\n#include <stddef.h>\n\
    #include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n\
    #include <time.h>\n#include <unistd.h>\n";
const OF_CPP: &str = "#include <algorithm>\n#include <climits>\n#include <cmath>\n#include <cstring>\n\
    #include <functional>\n#include <iostream>\n#include <map>\n#include <numeric>\n#include <queue>\n#include <set>\n\
    #include <sstream>\n#include <stack>\n#include <string>\n#include <unordered_map>\n#include <unordered_set>\n\
    #include <vector>\nusing namespace std;\n";

/// Modules of Python that are imported where a text uses their names without saying so.
const MODULES: &str = "abc array ast base64 bisect calendar cmath codecs collections contextlib copy csv datetime decimal difflib errno fractions functools getpass glob hashlib heapq inspect io itertools json locale logging math mimetypes operator os pickle platform queue random re shlex shutil signal socket statistics string struct subprocess sys tempfile textwrap threading time timeit traceback types typing unicodedata unittest urllib uuid warnings zipfile";

/// Names of those modules that are often used by themselves.
const NAMES: [(&str, &str); 10] = [
    ("collections", "Counter OrderedDict defaultdict deque namedtuple"),
    (
        "itertools",
        "accumulate chain combinations count cycle dropwhile groupby islice permutations product repeat starmap takewhile tee zip_longest",
    ),
    ("functools", "lru_cache partial reduce wraps"),
    ("math", "ceil cos factorial floor gcd log log10 pi sin sqrt"),
    ("random", "choice randint randrange shuffle"),
    ("datetime", "date timedelta"),
    ("operator", "attrgetter itemgetter mul"),
    ("typing", "Any Callable Dict Iterable List Optional Sequence Set Tuple Union"),
    ("decimal", "Decimal"),
    ("fractions", "Fraction"),
];

/// Files and folders for programs of Python that ask for some. They stand in the scratch folder, which is empty otherwise.
const FILES: &str = "import os
for name, text in (('a', 'x y\\n1 2\\n'), ('12', '3\\n'), ('abc/a.txt', 'a b a\\n\\nb\\n'), ('abc/b.py', 'x = 1\\n')) + NAMED:
    os.makedirs(os.path.dirname(name) or '.', exist_ok=True)
    with open(name, 'w') as file: file.write(text)
";
/// Answers for functions of Python that ask for some.
const ANSWERS: &str = "import itertools
answers = itertools.cycle(['3', 'y', '1 2', 'abc', 'exit', 'quit', 'q', 'done', 'n', '0', ''])
input = lambda *prompt: next(answers)
";
/// What functions of Python find in place of other programs, of the net, and of time that passes.
const OUTSIDE: &str = include_str!("python_outside.py");
/// Objects for functions of Python.
const OBJECTS: &str = include_str!("python_around.py");

/// A side that can be run.
#[derive(Clone, Debug)]
pub(crate) struct Prepared {
    pub(crate) program: Program,
    /// What is called.
    pub(crate) function: String,
}

/// A side with what it needs, to call `function` of it. Methods of Java and C# without a class get one with the name `class`.
pub(crate) fn prepared(code: &str, language: Language, function: &Function, class: &str) -> Prepared {
    let name = &function.name;
    let owner = function.owner.as_deref();
    // A method called `Main` may not stand in a class of that name.
    let class = if language == Language::CSharp && class == CLASS { CLASS_OF_CSHARP } else { class };
    let called = match (language, owner) {
        (Language::Java | Language::CSharp, owner) => format!("{}.{name}", owner.unwrap_or(class)),
        (Language::Cpp, Some(owner)) if function.fixed => format!("{owner}::{name}"),
        (_, Some(owner)) if function.fixed && language != Language::Go => format!("{owner}.{name}"),
        (Language::Python | Language::Cpp, Some(owner)) => format!("{owner}().{name}"),
        (Language::JavaScript, Some(owner)) => format!("((...all) => new {owner}().{name}(...all))"),
        (Language::Go, Some(owner)) => format!("(&{owner}{{}}).{name}"),
        _ => name.clone(),
    };
    let text = match (language, owner) {
        (Language::Java | Language::CSharp, None) => in_class(code, class, language),
        (Language::C | Language::Cpp, _) => program(&without_main(code, language), language).text,
        (Language::Python, _) => around(code) + &program(code, language).text,
        _ => program(code, language).text,
    };
    Prepared { program: Program { language, text }, function: called }
}

/// The same in C or C++, but it ends where a number with a sign becomes too large. Compilers that do not know this leave it as it is.
pub(crate) fn trapping(side: &Prepared) -> Prepared {
    const TRAPS: &str = "#pragma GCC optimize(\"O0,no-wrapv,trapv\")\n";
    let head = if side.program.language == Language::C { OF_C } else { OF_CPP };
    let text = match side.program.text.strip_prefix(head) {
        Some(own) => format!("{head}{TRAPS}{own}"),
        None => format!("{TRAPS}{}", side.program.text),
    };
    Prepared { program: Program { text, ..side.program.clone() }, function: side.function.clone() }
}

/// A side as a program that runs by itself.
pub(crate) fn program(code: &str, language: Language) -> Program {
    let text = match language {
        Language::Python => {
            let code = at_the_margin(code);
            format!("{}{code}\n", imports(&code))
        }
        Language::Java if has_class(code) => format!("{OF_JAVA}\n{code}"),
        Language::CSharp if has_class(code) => format!("{OF_CSHARP}\n{code}"),
        Language::Java => in_class(code, CLASS, language),
        Language::CSharp => in_class(code, CLASS_OF_CSHARP, language),
        Language::C => format!("{OF_C}{code}"),
        Language::Cpp => format!("{OF_CPP}{code}"),
        _ => code.to_owned(),
    };
    Program { language, text }
}

/// The text with another name for its `main`, since the calls have a `main` of their own.
fn without_main(code: &str, language: Language) -> String {
    let (mut text, mut from) = (String::new(), 0);
    let all = words(code, language);
    for pair in all.windows(2).filter(|pair| pair[0].is("main") && pair[1].is("(")) {
        text.push_str(&code[from..pair[0].start]);
        text.push_str("familiar_old_main");
        from = pair[0].end;
    }
    text + &code[from..]
}

/// What a function of Python finds around it. It is run by `exec`, so that its lines are none of the program's.
fn around(code: &str) -> String {
    let mut all = format!("exec({})\n", quoted(OBJECTS));
    if ["subprocess", "os.", "socket", "urllib", "sleep"].iter().any(|word| code.contains(word)) {
        let _ = writeln!(all, "exec({})", quoted(OUTSIDE));
    }
    if asks_for_files(code) {
        let (_, texts) = literals(code, Language::Python);
        let is_file = |text: &&String| {
            let plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-".contains(letter));
            plain
                && text
                    .rsplit_once('.')
                    .is_some_and(|(stem, end)| !stem.is_empty() && (1..=4).contains(&end.len()))
        };
        let mut named = String::new();
        for name in texts.iter().filter(is_file) {
            let _ = write!(named, "({}, 'a b\\nc a The 2\\n\\nA the.\\n'), ", quoted(name));
        }
        let _ =
            writeln!(all, "exec({}, {{}})", quoted(&FILES.replace("NAMED", &["(", &named, ")"].concat())));
    }
    if code.contains("input(") || code.contains("input (") {
        let _ = writeln!(all, "exec({})", quoted(ANSWERS));
    }
    all
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a text of Python may open files.
pub(crate) fn asks_for_files(code: &str) -> bool {
    ["open(", "open (", "os.", "shutil.", "glob."].iter().any(|word| code.contains(word))
}

/// Names of files and folders that such programs find.
pub(crate) const FILE_NAMES: [&str; 4] = ["a", "abc", "abc/a.txt", "."];

fn in_class(code: &str, class: &str, language: Language) -> String {
    let is_csharp = language == Language::CSharp;
    let (head, import) = if is_csharp { (OF_CSHARP, "using ") } else { (OF_JAVA, "import ") };
    // `using (…)` of C# is a statement.
    let is_statement = |line: &str| is_csharp && line.split(';').next().unwrap_or(line).contains('(');
    let imports = |line: &&str| line.trim_start().starts_with(import) && !is_statement(line);
    let (own, rest): (Vec<&str>, Vec<&str>) = code.lines().partition(imports);
    // Only static classes have methods that extend others.
    let extends = || {
        let words = words(code, language);
        words.windows(3).any(|it| it[0].is("(") && it[1].is("this") && it[2].names())
    };
    let kind = if is_csharp && extends() { "static class" } else { "class" };
    let rest = if is_csharp { without_override(&rest.join("\n")) } else { rest.join("\n") };
    format!("{head}\n{}\n{kind} {class} {{\n{rest}\n}}\n", own.join("\n"))
}

/// Methods of C# without the word that asks for a class below theirs, which is not there.
fn without_override(code: &str) -> String {
    let (mut text, mut from) = (String::new(), 0);
    for word in words(code, Language::CSharp).iter().filter(|word| word.is("override")) {
        text.push_str(&code[from..word.start]);
        from = word.end;
    }
    text + &code[from..]
}

/// Whether the first declaration is that of a type.
fn has_class(code: &str) -> bool {
    let words = words(code, Language::Java);
    let first = words.iter().take_while(|word| !word.is("{"));
    first
        .into_iter()
        .any(|word| ["class", "interface", "enum", "record", "struct", "namespace"].contains(&word.text))
}

/// A text whose first line stands at the margin.
fn at_the_margin(code: &str) -> String {
    let first = code.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let indent = &first[..first.len() - first.trim_start().len()];
    if indent.is_empty() {
        return code.to_owned();
    }
    code.lines().map(|line| line.strip_prefix(indent).unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Imports of what a text uses and does not import.
fn imports(code: &str) -> String {
    let words = words(code, Language::Python);
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut own: BTreeSet<&str> = BTreeSet::new();
    let mut members: BTreeSet<&str> = BTreeSet::new();
    for (place, word) in words.iter().enumerate() {
        let before = place.checked_sub(1).map_or("", |place| words[place].text);
        let behind = words.get(place + 1).map_or("", |word| word.text);
        if word.class == TokenClass::Import
            || ["def", "class", "as", "import"].contains(&before)
            || behind == "="
        {
            own.insert(word.text);
        } else if before != "." {
            // What has members is a module or an object, never one of the functions.
            used.insert(word.text);
            members.extend((behind == ".").then_some(word.text));
        }
    }
    let mut all = String::new();
    let mut say = |line: String| {
        all.push_str(&line);
        all.push('\n');
    };
    for module in MODULES.split(' ') {
        if code.contains(&format!("{module}.")) && used.contains(module) && !own.contains(module) {
            say(format!("import {module}"));
        }
    }
    for (module, names) in NAMES {
        for name in names
            .split(' ')
            .filter(|name| used.contains(name) && !own.contains(name) && !members.contains(name))
        {
            say(format!("from {module} import {name}"));
        }
    }
    if used.contains("datetime") && !own.contains("datetime") && !code.contains("datetime.datetime") {
        say("from datetime import datetime".to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_is_imported_once() {
        let text = "from math import sqrt\ndef f(x):\n    return re.sub('a', 'b', x) + str(sqrt(2)) + str(Counter(x)) + x.time()";
        assert_eq!(imports(text), "import re\nfrom collections import Counter\n");
    }

    #[test]
    fn imports_stand_before_the_class() {
        let java = in_class("import a.B; // (of a)\nint f() { }", "Main", Language::Java);
        assert!(java.ends_with("import a.B; // (of a)\nclass Main {\nint f() { }\n}\n"), "{java}");
        let csharp =
            in_class("using A; // (b)\nint F() {\nusing (x) { }\n} // (this one)", "M", Language::CSharp);
        assert!(csharp.contains("using A; // (b)\nclass M {\nint F() {\nusing (x) { }\n}"), "{csharp}");
        let extends = in_class("public override string F(this string s) { }", "M", Language::CSharp);
        assert!(extends.contains("static class M {\npublic  string F(this string s)"), "{extends}");
    }

    #[test]
    fn a_method_gets_a_class() {
        assert!(!has_class("public int f(int x) { return new A() { class B { } }; }"));
        assert!(has_class("@Deprecated\npublic final class A { }"));
    }
}
