//! Judging from the first pair to the release.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use familiar_evaluate::attack::Detector;
use familiar_judging::Verdict;
use serde_json::json;

use super::*;
use crate::inject::{self, InjectOptions, Kind, Place};
use crate::lines;
use crate::pair::{Band, Pair};
use crate::project::{Project, file};
use crate::release::{self, ReleaseOptions};
use crate::run::{Asked, On, RunOptions};
use crate::seed::Seed;
use crate::split::Split;
use crate::split::tests::pair;
use crate::tested::key;

const NOW: &str = "2026-11-26T04:00:00Z";

/// A benchmark with so many pairs, and two groups of two judges and a panel.
fn project(folder: &std::path::Path, count: usize, judge: &str) -> Project {
    let folder = folder.join("clones2");
    let project = Project::create(&folder).expect("a benchmark");
    let mut seed = Seed::of_code("python", "def f(x):\n    return x\n");
    seed.specification = Some("Gives <b>x</b>.".to_owned());
    let mut pairs: Vec<Pair> = (0..count)
        .map(|at| {
            pair(
                &format!("p{at:05}"),
                &seed.seed_id,
                &seed.code,
                &format!("def g(x):\n    return x + {at}\n"),
            )
        })
        .collect();
    if let Some(first) = pairs.first_mut() {
        first.band = Band::False;
    }
    lines::write(&project.path(file::PAIRS), &pairs).expect("pairs");
    lines::write(&project.path(file::SEEDS), [&seed]).expect("seeds");
    let tests: Vec<_> = pairs
        .iter()
        .map(
            |it| json!({"id": it.id, "key": key(it, seed.test.as_ref(), 0), "report": {"verdict": "agrees"}}),
        )
        .collect();
    lines::write(&project.path(file::TESTS), &tests).expect("tests");
    let path = project.path("benchmark.toml");
    let text = fs::read_to_string(&path).expect("settings");
    let (head, _) = text.split_once("[judge]").expect("they have the table");
    let groups = "groups = [[\"ada\", \"bob\"], [\"carl\", \"dora\"]]\npanel = [\"pia\"]";
    fs::write(&path, format!("{head}[judge]\n{groups}\n{judge}\n")).expect("settings");
    Project::open(&folder).expect("it opens")
}

fn said(view: &View, verdict: Verdict) -> Said {
    Said { pair_id: view.pair_id.clone(), verdict, comment: String::new(), label: None, seconds: 36.0 }
}

#[test]
fn what_tests_say_is_hidden_until_a_pair_is_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let desk = Desk::open(&project(folder.path(), 9, "share_twice = 1.0")).expect("a desk");
    let view = desk.next("ada", &[]).expect("a pair");
    assert_eq!(
        (view.specification.as_deref(), view.tests.as_ref(), view.blind),
        (Some("Gives <b>x</b>."), None, true)
    );
    let outcome = desk.judge("ada", said(&view, Verdict::True)).expect("it is kept");
    assert_eq!(outcome.tests, Some(json!({"verdict": "agrees"})));
    let other = desk.next("bob", &[]).expect("a pair");
    assert_eq!((&other.pair_id, other.others.len()), (&view.pair_id, 0), "bob does not see what ada said");
    assert!(desk.judge("carl", said(&view, Verdict::True)).is_err());
    assert_eq!(desk.undo("ada").expect("it goes").pair_id, view.pair_id);
    assert!(desk.undo("ada").is_err());
    assert_eq!(desk.progress("ada").judged, 0);
    let skipped = desk.next("ada", std::slice::from_ref(&view.pair_id)).expect("another one");
    assert_ne!(skipped.pair_id, view.pair_id);
}

#[test]
fn judges_at_once_lose_no_judgement() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 41, "");
    let desk = Arc::new(Desk::open(&project).expect("a desk"));
    std::thread::scope(|scope| {
        for judge in ["ada", "bob", "carl", "dora"] {
            let desk = Arc::clone(&desk);
            scope.spawn(move || {
                while let Some(view) = desk.next(judge, &[]) {
                    desk.judge(judge, said(&view, Verdict::True)).expect("it is kept");
                }
            });
        }
    });
    drop(desk);
    let report = report(&project).expect("a report");
    assert_eq!((report.pairs, report.states["true"]), (40, 40));
    assert!((report.hours - 0.8).abs() < 1e-9, "80 judgements of 36 seconds");
    assert!(report.judges.iter().filter(|it| it.judge != "pia").all(|it| it.judged == 20));
}

