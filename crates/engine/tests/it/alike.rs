//! Code that is alike and no copy is left out, unless it is asked for.

use std::fmt::Write;
use std::path::Path;

use familiar_engine::{CloneOptions, clones};
use familiar_source::FragmentKind;
use familiar_source::Silent;

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

#[test]
fn libraries_of_others_are_compared_with_other_files_alone() {
    let library = format!("/*! Acme v1.2.0 */\n{COPY}");
    let libraries = [("static/a.js", library.as_str()), ("web/static/b.js", library.as_str())];
    assert_eq!(classes(&libraries, |_| {}), (0, Vec::new()));
    assert_eq!(classes(&libraries, |options| options.include_idioms = true).0, 1);
    let all = [libraries[0], libraries[1], ("src/c.js", COPY)];
    assert_eq!(classes(&all, |_| {}).0, 1, "one's own code has a copy of a library");
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
    let other = other_code(4_000);
    let found_in = |folder: &str, right: &str| {
        let left = function("readLedger", "ledgers", "rewind");
        let paths = [format!("{folder}/a.js"), format!("{folder}/b.js")];
        classes(&[(&paths[0], &left), (&paths[1], right), ("c.js", &other)], |options| {
            options.granularity = vec![FragmentKind::Function];
        })
        .0
    };
    let renamed = function("readLedger", "accounts", "rewind");
    assert_eq!(found_in("src", &renamed), 1);
    assert_eq!(found_in("src", &function("readLedger", "ledgers", "advance")), 0, "one word is another");
    assert_eq!(found_in("tests", &renamed), 0, "a test of this size is hardly more than its frame");
    assert_eq!(found_in("tests", &function("readLedger", "ledgers", "rewind")), 1);
}

#[test]
fn functions_that_begin_alike_are_no_copies() {
    const HEAD: [&str; 5] = [
        "  if (!ledger.ready || !month.closed) {\n    return null;\n  }\n",
        "  const book = ledger.open(month.label);\n",
        "  log(book.title + book.author);\n",
        "  let page = book[folders.pages];\n",
        "  page.turn(month.first, 1);\n",
    ];
    let function =
        |rest: &str| format!("function book(ledger, month) {{\n{}{}}}\n", HEAD.concat(), rest.repeat(8));
    let left = function("  page.total += page.rows.map(row => row.amount * 2);\n");
    let right = function("  for (;;) {\n    send(page);\n  }\n");
    let elsewhere = HEAD.iter().enumerate().fold(String::new(), |mut text, (number, statement)| {
        for copy in 0..3 {
            let more = format!("use{number}_{copy}(month, {copy}, {number} * {copy} - ledger);");
            writeln!(text, "function g{number}_{copy}() {{\n{statement}  {more}\n}}")
                .expect("text can be written");
        }
        text
    });
    let rest = other_code(4_000);
    let found = |elsewhere: &str| {
        classes(&[("a.js", &left), ("b.js", &right), ("c.js", elsewhere), ("d.js", &rest)], |_| {}).0
    };
    assert_eq!(found(""), 1, "nothing else says that");
    assert_eq!(found(&elsewhere), 0, "other functions say each of it");
}

#[test]
fn rows_of_one_table_are_no_copies_of_each_other() {
    let row = |title: &str, host: &str, status: u32| {
        format!(
            "  {{
    title: {title:?},
    request: {{
      method: 'POST',
      headers: {{ host: {host:?}, accept: 'text/html', referer: 'https://shop.example/basket', }},
      body: {{ item: 'teapot', amount: 3, currency: 'EUR', voucher: 'SPRING', }},
    }},
    response: {{ status: {status}, label: 'accepted', retries: 4, delay: 250, }},
    follows: ['stock', 'invoice', 'parcel', ],
  }},
"
        )
    };
    let rows = [row("first of a kind", "a.example", 200), row("second of a kind", "b.example", 404)];
    let table = format!("const cases = [\n{}];\n\nexport default cases;\n", rows.concat());
    assert_eq!(classes(&[("a.js", &table)], |_| {}).0, 0);
    assert_eq!(classes(&[("a.js", &table)], |options| options.include_idioms = true).0, 1);
    assert_eq!(classes(&[("a.js", &table), ("b.js", &table)], |_| {}).0, 1, "a table that is copied is one");
}

#[test]
fn small_tests_share_their_frame() {
    let test = |name: &str, checks: &str| {
        format!(
            "function {name}(server) {{
  const client = server.connect('ledger', settings);
  const [ledger] = await client.open(folders.books);
{checks}  throws(() => ledger.remove(entries.opening));
  if (!ledger.balanced) report(ledger);
  client.close();
  server.expectClosed(client.session);
}}
"
        )
    };
    let one =
        test("keepsBalance", "  client.deposit(amounts.large);\n  expect(client.balance, amounts.large);\n");
    let other = test(
        "keepsBalance",
        "  client.deposit(amounts.large);\n  if ((1 + 2) * (3 - 4) > 5 && !(7 % 8)) {\n    while (1 + 2 * 3 > 4) {\n      for (;;) {\n      }\n    }\n  }\n  expect(client.balance, amounts.large);\n",
    );
    let rest = other_code(4_000);
    let found = |folder: &str| {
        let paths = [format!("{folder}/a.js"), format!("{folder}/b.js")];
        classes(&[(&paths[0], &one), (&paths[1], &other), ("c.js", &rest)], |options| {
            options.granularity = vec![FragmentKind::Function];
        })
        .0
    };
    assert_eq!((found("src"), found("tests")), (1, 0));
}
