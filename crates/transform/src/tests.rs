//! Each transformation on its fixtures: `fixtures/NAME/LANGUAGE.txt`.
//!
//! A fixture is a list of cases. A case begins with `=== before`, and `=== after` or `=== refused` follows. With the variable
//! `FAMILIAR_UPDATE_FIXTURES`, what comes out is written into the file, for a person to read before it is committed.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use familiar_source::Language;

use crate::{ApplyError, Program, Where, apply, catalog};

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

#[test]
fn a_seed_decides_everything() {
    let code = b"def f(a):\n    total = 0\n    for x in a:\n        if x > 1 and x < 9:\n            total += x\n    return total\n";
    let program = Program::parse(Language::Python, code, usize::MAX).expect("a test's own code");
    for transformation in catalog::transformations().filter(|it| it.languages().contains(&Language::Python)) {
        let text = |seed| apply(&program, transformation, Where::All, seed).map(|it| it.program.bytes()).ok();
        assert_eq!(text(5), text(5), "{}", transformation.name());
    }
}

/// The part of the page that is made from the heads of the files.
fn catalogue() -> String {
    let mut heads = std::collections::BTreeMap::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a test's own code") {
            let path = entry.expect("a test's own code").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(path).expect("a test's own code");
            let lines: Vec<&str> =
                text.lines().map_while(|line| line.strip_prefix("//!")).map(str::trim_start).collect();
            if let Some(name) = lines.first().and_then(|line| line.strip_prefix('`')?.split('`').next()) {
                heads.insert(name.to_owned(), lines.join("\n"));
            }
        }
    }
    let mut page = String::new();
    for transformation in catalog::transformations() {
        let head = heads
            .get(transformation.name())
            .unwrap_or_else(|| panic!("{} has no head", transformation.name()));
        let (first, rest) = head.split_once('\n').expect("a test's own code");
        let first = first.split_once(": ").expect("a test's own code").1;
        let (initial, others) = first.split_at(1);
        write!(page, "\n### `{}`\n\n{}{others}\n", transformation.name(), initial.to_uppercase())
            .expect("a test's own code");
        // Links in the sources lead to items; on the page they are plain words.
        let plain = without_links(rest);
        for paragraph in plain.split("\n\n") {
            match paragraph.trim().strip_prefix("# ") {
                Some(heading) => write!(page, "\n*{heading}.* ").expect("a test's own code"),
                None => {
                    writeln!(page, "{}", wrapped(&paragraph.replace('\n', " "))).expect("a test's own code");
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
