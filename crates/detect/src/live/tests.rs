//! What is found for one file is what a search through the tree finds for it, whatever changed before.

use std::collections::BTreeSet;

use familiar_files::dir::{self, WalkOptions};
use familiar_report::CloneReport;
use proptest::prelude::*;

use super::*;

/// A pair as its two sides (path, first and last line), and its type.
type Found = BTreeSet<((String, u32, u32), (String, u32, u32), u8)>;

fn found(report: &CloneReport, path: Option<&str>) -> Found {
    let mut found = Found::new();
    let place = |id: u32| {
        let fragment = &report.fragments[id as usize];
        (fragment.path.to_string(), fragment.start_line, fragment.end_line)
    };
    let visited = report.all_pairs.for_each(&mut |pair| {
        let (left, right) = (place(pair.left), place(pair.right));
        if path.is_none_or(|path| left.0 == path || right.0 == path) {
            found.insert((left, right, pair.clone_type));
        }
        Ok(())
    });
    visited.expect("it is in memory");
    found
}

/// Functions that a file may have, of which some are alike: (name, statements).
const BODIES: [&str; 6] = [
    "    amount = 0\n    for price, tax in zip(prices, taxes):\n        amount += price * (1 + tax)\n    if discount > amount:\n        raise ValueError(discount)\n    amount -= discount\n    return round(amount, 2)\n",
    "    amount = 0\n    for price, tax in zip(prices, taxes):\n        amount += price * (1 + tax)\n        print(price)\n    if discount > amount:\n        raise ValueError(discount)\n    amount -= discount\n    return round(amount, 2)\n",
    "    total = 0\n    for cost, duty in zip(costs, duties):\n        total += cost * (1 + duty)\n    if rebate > total:\n        raise ValueError(rebate)\n    total -= rebate\n    return round(total, 2)\n",
    "    lines = text.splitlines()\n    while lines and not lines[-1].strip():\n        lines.pop()\n    width = max(map(len, lines), default=0)\n    return [line.ljust(width) for line in lines]\n",
    "    with open(path) as source:\n        header = next(source)\n        columns = header.rstrip().split(';')\n        rows = [dict(zip(columns, line.split(';'))) for line in source]\n    rows.sort(key=lambda row: row['id'])\n    return rows\n",
    "    return value\n",
];

fn text(bodies: &[usize]) -> String {
    let function = |(at, body): (usize, &usize)| format!("def f{at}(a, b, c):\n{}\n\n", BODIES[*body]);
    bodies.iter().enumerate().map(function).collect()
}

fn options(root: &Path) -> CloneOptions {
    CloneOptions { paths: vec![root.to_owned()], threads: 1, ..CloneOptions::default() }
}

fn read(root: &Path) -> LiveTree {
    let options = options(root);
    let listing = dir::walk(&options.paths, &WalkOptions::default()).expect("it is a folder");
    let pool = crate::pool(1).expect("there is one");
    LiveTree::read(options, listing.documents, pool, &Silent).expect("it is small")
}

fn whole(root: &Path) -> CloneReport {
    let options = options(root);
    let input =
        Input::of_files(dir::walk(&options.paths, &WalkOptions::default()).expect("readable").documents);
    let pool = crate::pool(1).expect("there is one");
    pool.install(|| {
        let search = Search::read(&options, input, |_| Side::Both, &Silent).expect("readable");
        search.report(None, &Silent, pool.clone()).expect("it is small")
    })
}

