//! Each transformation on its fixtures: `fixtures/NAME/LANGUAGE.txt`.
//!
//! A fixture is a list of cases. A case begins with `=== before`, and `=== after` or `=== refused` follows. With the variable
//! `FAMILIAR_UPDATE_FIXTURES`, what comes out is written into the file, for a person to read before it is committed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use familiar_source::Language;

use crate::{ApplyError, Program, Transformation, Where, apply, catalog};

const SEED: u64 = 1;

fn fixture(name: &str, language: Language) -> PathBuf {
    let file = format!("fixtures/{name}/{}.txt", language.name().to_lowercase());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn cases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("=== before\n").skip(1).map(|case| case.split_once("=== ").unwrap_or((case, "")))
}

#[test]
fn fixtures() {
    let mut faults = Vec::new();
    for transformation in catalog::transformations() {
        for &language in transformation.languages() {
            let path = fixture(transformation.name(), language);
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let mut renewed = String::new();
            for (before, _) in cases(&text) {
                let program =
                    Program::parse(language, before.as_bytes(), usize::MAX).expect("a test's own code");
                let after = match apply(&program, transformation, Where::All, SEED) {
                    Ok(variant) => format!("after\n{}", variant.program.text()),
                    Err(ApplyError::NotApplicable(reason)) => format!("refused\n{reason}\n"),
                    Err(fault @ ApplyError::Broken { .. }) => panic!("{}: {fault}\n{before}", path.display()),
                };
                write!(renewed, "=== before\n{before}=== {after}").expect("a test's own code");
            }
            if std::env::var_os("FAMILIAR_UPDATE_FIXTURES").is_some() {
                std::fs::write(&path, &renewed).expect("a test's own code");
            }
            if text.is_empty() || renewed != text {
                faults.push(format!("{}\n{renewed}", path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every program of the fixtures, rewritten once and then once more.
#[test]
fn what_was_rewritten_can_be_rewritten_again() {
    let all: Vec<_> = catalog::transformations().collect();
    let mut turn = 0;
    for transformation in &all {
        for &language in transformation.languages().iter().filter(|it| **it != Language::Python) {
            let text = std::fs::read_to_string(fixture(transformation.name(), language)).unwrap_or_default();
            for (before, _) in cases(&text) {
                let program =
                    Program::parse(language, before.as_bytes(), usize::MAX).expect("a test's own code");
                turn += 1;
                // Each program meets some of the others, so that the test stays quick.
                for first in all.iter().skip(turn % 5).step_by(5) {
                    let made = |program: &Program, it: &dyn Transformation| match apply(
                        program,
                        it,
                        Where::All,
                        2,
                    ) {
                        Ok(variant) => Some(variant.program),
                        Err(ApplyError::NotApplicable(_)) => None,
                        Err(fault @ ApplyError::Broken { .. }) => panic!("{fault}\n{}", program.text()),
                    };
                    let Some(once) = made(&program, *first) else { continue };
                    for second in all.iter().skip(turn % 7).step_by(7) {
                        made(&once, *second);
                    }
                }
            }
        }
    }
}

#[test]
fn a_seed_decides_everything() {
    let code = b"def f(a):\n    total = 0\n    for x in a:\n        if x > 1 and x < 9:\n            total += x\n    return total\n";
    let program = Program::parse(Language::Python, code, usize::MAX).expect("a test's own code");
    for transformation in catalog::transformations().filter(|it| it.languages().contains(&Language::Python)) {
        let text = |seed| apply(&program, transformation, Where::All, seed).map(|it| it.program.bytes()).ok();
        assert_eq!(text(5), text(5), "{}", transformation.name());
    }
}

/// The heads of all files that have one, by the name of the transformation: that for Python first.
fn heads() -> BTreeMap<String, Vec<String>> {
    let mut heads: BTreeMap<String, Vec<(bool, String)>> = BTreeMap::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a test's own code") {
            let path = entry.expect("a test's own code").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_python = path.components().any(|it| it.as_os_str() == "python");
            let text = std::fs::read_to_string(path).expect("a test's own code");
            let lines: Vec<&str> =
                text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim_start).collect();
            if let Some(name) = lines.first().and_then(|line| line.strip_prefix('`')?.split('`').next()) {
                heads.entry(name.to_owned()).or_default().push((!is_python, lines.join("\n")));
            }
        }
    }
    for all in heads.values_mut() {
        all.sort();
    }
    heads.into_iter().map(|(name, all)| (name, all.into_iter().map(|it| it.1).collect())).collect()
}

/// `Java, C and Go`.
fn listed(languages: &[Language]) -> String {
    let name = |language: &Language| match language {
        Language::Cpp => "C++".to_owned(),
        other => format!("{other:?}"),
    };
    let names: Vec<_> = languages.iter().map(name).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => names.concat(),
    }
}

/// The part of the page that is made from the heads of the files.
fn catalogue() -> String {
    let heads = heads();
    let mut page = String::new();
    for transformation in catalog::transformations() {
        let heads = heads
            .get(transformation.name())
            .unwrap_or_else(|| panic!("{} has no head", transformation.name()));
        let name = transformation.name();
        let (python, others): (Vec<_>, Vec<_>) =
            transformation.languages().iter().partition(|it| **it == Language::Python);
        let groups: Vec<String> =
            [python, others].iter().filter(|it| !it.is_empty()).map(|it| listed(it)).collect();
        assert_eq!(
            groups.len(),
            heads.len(),
            "{name} has another number of files than of kinds of languages"
        );
        for (number, (head, languages)) in heads.iter().zip(&groups).enumerate() {
            let (first, rest) = head.split_once('\n').expect("a test's own code");
            let first = first.split_once(": ").expect("a test's own code").1;
            let (initial, others) = first.split_at(1);
            let first = format!("{}{others}", initial.to_uppercase());
            let begin = match (number, groups.len()) {
                (0, 1) if languages != "Python" => {
                    format!("\n### `{name}`\n\n{first} *Languages:* {languages}.")
                }
                (0, _) => format!("\n### `{name}`\n\n{first}"),
                _ => format!("\n#### `{name}` in {languages}\n\n{first}"),
            };
            writeln!(page, "{begin}").expect("a test's own code");
            // Links in the sources lead to items; on the page they are plain words.
            let plain = without_links(rest);
            for paragraph in plain.split("\n\n") {
                match paragraph.trim().strip_prefix("# ") {
                    Some(heading) => write!(page, "\n*{heading}.* ").expect("a test's own code"),
                    None => {
                        writeln!(page, "{}", wrapped(&paragraph.replace('\n', " ")))
                            .expect("a test's own code");
                    }
                }
            }
        }
    }
    page
}

/// A paragraph in lines of at most 98 columns.
fn wrapped(paragraph: &str) -> String {
    let (mut out, mut column) = (String::new(), 30);
    for word in paragraph.split_whitespace() {
        let width = word.chars().count() + 1;
        if column + width > 98 && !out.is_empty() {
            out.push('\n');
            column = 0;
        } else if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        column += width;
    }
    out
}

/// `[text](target)` and `[text]` as `text`.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("[`") {
        let (before, link) = rest.split_at(at);
        out.push_str(before);
        let end = link.find("`]").expect("a test's own code");
        out.push_str(&link[1..=end]);
        rest = &link[end + 2..];
        if let Some(target) = rest.strip_prefix('(') {
            rest = &target[target.find(')').expect("a test's own code") + 1..];
        }
    }
    out.push_str(rest);
    out
}