#[test]
fn a_release_says_who_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 5, "share_twice = 1.0\nmodels = false");
    let options = |version: &str| ReleaseOptions { version: version.to_owned(), seed: 0 };
    let before = release::run(&project, &options("0.1")).expect("a release");
    let sheet = fs::read_to_string(before.folder.join("DATASHEET.md")).expect("a datasheet");
    assert!(sheet.contains("No person has judged"));
    let desk = Desk::open(&project).expect("a desk");
    for (group, verdicts) in [
        (["ada", "bob"], [[Verdict::True, Verdict::True], [Verdict::False, Verdict::False]]),
        (["carl", "dora"], [[Verdict::True, Verdict::False], [Verdict::True, Verdict::True]]),
    ] {
        for verdict in verdicts {
            for (judge, verdict) in group.iter().zip(verdict) {
                let view = desk.next(judge, &[]).expect("a pair");
                desk.judge(judge, said(&view, verdict)).expect("it is kept");
            }
        }
    }
    drop(desk);
    let report = report(&project).expect("a report");
    let all = &report.strata[0];
    assert_eq!((all.rate.count, all.rate.of, report.independent), (2, 4, 4));
    // Of 4 pairs, 3 agree; by chance 0.75 · 0.5 + 0.25 · 0.5 would: kappa = 0.25 / 0.5.
    assert!((all.cohen.expect("there is one").value - 0.5).abs() < 1e-9);
    assert!(compare(&report, "group=1", "group=2", None).expect("both are there").p > 0.05);
    assert!(compare(&report, "group=1", "group=9", None).is_err());
    for [one, other] in [["all", "group=1"], ["group=1", "language=python"], ["group=1", "group=1"]] {
        let error = compare(&report, one, other, None).expect_err("they overlap").to_string();
        assert!(error.contains("in common"), "{error}");
    }
    let after = release::run(&project, &options("1.0")).expect("a release");
    assert_eq!(after.pairs, before.pairs - 1, "the pair in conflict is left out");
    let sheet = fs::read_to_string(after.folder.join("DATASHEET.md")).expect("a datasheet");
    assert!(
        sheet.contains("4 of 4 pairs are judged, by 4 people") && sheet.contains("No model judged"),
        "{sheet}"
    );
    assert!(after.folder.join("standalone/judged_false/python").read_dir().is_ok_and(|it| it.count() == 1));
    let clones = fs::read_to_string(after.folder.join("bigcloneeval/clones.csv")).expect("clones");
    assert_eq!(clones.lines().count(), 3);
    // A detector is measured by the same verdicts: one pair is false by its band, and one by its judges.
    let detector = Detector::Judge(familiar_evaluate::Judge::Measure(familiar_engine::Measure::TokenOverlap));
    let run = crate::run::run(
        &project,
        &RunOptions {
            detector: Asked::Detector(detector),
            similarity: None,
            on: On::Pairs,
            sample: None,
            judged: None,
            transformed: None,
            threads: 1,
            memory: 64 << 20,
        },
    );
    let all = |kind: &str| run.as_ref().expect("a result").by_kind[kind].all;
    assert_eq!((all("false"), all("type4")), (2, 2));
}

/// A row of `judgements.jsonl`.
fn line(pair: &str, judge: &str, verdict: &str) -> String {
    format!("{{\"pair_id\":\"{pair}\",\"judge\":\"{judge}\",\"verdict\":\"{verdict}\",\"at\":\"{NOW}\"}}\n")
}

