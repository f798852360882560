//! Order and limits, over one tree that all cases make.

use std::path::Path;

use familiar_cases::Suite;
use familiar_engine::{CloneOptions, clones};
use familiar_library::{CodeQuery, FindOptions, Library, QueryReader};
use familiar_report::CloneReport;
use familiar_report::find::BlobRow;
use familiar_source::Silent;

use super::{MEMORY, TEXTUAL, load, make_corpus, open};

fn report(tree: &Path, change: impl Fn(&mut CloneOptions)) -> CloneReport {
    let mut options = CloneOptions { paths: vec![tree.to_owned()], threads: 1, ..CloneOptions::default() };
    change(&mut options);
    clones::run(&options, None, &Silent).expect("the tree can be read")
}

fn count_pairs(report: &CloneReport) -> u64 {
    let mut count = 0;
    let counted = report.all_pairs.for_each(&mut |_| {
        count += 1;
        Ok(())
    });
    counted.expect("nothing is written");
    count
}

fn tree_of_all_cases(folder: &Path) {
    for case in TEXTUAL.iter().flat_map(|&suite| load(suite)) {
        case.write_left(folder).expect("the temporary folder can be written");
    }
}

#[test]
fn classes_stand_in_the_order_of_their_scores_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    tree_of_all_cases(folder.path());
    let one = report(folder.path(), |_| {});
    assert!(one.classes.len() > 20, "{} classes", one.classes.len());
    let ranks: Vec<u32> = one.classes.iter().map(|class| class.rank).collect();
    assert_eq!(ranks, (1..=one.classes.len() as u32).collect::<Vec<_>>());
    assert!(one.classes.is_sorted_by(|a, b| a.score >= b.score));
    let many = report(folder.path(), |options| options.threads = 3);
    let prints = |report: &CloneReport| {
        report.classes.iter().map(|class| class.fingerprint.clone()).collect::<Vec<_>>()
    };
    assert_eq!(prints(&one), prints(&many));
}

#[test]
fn no_class_gives_more_pairs_than_asked_for() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let case = load(Suite::Type1).swap_remove(0);
    let copies = 9;
    for number in 0..copies {
        let [left, _] = case.file_names();
        std::fs::write(folder.path().join(format!("{number}{left}")), &case.left).expect("it can be written");
    }
    let all = copies * (copies - 1) / 2;
    for limit in [None, Some(0), Some(1), Some(7), Some(all), Some(all + 1)] {
        let report = report(folder.path(), |options| options.max_pairs_per_class = limit);
        assert_eq!(report.classes.len(), 1);
        assert_eq!(count_pairs(&report), limit.unwrap_or(all).min(all), "{limit:?}");
    }
}

/// A corpus of all cases, and the right side of one to look up in it.
fn library_and_query(folder: &Path) -> (Library, CodeQuery) {
    make_corpus(folder, &TEXTUAL);
    let case = load(Suite::Type3).swap_remove(0);
    let [_, right] = case.file_names();
    let asked = QueryReader::new(MEMORY).read(&right, case.right.as_bytes(), None, None).expect("it is code");
    (open(folder), asked)
}

#[test]
fn find_lists_the_best_first_and_a_limit_cuts_the_list() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let (library, asked) = library_and_query(folder.path());
    let ask = |limit| {
        let options = FindOptions { limit, licenses: false, ..FindOptions::default() };
        library.find(&asked, &options).expect("the corpus can be read")
    };
    let all = ask(usize::MAX);
    assert!(all.blobs.len() > 3 && all.more_blobs == 0, "{} blobs", all.blobs.len());
    assert!(all.blobs.is_sorted_by(|a, b| a.found.score >= b.found.score));
    let names = |blobs: &[BlobRow]| blobs.iter().map(|row| row.found.blob.clone()).collect::<Vec<_>>();
    for limit in 0..all.blobs.len() {
        let some = ask(limit);
        assert_eq!(names(&some.blobs), names(&all.blobs[..limit]));
        assert_eq!(some.more_blobs as usize, all.blobs.len() - limit);
    }
}

#[test]
fn find_leaves_out_what_has_less_of_the_query_than_is_asked() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let (library, asked) = library_and_query(folder.path());
    let ask = |min_coverage, min_lines| {
        let options = FindOptions {
            limit: usize::MAX,
            licenses: false,
            min_coverage,
            min_lines,
            ..FindOptions::default()
        };
        let found = library.find(&asked, &options).expect("the corpus can be read");
        found.blobs.into_iter().map(|row| row.found).collect::<Vec<_>>()
    };
    let all = ask(0.0, 0);
    let covered = |share: f64| all.iter().filter(|row| row.coverage >= share).count();
    let (least, most) =
        all.iter().fold((1.0f64, 0.0f64), |(a, b), row| (a.min(row.coverage), b.max(row.coverage)));
    let between = f64::midpoint(least, most);
    assert!(least < between && covered(between) > 0, "from {least} to {most}");
    assert_eq!(ask(between, 0).len(), covered(between));
    let lines = asked.lines.count();
    assert!(ask(0.0, lines + 1).is_empty() && ask(0.0, 2).len() == all.len());
}
