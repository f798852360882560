//! Submissions that follow each other, and solutions in two languages. All rows are made up.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use familiar_codenet::duplicates::{DuplicatesOptions, Only, Thresholds};
use familiar_codenet::evolution::{self, Edit, EvolutionOptions, Pairs, Step};
use familiar_codenet::problems::ProblemDecisions;
use familiar_codenet::translations::{self, Translations, TranslationsError, TranslationsOptions};
use familiar_source::{Language, Silent};
use serde_json::{Value, json};

use crate::sets::{decisions, import, options};

/// Imports rows.
fn set(folder: &Path, rows: &[Value]) -> PathBuf {
    let (table, set) = (folder.join("rows.jsonl"), folder.join("set"));
    fs::write(&table, rows.iter().map(|row| format!("{row}\n")).collect::<String>()).expect("a file");
    import(&options(table, set.clone()));
    set
}

fn steps(set: &Path, pairs: Pairs, condition: Option<&str>) -> Vec<Step> {
    let only = condition.map(|text| text.parse().expect("a condition"));
    let options = EvolutionOptions { set: set.to_owned(), pairs, only, memory: 256 << 20, threads: 2 };
    let mut steps = Vec::new();
    let summary = evolution::run(&options, &Silent, &mut |step| {
        steps.push(step.clone());
        Ok(())
    });
    assert_eq!(summary.expect("a set").steps, steps.len() as u64);
    steps
}

#[test]
fn from_wrong_to_accepted_with_the_edit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let row = |id: u32, user: &str, lang: &str, date: u32, status: &str, code: &str| json!({"id": id, "problem_id": "sum", "user": user, "lang": lang, "date": date, "status": status, "code": code});
    let set = set(
        folder.path(),
        &[
            row(1, "ann", "c", 100, "WA", "int a;\nint b; // one\n"),
            row(2, "ann", "c", 160, "AC", "int a;\nint bb; // two\nint c;\n"),
            row(3, "ann", "c", 200, "AC", "int a;\n"),
            row(4, "bob", "klingon", 90, "TLE", "+\n"),
            row(5, "bob", "klingon", 95, "AC", "+\n-\n"),
            row(6, "bob", "c", 99, "AC", "int a;\n"),
        ],
    );
    let fixes = steps(&set, Pairs::Fixes, None);
    let ids: Vec<&str> = fixes.iter().map(|step| step.id.as_str()).collect();
    assert_eq!(ids, ["s000000001-s000000002", "s000000004-s000000005"]);
    let first = &fixes[0];
    assert_eq!((first.seconds, first.language.as_str()), (60, "C"));
    assert_eq!((first.from_status.as_str(), first.to_status.as_str()), ("Wrong Answer", "Accepted"));
    // `b` became `bb`, and `int c ;` is new. A comment is no token, but its line is another.
    assert_eq!(first.tokens, Some(Edit { added: 4, removed: 1 }));
    assert_eq!(first.lines, Some(Edit { added: 2, removed: 1 }));
    assert_eq!(fixes[1].tokens, None, "nobody knows the tokens of that language");
    assert_eq!(fixes[1].lines, Some(Edit { added: 1, removed: 0 }));
    assert_eq!(steps(&set, Pairs::All, None).len(), 3);
    assert_eq!(steps(&set, Pairs::All, Some("language = 'C'")).len(), 2);
    let mut csv = Vec::new();
    Step::write_csv_header(&mut csv).and_then(|()| first.write_csv(&mut csv)).expect("memory");
    let csv = String::from_utf8(csv).expect("text");
    assert_eq!(
        csv.lines().nth(1),
        Some(
            "s000000001-s000000002,u000000001,p00001,C,s000000001,s000000002,Wrong Answer,Accepted,60,4,1,2,1"
        )
    );
}