#[derive(Clone, Debug)]
enum Change {
    Edit(usize, Vec<usize>),
    Save(usize, Vec<usize>),
    Remove(usize),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let bodies = || prop::collection::vec(0..BODIES.len(), 0..4);
    let change = prop_oneof![
        (0usize..5, bodies()).prop_map(|(file, bodies)| Change::Edit(file, bodies)),
        (0usize..5, bodies()).prop_map(|(file, bodies)| Change::Save(file, bodies)),
        (0usize..5).prop_map(Change::Remove),
    ];
    prop::collection::vec(change, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn after_any_changes_a_file_has_the_pairs_that_a_search_through_the_tree_finds(
        first in prop::collection::vec(prop::collection::vec(0..BODIES.len(), 0..4), 1..5),
        changes in changes(),
        few_tokens in prop_oneof![Just(0), Just(FEW_TOKENS)],
    ) {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |file: usize| folder.path().join(format!("f{file}.py"));
        for (file, bodies) in first.iter().enumerate() {
            std::fs::write(path(file), text(bodies)).expect("it can be written");
        }
        let mut tree = read(folder.path());
        tree.few_tokens = few_tokens;
        for change in changes {
            match change {
                Change::Edit(file, bodies) => tree.set(&path(file), Some(text(&bodies).into_bytes().into())),
                Change::Save(file, bodies) => {
                    std::fs::write(path(file), text(&bodies)).expect("it can be written");
                    tree.set(&path(file), None);
                }
                Change::Remove(file) => {
                    let _ = std::fs::remove_file(path(file));
                    tree.remove(&path(file));
                }
            }
        }
        // What was edited is saved, so that a search through the tree sees the same texts.
        for file in tree.files.iter().filter(|file| file.edited.is_some()) {
            std::fs::write(&file.document.file, file.edited.as_deref().expect("just asked")).expect("it can be written");
        }
        let afresh = whole(folder.path());
        prop_assert_eq!(found(&tree.all(None).expect("it is small"), None), found(&afresh, None));
        for file in 0..5 {
            let name = format!("f{file}.py");
            let around = tree.around(&path(file), None).expect("it is small");
            let around = around.map(|report| found(&report, Some(&name))).unwrap_or_default();
            prop_assert_eq!(around, found(&afresh, Some(&name)), "{}", name);
        }
    }
}

/// A tree that takes itself for a large one, in which words are rare or not.
fn large(root: &Path) -> LiveTree {
    let mut tree = read(root);
    tree.few_tokens = 0;
    tree.tokens += 1 << 20;
    tree.commonness = Some(Arc::new(counted(tree.tokens, tree.files.iter().filter_map(File::data))));
    tree
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn what_was_found_before_an_edit_is_used_only_where_it_holds(
        first in prop::collection::vec(prop::collection::vec(0..BODIES.len(), 0..6), 2..5),
        edits in prop::collection::vec((0usize..4, prop::collection::vec(0..BODIES.len(), 0..6), 0usize..4), 1..8),
    ) {
        let folder = tempfile::tempdir().expect("the temporary folder can be written");
        let path = |file: usize| folder.path().join(format!("f{file}.py"));
        for (file, bodies) in first.iter().enumerate() {
            std::fs::write(path(file), text(bodies)).expect("it can be written");
        }
        let mut tree = large(folder.path());
        for (file, bodies, asked) in edits {
            let text = text(&bodies);
            std::fs::write(path(file), &text).expect("it can be written");
            tree.set(&path(file), Some(text.into_bytes().into()));
            let mut afresh = large(folder.path());
            for file in [file, asked] {
                let around = |tree: &mut LiveTree| {
                    let report = tree.around(&path(file), None).expect("it is small");
                    report.map(|report| found(&report, Some(&format!("f{file}.py"))))
                };
                prop_assert_eq!(around(&mut tree), around(&mut afresh), "{}", file);
            }
        }
    }
}

/// Statements of different shapes.
const SHAPES: [&str; 4] = [
    "    price_N.append(tax_N)\n",
    "    if price_N > 7:\n        tax_N = -price_N\n",
    "    while tax_N < len(price_N):\n        tax_N += 1\n",
    "    amount_N = price_N[tax_N] if tax_N else {}\n",
];

/// Functions of which each has names and a shape of its own.
fn unlike(file: usize, functions: usize) -> String {
    let function = |at: usize| {
        let shape = (file * functions + at + 1).wrapping_mul(0x9e37_79b1);
        let statements = (0..8).map(|digit| SHAPES[shape >> (2 * digit + 8) & 3]);
        let code = "def total_N(price_N, tax_N):\n".to_owned() + &statements.collect::<String>();
        (code + "    print(price_N)\n\n\n").replace("_N", &format!("_{file}_{at}"))
    };
    (0..functions).map(function).collect()
}

#[test]
fn after_an_edit_only_what_changed_is_looked_up_again() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let path = |file: usize| folder.path().join(format!("f{file}.py"));
    for file in 0..3 {
        std::fs::write(path(file), unlike(file, 12) + &text(&[0, 3])).expect("it can be written");
    }
    let mut tree = large(folder.path());
    let around = |tree: &mut LiveTree| {
        let report = tree.around(&path(0), None).expect("it is small").expect("it is code");
        found(&report, Some("f0.py")).len()
    };
    let pairs = around(&mut tree);
    let slot = tree.slots[&tree.place(&path(0)).expect("below the root")];
    let known = |tree: &LiveTree| {
        let known = tree.recent.of(slot).expect("just asked");
        (known.similar.len(), known.led.len())
    };
    let (fragments, samples) = known(&tree);
    assert!(pairs > 0 && fragments > 10 && samples > 10);
    let before = std::fs::read_to_string(path(0)).expect("it is there");
    assert!(before.contains("print(price_0_6)"));
    let after = before.replacen("print(price_0_6)", "print(price_0_6, tax_0_6)", 1);
    tree.set(&path(0), Some(after.into_bytes().into()));
    let (_, left) = known(&tree);
    assert!(left < samples && left > samples / 2, "{left} of {samples}");
    assert_eq!(around(&mut tree), pairs);
    tree.set(&path(1), None);
    assert!(tree.recent.of(slot).is_none(), "another file changed");
    assert_eq!(around(&mut tree), pairs);
}

