//! Benchmarks without leaks.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use familiar_codenet::benchmark::{
    self, BenchmarkError, BenchmarkOptions, Manifest, Settings, Split, SplitBy,
};
use familiar_codenet::problems::ProblemDecisions;
use familiar_source::Silent;

use crate::duplicates::options;
use crate::sets::decisions;

/// Ten problems of twelve programs each, of which two are equal, one does not parse and one does nothing.
fn data(file: &Path) {
    let mut rows = String::new();
    for problem in 0..10 {
        for program in 0..12 {
            let name = |at: u32| format!("p{problem}v{program}n{at}");
            let mut code: String = (0..12).map(|at| format!("{} = int(input())\n", name(at))).collect();
            code += &(0..12).map(|at| format!("print({})\n", name(at))).collect::<String>();
            match program {
                9 => code = code.replace("v9", "v8"),
                10 => code += "print((\n",
                11 => code = (0..30).map(|at| format!("{} = {at}\n", name(at))).collect(),
                _ => {}
            }
            let row = serde_json::json!({
                "id": format!("{problem}-{program}"), "problem_id": format!("q{problem}"), "lang": "python", "code": code,
            });
            rows += &format!("{row}\n");
        }
    }
    fs::write(file, rows).expect("a file");
}

fn cut(by: SplitBy, problems: usize, folder: &Path) -> Result<Manifest, BenchmarkError> {
    decided(by, problems, folder, ProblemDecisions::default())
}

fn decided(
    by: SplitBy,
    problems: usize,
    folder: &Path,
    decisions: ProblemDecisions,
) -> Result<Manifest, BenchmarkError> {
    let file = folder.join("rows.jsonl");
    data(&file);
    let settings = Settings { problems, solutions: 5, by, seed: 3, ..Settings::default() };
    let output = folder.join("benchmark");
    benchmark::run(
        &BenchmarkOptions { duplicates: options(vec![file]), settings, decisions, output },
        &Silent,
    )
}

#[test]
fn what_is_left_out_is_counted_and_splits_share_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = cut(SplitBy::Problem, 10, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let filters = &manifest.filters;
    assert_eq!((filters.samples, filters.problems), (120, 10));
    assert_eq!((filters.near_duplicates, filters.without_tree, filters.dead_code), (10, 10, 10));
    assert_eq!(manifest.samples.len(), 50);
    assert_eq!((manifest.leaks.near_duplicates, manifest.leaks.identical_problems), (0, 0));
    let of = |split| -> BTreeSet<&str> {
        manifest.samples.iter().filter(|it| it.split == split).map(|it| it.problem.as_str()).collect()
    };
    let (train, valid, test) = (of(Split::Train), of(Split::Valid), of(Split::Test));
    assert_eq!((train.len(), valid.len(), test.len()), (6, 2, 2));
    assert!(train.is_disjoint(&test) && train.is_disjoint(&valid) && valid.is_disjoint(&test));
    assert!(manifest.sizes[&Split::Train].tree_nodes > 0);
}

#[test]
fn problems_that_are_one_by_decision_count_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // q1 and q4 are one by way of a problem that has no samples here.
    let decisions = decisions(folder.path(), &[("q4", "elsewhere", "one"), ("elsewhere", "q1", "one")]);
    let manifest = decided(SplitBy::Problem, 0, folder.path(), decisions);
    let manifest = manifest.unwrap_or_else(|error| panic!("{error}"));
    let filters = &manifest.filters;
    assert_eq!((filters.problems, filters.identical_problems, filters.of_identical_problems), (10, 1, 12));
    assert!(manifest.samples.iter().all(|it| it.problem != "q4"));
    let text = fs::read(folder.path().join("benchmark/manifest.json")).expect("a file");
    let read = Manifest::read(&text).expect("a manifest");
    assert_eq!((read.decisions.len(), read.decisions), (2, manifest.decisions));
}