#[test]
fn a_pair_that_a_judge_doubts_is_no_clone_until_all_have_decided() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 6, "share_twice = 1.0");
    let mut said = String::new();
    // Each group has a part of the pairs: what one says of those of the other does not count.
    for (pair, verdict) in [("p00001", "undecided"), ("p00002", "false"), ("p00003", "true")] {
        for judge in ["ada", "carl"] {
            said += &line(pair, judge, verdict);
        }
    }
    fs::write(project.path(file::JUDGEMENTS), said).expect("judgements");
    let judged = released::Judged::of(&project).expect("judgements");
    let doubtful = |at: usize| judged.is_doubtful(&format!("p{at:05}"));
    assert_eq!([1, 2, 3, 4].map(doubtful), [true, true, false, false]);
    assert!(judged.text().contains(" 2 pairs are left out"), "{}", judged.text());
}

#[test]
fn a_system_has_the_pairs_and_the_parts_of_a_release() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 1, "share_twice = 1.0");
    // Without the pair in conflict, the code of s2 has nothing to do with that of s1.
    let [one, two, three] = [1, 2, 3].map(|at| format!("def f(x):\n    return x{}\n", " + x".repeat(at)));
    let other = |at: usize| format!("def g(x):\n    for y in x:\n        print(y{})\n", ", y".repeat(at));
    let pairs = [
        pair("a", "s1", &one, &other(1)),
        pair("conflict", "s1", &one, &two),
        pair("b", "s2", &two, &other(2)),
        pair("false", "s3", &three, &other(3)),
    ];
    lines::write(&project.path(file::PAIRS), &pairs).expect("pairs");
    let mut said = String::new();
    for (group, verdicts) in [(["ada", "bob"], ["true", "false"]), (["carl", "dora"], ["true", "false"])] {
        for (judge, verdict) in group.iter().zip(verdicts) {
            said += &line("conflict", judge, verdict);
            said += &line("false", judge, "false");
        }
    }
    fs::write(project.path(file::JUDGEMENTS), said).expect("judgements");
    let host = folder.path().join("host");
    fs::create_dir(&host).expect("a folder");
    for name in ["a.py", "b.py", "c.py", "d.py"] {
        fs::write(host.join(name), "def here():\n    return 1\n\n\ndef there():\n    return 2\n")
            .expect("a file");
    }
    for seed in 0..12 {
        let output = folder.path().join(format!("system{seed}"));
        // An empty folder is as good as none.
        fs::create_dir(&output).expect("a folder");
        let options = InjectOptions {
            host: host.clone(),
            output: output.clone(),
            pairs: 0,
            controls: 0,
            compile: None,
            seed,
            threads: 1,
        };
        inject::run(&project, &options, &familiar_source::Silent).expect("a system");
        let version = format!("0.{seed}");
        let release = release::run(&project, &ReleaseOptions { version, seed }).expect("a release");
        let read = |path: std::path::PathBuf| -> BTreeMap<String, (Kind, Split)> {
            let places: Vec<Place> = lines::all(&path, "inject").expect("places");
            places.into_iter().map(|it| (it.id, (it.kind, it.split))).collect()
        };
        let system = read(output.join(inject::MANIFEST));
        assert_eq!(system, read(release.folder.join("bigcloneeval/places.jsonl")), "seed {seed}");
        assert_eq!(system.keys().collect::<Vec<_>>(), ["a", "b", "false"]);
        assert_eq!((system["false"].0, system["a"].1), (Kind::False, system["b"].1));
    }
    let left: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
    assert_eq!(left.len(), 14, "the benchmark, the host and 12 systems: {left:?}");
    let compile = Some("exit 1".to_owned());
    let output = folder.path().join("broken");
    let options =
        InjectOptions { host, output: output.clone(), pairs: 0, controls: 0, compile, seed: 0, threads: 1 };
    inject::run(&project, &options, &familiar_source::Silent).expect_err("it does not compile");
    assert!(!output.exists() && !folder.path().join("broken.unfinished").exists());
}

