//! Code that is alike and no copy is left out, unless it is asked for.

use std::fmt::Write;
use std::path::Path;

use familiar_engine::progress::Silent;
use familiar_engine::{CloneOptions, clones};

const COPY: &str = "function total(items, rate) {
  const taxed = items.map(item => item.price * rate);
  let sum = 0;
  for (const price of taxed) {
    sum += round(price);
  }
  if (sum > LIMIT) {
    throw new RangeError(`too much: ${sum}`);
  }
  report(sum, items.length);
  return sum;
}
";

fn classes(tree: &[(&str, &str)], change: impl Fn(&mut CloneOptions)) -> (usize, Vec<String>) {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for (path, text) in tree {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("it can be written");
        std::fs::write(path, text).expect("it can be written");
    }
    let mut options =
        CloneOptions { paths: vec![folder.path().to_owned()], threads: 1, ..CloneOptions::default() };
    change(&mut options);
    let report = clones::run(&options, None, &Silent).expect("the tree can be read");
    let skipped = report.summary.skipped.iter().map(|skip| skip.reason.clone());
    (report.classes.len(), skipped.collect())
}

#[test]
fn what_tests_read_is_compared_where_idioms_are_asked_for() {
    let tree = [("a.js", COPY), ("tests/fixtures/b.js", COPY)];
    let (found, skipped) = classes(&tree, |_| {});
    assert_eq!(found, 0);
    assert!(skipped.iter().any(|reason| reason.contains("fixture")), "{skipped:?}");
    assert_eq!(classes(&tree, |options| options.include_idioms = true), (1, Vec::new()));
    assert_eq!(classes(&[("a.js", COPY), ("tests/b.js", COPY)], |_| {}).0, 1);
}

#[test]
fn what_a_build_wrote_is_compared_where_generated_code_is_asked_for() {
    let tree = [("a.js", COPY), ("dist/a.js", COPY)];
    assert_eq!(classes(&tree, |_| {}), (0, vec!["generated".to_owned()]));
    assert_eq!(classes(&tree, |options| options.include_generated = true).0, 1);
}

/// A file of functions of which no two are alike, so that a tree is large.
fn other_code(functions: usize) -> String {
    (0..functions).fold(String::new(), |mut text, number| {
        let signs = ["+", "-", "*", "%", "|", "&", "^"];
        let terms =
            (0..12).map(|at| format!("{} w{}", signs[(number * (at + 3) / (at + 1)) % 7], number * 13 + at));
        let terms: String = terms.collect();
        writeln!(text, "function f{number}(w) {{\n  return w {terms};\n}}").expect("text can be written");
        text
    })
}

#[test]
fn small_functions_of_a_large_tree_are_copies_where_hardly_anything_differs() {
    let function = |name: &str, list: &str, step: &str| {
        format!(
            "function {name}({list}) {{
  const first = {list}.open();
  if (!first.ready) {{
    return null;
  }}
  first.{step}();
  log(first.label);
  return first.close({list});
}}
"
        )
    };
    let other = other_code(2_000);
    let found = |right: &str| {
        let left = function("readLedger", "ledgers", "rewind");
        classes(&[("a.js", &left), ("b.js", right), ("c.js", &other)], |_| {}).0
    };
    assert_eq!(found(&function("readLedger", "accounts", "rewind")), 1);
    assert_eq!(found(&function("readLedger", "ledgers", "advance")), 0, "one word is another");
}
