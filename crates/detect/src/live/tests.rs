//! What is found for one file is what a search through the tree finds for it, whatever changed before.

use std::collections::BTreeSet;

use familiar_corpus::dir::{self, WalkOptions};
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

#[test]
fn what_is_settled_stays_quiet_and_what_is_no_code_is_told() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for name in ["a.py", "b.py"] {
        std::fs::write(folder.path().join(name), text(&[0])).expect("it can be written");
    }
    std::fs::write(folder.path().join("data.bin"), [0u8, 159, 0, 1]).expect("it can be written");
    let tree = read(folder.path());
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
