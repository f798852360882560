//! How far the detector agrees with ScanCode: `agreement FILES.tsv ROOT` prints figures, `--differences` every difference.
//!
//! FILES.tsv has a header and the columns path, SPDX expression; ROOT is where the paths start.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;

use familiar_license::{Detector, Expression};

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
    let (mut exact, mut overlap, mut silent, mut of_ours, mut ours_all, mut labelled, mut files) =
        (0, 0, 0, 0, 0, 0, 0);
    let (mut found_none_right, mut none) = (0, 0);
    let mut bytes = 0;
    let mut time = std::time::Duration::ZERO;
    for line in list.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(path), Some(label)) = (columns.next(), columns.next()) else { continue };
        let content = std::fs::read(Path::new(root).join(path)).expect("the file can be read");
        let text = String::from_utf8_lossy(&content);
        bytes += content.len();
        let started = Instant::now();
        let detected = detector.detect(&text);
        time += started.elapsed();
        let ours = detected.expression().map(|expression| expression.ids()).unwrap_or_default();
        let theirs: BTreeSet<String> = match label {
            "" => BTreeSet::new(),
            label => Expression::parse(label).expect(label).ids(),
        };
        files += 1;
        let common = ours.intersection(&theirs).count();
        if ours == theirs {
            exact += 1;
        } else if rest.iter().any(|flag| flag == "--differences") {
            println!("{path}\n    ours   {ours:?}\n    theirs {theirs:?}");
            for found in detected.matches.iter().chain(&detected.mentions) {
                println!(
                    "      {:?} {} {:?} {:.2} {}",
                    found.lines, found.expression, found.kind, found.score, found.rule
                );
            }
        }
        if theirs.is_empty() {
            none += 1;
            found_none_right += usize::from(ours.is_empty());
        } else {
            labelled += 1;
            overlap += usize::from(common > 0);
            silent += usize::from(ours.is_empty());
        }
        of_ours += common;
        ours_all += ours.len();
    }
    let percent = |part: usize, all: usize| 100.0 * part as f64 / all.max(1) as f64;
    println!("{files} files: exact {:.1} %", percent(exact, files));
    println!(
        "{labelled} with a license: overlap {:.1} %, silent {:.1} %",
        percent(overlap, labelled),
        percent(silent, labelled)
    );
    println!(
        "{none} without: none found in {found_none_right}; precision of ids {:.1} %",
        percent(of_ours, ours_all)
    );
    println!(
        "{:.0} files and {:.1} MB per second",
        files as f64 / time.as_secs_f64(),
        bytes as f64 / 1e6 / time.as_secs_f64()
    );
}