/// Programs of 12 problems, each with four in Java and three in Python; the last problem has the statement of the first.
fn solutions(folder: &Path) -> PathBuf {
    let mut rows = Vec::new();
    for problem in 0..12 {
        for number in 0..7 {
            let (lang, status) =
                (if number < 4 { "java" } else { "python3" }, if number == 3 { "WA" } else { "AC" });
            let word = |at: u32| format!("w{problem}x{number}y{at}");
            let code = if lang == "java" {
                (0..30)
                    .map(|at| format!("class {} {{ int {}; }}\n", word(at), word(at + 100)))
                    .collect::<String>()
            } else {
                (0..30).map(|at| format!("{} = {at}\n", word(at))).collect::<String>()
            };
            rows.push(json!({"id": format!("r{problem}n{number}"), "problem_id": format!("q{problem}"), "lang": lang, "status": status, "code": code}));
        }
    }
    // A near-duplicate of the first Java solution, for another problem.
    let mut copy = rows[0].clone();
    (copy["id"], copy["problem_id"]) = ("copy".into(), "q1".into());
    rows.push(copy);
    set(folder, &rows)
}

fn paired(data: &Path, output: &Path, seed: u64) -> Result<Translations, TranslationsError> {
    decided(data, output, seed, ProblemDecisions::default())
}

fn decided(
    data: &Path,
    output: &Path,
    seed: u64,
    decisions: ProblemDecisions,
) -> Result<Translations, TranslationsError> {
    let duplicates = DuplicatesOptions {
        data: vec![data.to_owned()],
        thresholds: Thresholds::default(),
        only: Only { accepted: true, ..Only::default() },
        strings: true,
        memory: 256 << 20,
        threads: 2,
    };
    let options = TranslationsOptions {
        duplicates,
        from: Language::Java,
        to: Language::Python,
        of_each_problem: 2,
        seed,
        test: 0.25,
        valid: 0.2,
        identical: 20,
        decisions,
        output: output.to_owned(),
    };
    translations::run(&options, &Silent)
}

fn rows(folder: &Path, split: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(format!("{split}.jsonl"))).expect("it is written");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn translations_have_no_leaks_and_follow_the_seed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = solutions(folder.path());
    let [one, again, other] = ["one", "again", "other"].map(|name| folder.path().join(name));
    let made = paired(&data, &one, 7).expect("there are pairs");
    assert_eq!(made, paired(&data, &again, 7).expect("there are pairs"));
    assert_ne!(made.files, paired(&data, &other, 8).expect("there are pairs").files);
    assert_eq!(made.near_duplicates, 1);
    let mut split_of: BTreeMap<String, &str> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    let mut pairs = 0;
    for split in ["train", "valid", "test"] {
        for row in rows(&one, split) {
            let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            assert_eq!(
                *split_of.entry(text("problem_id")).or_insert(split),
                split,
                "a problem is in two splits"
            );
            assert!(seen.insert(text("from_id")) && seen.insert(text("to_id")), "a solution is in two pairs");
            assert_eq!((text("from_language").as_str(), text("to_language").as_str()), ("Java", "Python"));
            assert!(text("from_code").starts_with("class") && text("to_code").starts_with('w'));
            pairs += 1;
        }
    }
    assert_eq!((pairs, split_of.len()), (24, 12));
    assert!(matches!(paired(&data, &one, 7), Err(TranslationsError::NotEmpty(_))));
}

#[test]
fn problems_that_are_one_by_decision_are_translated_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = solutions(folder.path());
    let decisions = decisions(folder.path(), &[("p00001", "p00002", "one")]);
    let made = decided(&data, &folder.path().join("pairs"), 7, decisions).expect("there are pairs");
    assert_eq!((made.identical_problems, made.decisions.len()), (1, 1));
    assert_eq!(made.splits.values().map(|it| it.problems).sum::<u64>(), 11);
}

#[test]
fn languages_without_pairs_are_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data =
        set(folder.path(), &[json!({"id": 1, "problem_id": "a", "lang": "java", "code": "class A { }"})]);
    let error = paired(&data, &folder.path().join("none"), 0).expect_err("there is no Python");
    assert!(error.to_string().contains("--to"), "{error}");
}
