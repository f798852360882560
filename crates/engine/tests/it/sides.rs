//! What is compared with what, where two sides are named.

use std::collections::BTreeSet;
use std::path::Path;

use familiar_engine::{CloneOptions, clones};
use familiar_source::Silent;

/// Three functions, of which the last two are equal but for names.
const FUNCTIONS: [&str; 3] = [
    "def padded(text):
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    width = max(map(len, lines), default=0)
    return [line.ljust(width) for line in lines]

",
    "def total(prices, taxes, discount):
    amount = 0
    for price, tax in zip(prices, taxes):
        amount += price * (1 + tax)
    if discount > amount:
        raise ValueError(discount)
    amount -= discount
    return round(amount, 2)

",
    "def total(costs, duties, rebate):
    total = 0
    for cost, duty in zip(costs, duties):
        total += cost * (1 + duty)
    if rebate > total:
        raise ValueError(rebate)
    total -= rebate
    return round(total, 2)

",
];

fn write(path: &Path, functions: [usize; 2]) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    std::fs::write(path, functions.map(|number| FUNCTIONS[number]).concat()).expect("it can be written");
}

#[test]
fn functions_cover_a_run_although_the_files_of_one_side_are_alike_too() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let [mine, theirs] = ["mine", "theirs"].map(|name| folder.path().join(name));
    write(&mine.join("c.py"), [0, 1]);
    write(&theirs.join("a.py"), [0, 2]);
    write(&theirs.join("b.py"), [0, 1]);
    for (query, against) in [(&mine, &theirs), (&theirs, &mine)] {
        let (query, against) = (vec![query.clone()], vec![against.clone()]);
        let options = CloneOptions { query, against, threads: 1, ..CloneOptions::default() };
        let report = clones::run(&options, None, &Silent).expect("both can be read");
        let kinds: BTreeSet<String> = report.fragments.iter().map(|row| row.kind.to_string()).collect();
        assert_eq!(kinds, BTreeSet::from(["function".to_owned()]));
        assert_eq!(report.summary.pairs, 4);
    }
}