#[test]
fn the_page_describes_each_transformation_as_its_file_does() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/transformations.md");
    let page = std::fs::read_to_string(&path).expect("a test's own code");
    let (head, _) = page.split_once("cargo test -p familiar-transform -->\n").expect("a test's own code");
    let renewed = format!("{head}cargo test -p familiar-transform -->\n{}", catalogue());
    if std::env::var_os("FAMILIAR_UPDATE_DOCS").is_some() {
        std::fs::write(&path, &renewed).expect("a test's own code");
    }
    assert!(page == renewed, "renew it: FAMILIAR_UPDATE_DOCS=1 cargo test -p familiar-transform");
}

/// What a grammar reads and no compiler does, beside what looks like it.
#[test]
fn what_only_a_grammar_takes_is_refused() {
    use Language::{C, Cpp, Go, Java, JavaScript, Python, TypeScript};
    let refused = |language, text: &str| Program::parse(language, text.as_bytes(), usize::MAX).is_err();
    let cases = [
        (
            Python,
            ["x = 8rig\n", "a = 2'2'\n", "b\n7 2\n", "a = b +\n9\n", "a += b += 1\n", "a =\u{b} 1\n"]
                .as_slice(),
        ),
        (Java, &["class A { void f() { ++2; } }"]),
        (JavaScript, &["+++2;", "++++a;"]),
    ];
    for (language, texts) in cases {
        for text in texts {
            assert!(refused(language, text), "{language:?}: {text:?}");
        }
    }
    let cases = [
        (
            Python,
            [
                "x = 1if y else 2\n",
                "x = f\"{a:>8}\"\n",
                "x = (b +\n9)\n",
                "x = b + \\\n    9\n",
                "a; b\n",
                "a = \"\u{b}\\n\u{b}\"\n",
                "a = 1  # one\nb\n",
            ]
            .as_slice(),
        ),
        (C, &["int f(char *a) { ++(int){1}; return !*a++; }"]),
        (Cpp, &["auto a = 5_km; int f(int a) { ++++a; ++Step{a}; return 1'000; }"]),
        (Go, &["package a\n\nimport \"7\"\n\nfunc f(a *int) { *a++ }\n"]),
        (TypeScript, &["a[1]++; let b = `7${a}8`; --a.b;"]),
    ];
    for (language, texts) in cases {
        for text in texts {
            assert!(!refused(language, text), "{language:?}: {text:?}");
        }
    }
}