#[test]
fn rows_that_are_left_out_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rows.jsonl");
    data(&file);
    let rows = fs::read_to_string(&file).expect("a file");
    fs::write(&file, format!("{rows}{}\n", rows.lines().next().unwrap_or_default())).expect("a file");
    let (settings, decisions) = (Settings::default(), ProblemDecisions::default());
    let output = folder.path().join("benchmark");
    let options = BenchmarkOptions { duplicates: options(vec![file]), settings, decisions, output };
    let skipped = benchmark::run(&options, &Silent).unwrap_or_else(|error| panic!("{error}")).skipped;
    assert_eq!(skipped.iter().map(|it| it.path.as_str()).collect::<Vec<_>>(), ["rows.jsonl:121"]);
}

#[test]
fn a_manifest_makes_the_same_bytes_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = cut(SplitBy::Sample, 4, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let read = |place: &str| fs::read(folder.path().join(place)).expect("a file");
    assert_eq!(
        Manifest::read(&read("benchmark/manifest.json")).map(|it| it.files).ok(),
        Some(manifest.files.clone())
    );
    let (data, again) = (folder.path().join("rows.jsonl"), folder.path().join("again"));
    let make =
        |data: &Path, output: &Path| benchmark::again(&[data.to_owned()], 256 << 20, &manifest, output);
    make(&data, &again).unwrap_or_else(|error| panic!("{error}"));
    for split in Split::ALL {
        assert_eq!(read(&format!("benchmark/{}", split.file())), read(&format!("again/{}", split.file())));
    }
    let other = folder.path().join("other.jsonl");
    fs::write(&other, String::from_utf8_lossy(&read("rows.jsonl")).replace("int(input())", "float(input())"))
        .expect("a file");
    let third = folder.path().join("third");
    let error = make(&other, &third).err().map(|error| error.to_string());
    assert_eq!(fs::read_dir(third).map(Iterator::count).ok(), Some(0), "nothing is left half-written");
    let newer =
        String::from_utf8_lossy(&read("benchmark/manifest.json")).replace("benchmark/1", "benchmark/2");
    assert!(Manifest::read(newer.as_bytes()).is_err_and(|error| error.to_string().contains("benchmark/2")));
    assert!(error.is_some_and(|error| error.contains("not the data of the manifest")));
}

#[test]
fn too_few_problems_are_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let error =
        cut(SplitBy::Sample, 11, folder.path()).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.starts_with("only 10 problems have 5 solutions"), "{error}");
}

#[test]
fn data_without_problems_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rows.jsonl");
    data(&file);
    let text = fs::read_to_string(&file).expect("a file");
    fs::write(&file, text.replace("problem_id", "exercise")).expect("a file");
    let output = folder.path().join("benchmark");
    let (settings, decisions) = (Settings::default(), ProblemDecisions::default());
    let options = BenchmarkOptions { duplicates: options(vec![file]), settings, decisions, output };
    let error = benchmark::run(&options, &Silent).map(|_| ()).expect_err("no problems").to_string();
    assert!(error.contains("no sample says its problem") && error.contains("problem_id"), "{error}");
}

#[test]
fn why_nothing_is_left_is_said() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, output) = (folder.path().join("rows.jsonl"), folder.path().join("benchmark"));
    let rows = [
        serde_json::json!({"id": "a", "problem_id": "q", "lang": "python", "code": "a = 1"}),
        serde_json::json!({"id": "b", "problem_id": "q", "lang": "klingon", "code": "b"}),
    ];
    fs::write(&file, rows.map(|row| format!("{row}\n")).concat()).expect("a file");
    let (settings, decisions) = (Settings::default(), ProblemDecisions::default());
    let options = BenchmarkOptions { duplicates: options(vec![file]), settings, decisions, output };
    let error = benchmark::run(&options, &Silent).expect_err("nothing is left").to_string();
    for expected in
        ["no sample is left of 1 sample: 1 have too few tokens", "1 row cannot be compared", "klingon"]
    {
        assert!(error.contains(expected), "{error}");
    }
}