#[test]
fn a_banner_that_is_written_or_taken_away_counts_at_once() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    std::fs::create_dir(folder.path().join("static")).expect("it can be written");
    let place = |name: &str| folder.path().join("static").join(name);
    let body = "function total(prices, taxes, discount) {\n  let amount = 0;\n  for (const price of prices) {\n    amount += price * \
                taxes.rate;\n  }\n  if (discount > amount) {\n    throw new RangeError(discount);\n  }\n  amount -= discount;\n  return \
                round(amount, 2);\n}\n";
    let with_banner = format!("/*! Acme v1.2.0 */\n{body}");
    std::fs::write(place("a.js"), &with_banner).expect("it can be written");
    std::fs::write(place("b.js"), body).expect("it can be written");
    let mut tree = read(folder.path());
    let mut pairs = |text: &str| {
        tree.set(&place("b.js"), Some(text.as_bytes().into()));
        let around = |tree: &mut LiveTree, name: &str| {
            let report = tree.around(&place(name), None).expect("it is small").expect("it is code");
            found(&report, None).len()
        };
        let both = (around(&mut tree, "a.js"), around(&mut tree, "b.js"));
        assert_eq!(both.0, found(&tree.all(None).expect("it is small"), None).len());
        both
    };
    assert_eq!(pairs(body), (1, 1), "a library and a file of one's own");
    assert_eq!(pairs(&with_banner), (0, 0), "two libraries");
    assert_eq!(pairs(body), (1, 1));
}

#[test]
fn what_is_settled_stays_quiet_and_what_is_no_code_is_told() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for name in ["a.py", "b.py"] {
        std::fs::write(folder.path().join(name), text(&[0])).expect("it can be written");
    }
    std::fs::write(folder.path().join("data.bin"), [0u8, 159, 0, 1]).expect("it can be written");
    let mut tree = read(folder.path());
    let a = folder.path().join("a.py");
    let report = tree.around(&a, None).expect("it is small").expect("it is code");
    assert_eq!(found(&report, None).len(), 1);
    let print = report.classes[0].fingerprint.clone();
    let decision = familiar_review::Decision {
        fingerprint: print,
        decided: "2026-01-31".to_owned(),
        author: "ada".to_owned(),
        decision: familiar_review::Judgement::Accepted,
        comment: String::new(),
        place: String::new(),
    };
    let mut decisions = familiar_review::Decisions::default();
    decisions.add(decision).expect("it is right");
    let accepted = Baseline::default().with(&decisions);
    let report = tree.around(&a, Some(&accepted)).expect("it is small").expect("it is code");
    assert!(found(&report, None).is_empty());
    assert!(tree.around(&folder.path().join("data.bin"), None).expect("no search").is_none());
    assert!(tree.skipped(&folder.path().join("data.bin")).is_some() && tree.skipped(&a).is_none());
    assert!(!tree.has(Path::new("/elsewhere/a.py")) && tree.has(&a));
}
