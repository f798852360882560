//! Bad input, through every language: no panic, output in order, the same output twice, and work in proportion.
//!
//! Nothing here looks at the clock. That the work is linear shows in that inputs of this size end at all: a step that
//! is quadratic in 100,000 brackets takes minutes in a test build. `FAMILIAR_HOSTILE_MB=50` makes the long lines as
//! long as that; CONTRIBUTING.md has the command.

mod check;
mod pieces;

use std::fs;
use std::path::Path;

use familiar_source::Language;

/// Whether the language has a front end of its own: not tree-sitter and not the generic tokenizer.
fn is_fast(language: Language) -> bool {
    language <= Language::Rust
}

/// Whether the generic tokenizer reads the language in every build.
fn is_generic(language: Language) -> bool {
    language >= Language::Dart
}

/// `most` for the front ends of our own, less for tree-sitter, which is too slow in test builds, and for the many
/// languages that are read alike.
fn size(language: Language, most: usize) -> usize {
    if is_fast(language) { most } else { most / 10 }
}

/// Marsaglia's xorshift, the same numbers in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

fn random(language: Language) -> Random {
    Random(0x9e37_79b9_7f4a_7c15 ^ language as u64)
}

/// How often a small input is tried: more often where there is more to go wrong.
fn rounds(language: Language) -> usize {
    if is_generic(language) { 15 } else { 100 }
}

#[test]
fn random_bytes() {
    for language in Language::all() {
        let mut random = random(language);
        for _ in 0..rounds(language) {
            let bytes: Vec<u8> = (0..random.below(300)).map(|_| random.below(256) as u8).collect();
            check::any_language(language, &bytes);
        }
    }
}

#[test]
#[ignore = "long"]
fn random_pieces() {
    for language in Language::all() {
        let mut random = random(language);
        let pieces = pieces::of(language);
        for round in 0..rounds(language) * 4 {
            let words: Vec<&str> = (0..random.below(100)).map(|_| *random.pick(&pieces)).collect();
            let text = if round % 2 == 0 { words.concat() } else { words.join(" ") };
            check::any_language(language, text.as_bytes());
        }
    }
}

/// Files that were cut, changed, doubled or mixed with those of other languages.
#[test]
fn damaged_files() {
    let fixtures = fixtures();
    for language in Language::all() {
        let mut random = random(language);
        let pieces = pieces::of(language);
        let own: Vec<&Vec<u8>> =
            fixtures.iter().filter(|(of, _)| *of == language).map(|(_, file)| file).collect();
        for round in 0..rounds(language) {
            let foreign = &random.pick(&fixtures).1;
            let mut file = if own.is_empty() { foreign.clone() } else { own[round % own.len()].clone() };
            for _ in 0..=random.below(5) {
                damage(&mut file, foreign, &pieces, &mut random);
            }
            check::any_language(language, &file);
        }
    }
}

fn damage(file: &mut Vec<u8>, foreign: &[u8], pieces: &[&str], random: &mut Random) {
    let at = random.below(file.len() + 1);
    let end = (at + random.below(120)).min(file.len());
    match random.below(7) {
        0 => drop(file.drain(at..end)),
        1 => file.truncate(at.max(file.len() / 2)),
        2 => {
            let copy = file[at..end].to_vec();
            drop(file.splice(end..end, copy));
        }
        3 => drop(file.splice(at..end.min(at + 1), [random.below(256) as u8])),
        4 => {
            let from = random.below(foreign.len());
            let to = (from + random.below(200)).min(foreign.len());
            drop(file.splice(at..at, foreign[from..to].iter().copied()));
        }
        _ => drop(file.splice(at..at, random.pick(pieces).bytes())),
    }
}

fn fixtures() -> Vec<(Language, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in entries(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")) {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("folders have plain names");
        let language = Language::from_name(name).expect("folders are named after languages");
        for path in
            entries(&folder).into_iter().filter(|path| path.extension().is_none_or(|ext| ext != "snap"))
        {
            files.push((language, fs::read(path).expect("the fixture was just listed")));
        }
    }
    files
}

fn entries(folder: &Path) -> Vec<std::path::PathBuf> {
    let listed = fs::read_dir(folder).expect("the fixtures are there").filter_map(Result::ok);
    let mut paths: Vec<_> = listed.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Each piece again and again: nesting without end, strings and comments without end, directives without end.
#[test]
#[ignore = "long"]
fn endless_repetition() {
    for language in Language::all() {
        let length = size(language, 20_000);
        for piece in pieces::of(language) {
            check::large(language, piece.repeat(length / piece.len()).as_bytes());
            if !is_generic(language) {
                // With more, tree-sitter works up to its budget in each of the ways, and nothing else happens.
                let times = if is_fast(language) { 200 } else { 60 };
                check::any_language(language, piece.repeat(times).as_bytes());
            }
        }
    }
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_brackets() {
    const DEPTH: usize = 100_000;
    for language in languages_of_interest() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("<", ">"), ("{[(", ")]}")] {
            // Braces are as deep for tree-sitter, too: its stack must be large enough, and our walk through its tree must not
            // recurse. Of the other brackets a tenth takes it a tenth of the time.
            let depth = if open.contains('{') { DEPTH } else { size(language, DEPTH) };
            let (open, close) = (open.repeat(depth / open.len()), close.repeat(depth / close.len()));
            check::once(language, open.as_bytes());
            check::once(language, (open + &close).as_bytes());
        }
    }
}

