//! The suite of clone cases (`testdata/clones`), asked of `clones` and of `find`.

mod behavior;
mod limits;

use std::collections::BTreeSet;
use std::path::Path;

use familiar_cases::{Case, Engine, Found, Suite, check};
use familiar_corpus::{Limits, spec};
use familiar_engine::{CloneOptions, clones};
use familiar_files::dir::WalkOptions;
use familiar_library::{self as corpus, AddOptions, FindOptions, Library, QueryReader, Reading};
use familiar_report::find::FoundBlob;
use familiar_source::{Language, Silent};

/// The suites that are answered without an encoder.
const TEXTUAL: [Suite; 4] = [Suite::Type1, Suite::Type2, Suite::Type3, Suite::None];

/// The memory that parsing and adding may use.
const MEMORY: usize = 1 << 30;

fn load(suite: Suite) -> Vec<Case> {
    suite.load().expect("the cases are valid")
}

/// What `clones` says of the two sides, which stand in a folder of their own.
fn clones_of(case: &Case, options: &CloneOptions) -> Vec<Found> {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let names = case.file_names();
    for (name, text) in names.iter().zip([&case.left, &case.right]) {
        std::fs::write(folder.path().join(name), text).expect("the temporary folder can be written");
    }
    let options = CloneOptions { paths: vec![folder.path().to_owned()], threads: 1, ..options.clone() };
    let report = clones::run(&options, None, &Silent).expect("the files can be read");
    let mut found = Vec::new();
    report
        .all_pairs
        .for_each(&mut |pair| {
            let [left, right] = [pair.left, pair.right].map(|id| &report.fragments[id as usize]);
            if *left.path == *names[0] && *right.path == *names[1] {
                let clone_type = pair.clone_type;
                let whole = [left.start_line, left.end_line, right.start_line, right.end_line];
                let runs = if pair.alignment.is_empty() { &vec![whole] } else { &pair.alignment };
                found.extend(runs.iter().map(|&lines| Found { clone_type, lines }));
            }
            Ok(())
        })
        .expect("nothing is written");
    found
}

#[test]
fn clones_answers_every_case() {
    for suite in TEXTUAL {
        let report = check(Engine::Clones, &load(suite), |case| clones_of(case, &CloneOptions::default()));
        assert!(report.failures.is_empty(), "{suite:?}:\n{report}");
    }
}

#[test]
fn clones_aligns_the_lines_that_correspond() {
    let options = CloneOptions { alignments: true, ..CloneOptions::default() };
    let cases = load(Suite::Type3);
    let report = check(Engine::Clones, &cases, |case| {
        let found = clones_of(case, &options);
        let [left, right] = case.inserted();
        for &Found { lines: [a, b, c, d], .. } in &found {
            let wrong = left.iter().any(|line| (a..=b).contains(line))
                || right.iter().any(|line| (c..=d).contains(line));
            assert!(!wrong, "{}: {:?} holds what was inserted", case.name, [a, b, c, d]);
        }
        found
    });
    assert!(report.failures.is_empty(), "{report}");
}

/// Makes a corpus of the left sides, each in a folder called like its case.
fn make_corpus(folder: &Path, suites: &[Suite]) {
    let tree = folder.join("tree");
    for case in suites.iter().flat_map(|&suite| load(suite)) {
        case.write_left(&tree).expect("the temporary folder can be written");
    }
    let name = spec::canonical(tree.to_str().expect("a plain name")).expect("it is there");
    let source = spec::source(&name, &WalkOptions::default()).expect("it is there");
    let options = AddOptions {
        folder: folder.join("corpus"),
        sources: vec![(name, source)],
        base: BTreeSet::new(),
        exclude: Vec::new(),
        text: true,
        reading: Reading { limits: Limits::default(), threads: 1, memory: MEMORY },
    };
    corpus::add(&options, &Silent).expect("the corpus can be written");
}

fn open(folder: &Path) -> Library {
    Library::open(&folder.join("corpus")).expect("it was just written")
}

/// What `find` says where the right side is looked up: the stretches that the file of the left side
/// has.
fn found_in(library: &Library, case: &Case, options: &FindOptions) -> Vec<Found> {
    let [left, right] = case.file_names();
    let language = Language::from_name(case.languages()[1]);
    let mut reader = QueryReader::new(MEMORY).with_functions(options.types.contains(&4));
    let asked = reader.read(&right, case.right.as_bytes(), language, None).expect("it is code");
    let report = library.find(&asked, options).expect("the corpus can be read");
    let path = format!("{}/{left}", case.name);
    let is_left = |row: &&FoundBlob| row.occurrences.iter().any(|occurrence| occurrence.path == path);
    let rows = report.blobs.iter().flat_map(|row| std::iter::once(&row.found).chain(&row.versions));
    let mut found = Vec::new();
    for row in rows.filter(is_left) {
        let stretch = |&[a, b, c, d]: &[u32; 4]| Found { clone_type: row.clone_type, lines: [c, d, a, b] };
        found.extend(row.matched_lines.iter().map(stretch));
    }
    found
}

#[test]
fn find_answers_every_case() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    make_corpus(folder.path(), &TEXTUAL);
    let library = open(folder.path());
    let options = FindOptions { limit: usize::MAX, licenses: false, ..FindOptions::default() };
    for suite in TEXTUAL {
        let report = check(Engine::Find, &load(suite), |case| found_in(&library, case, &options));
        assert!(report.failures.is_empty(), "{suite:?}:\n{report}");
    }
}
