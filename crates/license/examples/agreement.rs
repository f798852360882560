//! How far the detector agrees with ScanCode: `agreement FILES.tsv ROOT` prints figures, `--differences` every difference, the
//! costliest first.
//!
//! FILES.tsv has a header and the columns path, SPDX expression; ROOT is where the paths start.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

use familiar_judge::Category;
use familiar_license::{Detected, Detector, Expression};

/// What a difference would cost whoever relies on the answer, were it ScanCode that is right; the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cost {
    /// A duty is not told: a license that asks for more, or nothing was found.
    PermitsMore,
    /// A duty is told that there is not.
    PermitsLess,
    /// A license of the same kind.
    Other,
    /// The same licenses, joined in another way.
    Joined,
    /// Words that say that there is some license, not which.
    Unspecific,
}

impl Cost {
    fn of(ours: Option<&Expression>, theirs: Option<&Expression>) -> Self {
        let all = |said: Option<&Expression>| said.map(Expression::ids).unwrap_or_default();
        let (ours_ids, theirs_ids) = (all(ours), all(theirs));
        let is_specific = |id: &&String| {
            !["unknown", "see-license", "warranty-disclaimer", "generic"].iter().any(|word| id.contains(word))
        };
        let asks = |ids: &BTreeSet<String>, others: &BTreeSet<String>| {
            ids.difference(others).filter(is_specific).map(|id| Category::of(id)).max()
        };
        match (asks(&ours_ids, &theirs_ids), asks(&theirs_ids, &ours_ids)) {
            (None, None) if ours_ids == theirs_ids => Self::Joined,
            (None, None) => Self::Unspecific,
            (ours, theirs) if theirs > ours => Self::PermitsMore,
            (ours, theirs) if ours > theirs && ours.is_some_and(|asked| !asked.is_permissive()) => {
                Self::PermitsLess
            }
            _ => Self::Other,
        }
    }
}

#[derive(Debug, Default)]
struct Counts {
    files: usize,
    same_ids: usize,
    same_expression: usize,
    labelled: usize,
    overlap: usize,
    silent: usize,
    none: usize,
    none_right: usize,
    common_ids: usize,
    our_ids: usize,
    costs: BTreeMap<Cost, usize>,
}

#[allow(clippy::print_stdout)]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [list, root, rest @ ..] = arguments.as_slice() else {
        panic!("agreement FILES.tsv ROOT [--differences]")
    };
    let started = Instant::now();
    let detector = Detector::embedded();
    println!("loaded in {:?}", started.elapsed());
    let list = std::fs::read_to_string(list).expect("the list can be read");
    let (mut counts, mut differences) = (Counts::default(), Vec::new());
    let (mut bytes, mut time) = (0, Duration::ZERO);
    for line in list.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(path), Some(label)) = (columns.next(), columns.next()) else { continue };
        let content = std::fs::read(Path::new(root).join(path)).expect("the file can be read");
        let text = String::from_utf8_lossy(&content);
        bytes += content.len();
        let started = Instant::now();
        let detected = detector.detect(&text);
        time += started.elapsed();
        let theirs = (!label.is_empty()).then(|| read(label));
        if let Some(cost) = counts.add(&detected, theirs.as_ref()) {
            differences.push((cost, path, label, detected));
        }
    }
    if rest.iter().any(|flag| flag == "--differences") {
        differences.sort_by_key(|difference| difference.0);
        for (cost, path, label, detected) in &differences {
            print_one(*cost, path, label, detected);
        }
    }
    counts.print();
    let seconds = time.as_secs_f64();
    println!(
        "{:.0} files and {:.1} MB per second",
        counts.files as f64 / seconds,
        bytes as f64 / 1e6 / seconds
    );
}

impl Counts {
    /// Counts a file; gives what the difference costs where there is one.
    fn add(&mut self, detected: &Detected, theirs: Option<&Expression>) -> Option<Cost> {
        let ours = detected.expression();
        let our_ids = ours.as_ref().map(Expression::ids).unwrap_or_default();
        let their_ids = theirs.map(Expression::ids).unwrap_or_default();
        let common = our_ids.intersection(&their_ids).count();
        self.files += 1;
        self.same_ids += usize::from(our_ids == their_ids);
        if their_ids.is_empty() {
            self.none += 1;
            self.none_right += usize::from(our_ids.is_empty());
        } else {
            self.labelled += 1;
            self.overlap += usize::from(common > 0);
            self.silent += usize::from(our_ids.is_empty());
        }
        self.common_ids += common;
        self.our_ids += our_ids.len();
        if ours.as_ref().map(in_order) == theirs.map(in_order) {
            self.same_expression += 1;
            return None;
        }
        let cost = Cost::of(ours.as_ref(), theirs);
        *self.costs.entry(cost).or_default() += 1;
        Some(cost)
    }

    #[allow(clippy::print_stdout)]
    fn print(&self) {
        let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
        println!(
            "{} files: same ids {:.1} %, same expression {:.1} %",
            self.files,
            percent(self.same_ids, self.files),
            percent(self.same_expression, self.files)
        );
        println!(
            "{} with a license: overlap {:.1} %, silent {:.1} %",
            self.labelled,
            percent(self.overlap, self.labelled),
            percent(self.silent, self.labelled)
        );
        println!(
            "{} without: none found in {}; precision of ids {:.1} %",
            self.none,
            self.none_right,
            percent(self.common_ids, self.our_ids)
        );
        println!("differences by cost: {:?}", self.costs);
    }
}

/// A label; an exception that stands apart from its license has no SPDX expression, and is written as we write it.
fn read(label: &str) -> Expression {
    let spaced = label.replace('(', "( ").replace(')', " )");
    let mut words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    for at in 0..words.len() {
        let is_apart = words[at].contains("exception") && (at == 0 || words[at - 1] != "WITH");
        if is_apart && !words[at].starts_with("LicenseRef-") {
            words[at].insert_str(0, "LicenseRef-scancode-");
        }
    }
    Expression::parse(&words.join(" ")).expect(label)
}

/// An expression whose parts stand in one order, whoever wrote it.
fn in_order(expression: &Expression) -> Expression {
    let sorted = |parts: &[Expression]| {
        let mut parts: Vec<Expression> = parts.iter().map(in_order).collect();
        parts.sort();
        parts
    };
    match expression.clone().simplified() {
        Expression::And(parts) => Expression::And(sorted(&parts)),
        Expression::Or(parts) => Expression::Or(sorted(&parts)),
        one @ Expression::License(_) => one,
    }
}

#[allow(clippy::print_stdout)]
fn print_one(cost: Cost, path: &str, theirs: &str, detected: &Detected) {
    let ours = detected.expression().map(|ours| ours.to_string()).unwrap_or_default();
    println!("{cost:?} {path}\n    ours   {ours}\n    theirs {theirs}");
    for found in detected.matches.iter().chain(&detected.mentions) {
        println!(
            "      {:?} {} {:?} {:.2} {}",
            found.lines, found.expression, found.kind, found.score, found.rule
        );
    }
}