#[test]
fn judgements_come_from_files_and_go_to_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 4, "");
    let mut blocks = Vec::new();
    export(&project, Exchange::ValidateClones, &mut blocks).expect("pairs").expect("it is written");
    let blocks = familiar_judging::validate_clones::read_blocks(&blocks[..]).expect("blocks");
    assert_eq!(blocks.len(), 3);
    let mut verdicts = Vec::new();
    for block in &blocks {
        familiar_judging::validate_clones::write_verdict(&mut verdicts, block, Verdict::True)
            .expect("it is written");
    }
    let file = folder.path().join("verdicts.txt");
    fs::write(&file, &verdicts).expect("it is written");
    assert!(import(&project, &file, None, NOW).is_err());
    assert!(import(&project, &file, Some("zoe"), NOW).expect_err("no judge").to_string().contains("zoe"));
    let done = import(&project, &file, Some("ada"), NOW).expect("it is read");
    assert_eq!((done.rows, done.known, done.unknown), (3, 0, 0));
    // A pair that is judged again elsewhere keeps what was said last.
    let older = folder.path().join("older.csv");
    let row = "pair_id,judge,verdict,at\np00001,ada,false,2026-11-01T04:00:00Z\n";
    fs::write(&older, row).expect("it is written");
    assert_eq!(import(&project, &older, None, NOW).expect("it is read").rows, 1);
    let (_, ledger) = load::both(&project).expect("a ledger");
    let said = ledger.said(ledger.index("p00001").expect("a pair"));
    assert_eq!(said[0].verdict, Some(Verdict::True));
    let later = import(&project, &file, Some("ada"), "2026-11-27T04:00:00Z").expect("it is read");
    assert_eq!((later.rows, later.known), (0, 3), "they stand there already");
    for (form, name) in [(Exchange::Csv, "all.csv"), (Exchange::Jsonl, "all.jsonl")] {
        let mut out = Vec::new();
        export(&project, form, &mut out).expect("judgements").expect("it is written");
        let file = folder.path().join(name);
        fs::write(&file, &out).expect("it is written");
        let again = import(&project, &file, None, NOW).expect("it is read");
        assert_eq!((again.rows, again.known), (0, 4), "{name}");
    }
}

#[test]
fn models_judge_only_where_they_may() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 3, "");
    let row = format!("pair_id,judge,verdict,at\np00001,model:m,true,{NOW}\n");
    let file = folder.path().join("model.csv");
    fs::write(&file, row).expect("it is written");
    assert!(matches!(import(&project, &file, None, NOW), Err(crate::DatasetError::NoJudge(_))));
    fs::write(
        project.path(file::JUDGEMENTS),
        format!("{{\"pair_id\":\"p00001\",\"judge\":\"model:m\",\"verdict\":\"true\",\"at\":\"{NOW}\"}}\n"),
    )
    .expect("it is written");
    assert!(report(&project).expect("a report").judges.iter().all(|it| !it.is_model));
}

#[test]
fn a_verdict_counts_for_the_codes_that_were_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 4, "");
    let desk = Desk::open(&project).expect("a desk");
    let view = desk.next("ada", &[]).expect("a pair");
    desk.judge("ada", said(&view, Verdict::True)).expect("it is kept");
    drop(desk);
    let counted = || {
        let (_, ledger) = load::both(&project).expect("a ledger");
        (ledger.said(ledger.index(&view.pair_id).expect("a pair")).len(), ledger.strangers())
    };
    assert_eq!(counted(), (1, 0));
    let mut pairs: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter").expect("pairs");
    let pair = pairs.iter_mut().find(|it| it.id == view.pair_id).expect("it is there");
    pair.code2.push_str("# changed\n");
    lines::write(&project.path(file::PAIRS), &pairs).expect("pairs");
    assert_eq!(counted(), (0, 1));
    // A row that says nothing of the codes counts, as those of older files do.
    let log = project.path(file::JUDGEMENTS);
    let text = fs::read_to_string(&log).expect("rows");
    let (head, _) = text.split_once(",\"codes\"").expect("it has a digest");
    fs::write(&log, format!("{head}}}\n")).expect("rows");
    assert_eq!(counted(), (1, 0));
}

#[test]
fn labels_that_there_are_not_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = project(folder.path(), 3, "labels = [\"odd\"]");
    let file = folder.path().join("rows.csv");
    let import_with = |label: &str| {
        let rows = format!("pair_id,judge,verdict,label,at\np00001,ada,true,{label},{NOW}\n");
        fs::write(&file, rows).expect("it is written");
        import(&project, &file, None, NOW)
    };
    assert!(matches!(import_with("even"), Err(crate::DatasetError::NoLabel(_))));
    assert_eq!(import_with("odd").expect("it is read").rows, 1);
}