#[test]
fn a_hundred_thousand_levels_of_what_nests_otherwise() {
    const DEPTH: usize = 100_000;
    let branches = ["#if A\n", "#if A\n{\n", "#if A\n#else\n", "#endif\n"];
    let markup = ["<a>", "<a b={", "`${", "{`${<a>{"];
    for language in [Language::C, Language::Cpp, Language::CSharp] {
        for piece in branches {
            check::large(language, piece.repeat(DEPTH).as_bytes());
        }
    }
    for language in [Language::JavaScript, Language::TypeScript] {
        for piece in markup {
            check::large(language, piece.repeat(DEPTH / piece.len()).as_bytes());
        }
    }
    let deep: String = (0..600).map(|depth| " ".repeat(depth) + "if a:\n").collect();
    let outward: String = (0..600).rev().map(|depth| "\t".repeat(depth) + "def a():\n").collect();
    for language in languages_of_interest() {
        check::large(language, deep.as_bytes());
        check::large(language, outward.as_bytes());
    }
}

#[test]
fn a_file_of_one_long_line() {
    let megabytes = std::env::var("FAMILIAR_HOSTILE_MB").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let piece = "a=b(1,'c');{d[e]}";
    let line = piece.repeat((megabytes << 20) / piece.len());
    for language in languages_of_interest() {
        check::large(language, &line.as_bytes()[..size(language, line.len())]);
    }
}

/// Strings, comments, templates and here documents that have no end, over lines and on one.
#[test]
fn what_is_never_closed() {
    const OPENINGS: [&str; 26] = [
        "\"",
        "'",
        "`",
        "\"\"\"",
        "'''",
        "f'{",
        "f\"\"\"{",
        "r#\"",
        "R\"x(",
        "@\"",
        "$\"{",
        "$$\"\"\"{{",
        "`${`${",
        "/*",
        "/* /* ",
        "//",
        "#",
        "<!--",
        "<<A\n",
        "<<<'A'\n",
        "<?php /*",
        "=begin\n",
        "/[",
        "<a b=\"",
        "%q(",
        "\\",
    ];
    for language in languages_of_interest() {
        for opening in OPENINGS {
            let times = size(language, 3_000);
            check::large(language, (opening.to_owned() + &"a b;\n".repeat(times)).as_bytes());
            check::large(language, (opening.to_owned() + &"c \\ ".repeat(times)).as_bytes());
            check::any_language(language, ("x = ".to_owned() + opening).as_bytes());
        }
    }
}

#[test]
fn odd_bytes() {
    let code = b"int a(b) {\n  c(\"d\");\n  e();\n  f();\n}\n";
    let spliced = |with: &[u8]| code.iter().flat_map(|byte| [&[*byte], with].concat()).collect::<Vec<u8>>();
    for language in Language::all() {
        for with in
            [&b"\0"[..], b"\r", b"\r\n", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"\x1a", b"\x0c"]
        {
            check::any_language(language, &spliced(with));
            check::any_language(language, &with.repeat(500));
            check::any_language(language, &[with, code].concat());
        }
        check::any_language(language, b"");
    }
}

#[test]
fn pages_and_notebooks_that_break_off() {
    let notebook =
        br#"{"cells": [{"cell_type": "code", "source": ["def f():\n", "  \u00e9(\"a\\\"\")"]}], "x": 1}"#;
    let page = b"<p>a</p><script lang=\"ts\">let a = () => { b(); c(); d() }</script><STYLE>b{}</style><script src=x>";
    for end in 0..notebook.len() {
        check::any_language(Language::Notebook, &notebook[..end]);
    }
    for language in [Language::Html, Language::Vue, Language::Svelte] {
        for end in 0..page.len() {
            check::any_language(language, &page[..end]);
        }
        for piece in
            ["<script", "<script>", "<script></script>", "<script>{</script>", "<style>", "</script>", "<"]
        {
            check::once(language, piece.repeat(10_000).as_bytes());
        }
    }
    for piece in ["{\"cell_type\":\"code\",\"source\":[\"a\\n\",", "[", "\"source\":\"", "\\", "\"\\u"] {
        check::once(Language::Notebook, piece.repeat(10_000).as_bytes());
    }
}

/// Every own front end, and one language for each way to the generic tokenizer.
fn languages_of_interest() -> impl Iterator<Item = Language> {
    let generic = [Language::Other, Language::Html, Language::Notebook];
    Language::all().filter(move |&language| !is_generic(language) || generic.contains(&language))
}
