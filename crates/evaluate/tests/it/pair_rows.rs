//! Rows of pairs and fragments as people write them.

use crate::common;
use familiar_engine::Measure;
use familiar_evaluate::Judge;
use familiar_evaluate::pairs::{self, Negatives, PairsOptions, PairsResult};
use serde_json::{Value, json};

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect::<Vec<_>>().concat()
}

fn run(
    pairs: &str,
    fragments: Option<&[Value]>,
    change: impl FnOnce(&mut PairsOptions),
) -> Result<PairsResult, String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut options = PairsOptions::new(common::write(folder.path(), "pairs.jsonl", pairs));
    options.fragments = fragments.map(|rows| common::write(folder.path(), "fragments.jsonl", &lines(rows)));
    options.judge = Judge::Measure(Measure::TokenOverlap);
    change(&mut options);
    pairs::run(&options, &familiar_source::Silent).map_err(|error| error.to_string())
}

fn reasons(result: &PairsResult) -> Vec<&str> {
    result.skipped.iter().map(|row| row.reason.as_str()).collect()
}

#[test]
fn labels_conflicts_and_languages_have_several_forms() {
    let row = |label: Value, conflict: Value, lang: &str| json!({"code1": "f(x);", "code2": "f(y);", "lang": lang, "label": label, "conflict": conflict});
    let rows = [
        row(json!(1.0), json!(0), "C++"),
        row(json!(0.0), json!(false), "C#"),
        row(json!("1"), Value::Null, "cpp"),
        row(json!(0.5), Value::Null, "c"),
        row(json!(1), json!(1), "c"),
        row(json!(1), json!("false"), "c"),
        row(json!(1), json!(""), "c"),
        row(json!(1), json!("0.0"), "c"),
        row(json!(1), json!("true"), "c"),
    ];
    // A byte order mark is no part of the first row.
    let result = run(&format!("\u{feff}{}", lines(&rows)), None, |_| ()).expect("there are pairs");
    assert_eq!((result.figures.positives, result.figures.negatives, result.conflicts), (5, 1, 2));
    assert_eq!(reasons(&result)[0], "label 0.5 is neither 0 nor 1");
}

#[test]
fn codes_of_a_row_count_where_no_fragments_are_given() {
    let row = json!({"id1": "a", "id2": "b", "code1": "f(x)", "code2": "f(y)", "lang": "java", "label": 1});
    let other = json!({"id1": "a", "id2": "b", "label": 1});
    let result = run(&lines(&[row.clone(), other]), None, |_| ()).expect("there is a pair");
    assert_eq!(result.figures.positives, 1);
    assert!(reasons(&result)[0].contains("no --fragments is given"));
    let fragments = [
        json!({"id": "a", "lang": "java", "code": "g(x)"}),
        json!({"id": "b", "lang": "java", "code": "h[1]"}),
    ];
    let result = run(&lines(&[row]), Some(&fragments), |_| ()).expect("there is a pair");
    assert_eq!(result.figures.recall, Some(0.0), "the fragments count");
}

#[test]
fn a_fragment_that_comes_twice_is_told() {
    let fragment = |code: &str| json!({"id": "a", "lang": "java", "code": code});
    let fragments = [fragment("f(x)"), fragment("while (true) { g(); }")];
    let pair = json!({"id1": "a", "id2": "a", "label": 1});
    let result = run(&lines(&[pair]), Some(&fragments), |_| ()).expect("there is a pair");
    assert_eq!(reasons(&result), ["there was a fragment with the id a before"]);
}

/// Different enough that none is a copy of another.
fn code(number: usize) -> String {
    let calls: Vec<String> = (0..=number).map(|at| format!("f{at}(g{number});\n")).collect();
    format!("{}{}", calls.concat(), "if (a) { b(); }\n".repeat(number))
}

#[test]
fn what_positives_join_is_no_negative() {
    let fragments: Vec<Value> =
        (0..4).map(|at| json!({"id": at, "lang": "java", "code": code(at)})).collect();
    let pair = |one: usize, two: usize| json!({"id1": one, "id2": two, "label": 1});
    let drawn = |pairs: &[Value]| {
        let result =
            run(&lines(pairs), Some(&fragments), |options| options.negatives = Some(Negatives::Random));
        result.expect("there are pairs").figures.negatives
    };
    // All four are clones of each other, by way of the first.
    assert_eq!(drawn(&[pair(0, 1), pair(0, 2), pair(2, 3)]), 0);
    assert_eq!(drawn(&[pair(0, 1), pair(2, 3)]), 2);
}

#[test]
fn drawn_negatives_are_large_enough() {
    let fragments: Vec<Value> =
        (0..4).map(|at| json!({"id": at, "lang": "java", "code": code(at)})).collect();
    let fragments: Vec<Value> =
        fragments.into_iter().chain([json!({"id": "small", "lang": "java", "code": "x();"})]).collect();
    let rows = [json!({"id1": 2, "id2": 3, "label": 1}), json!({"id1": "small", "id2": "small", "label": 1})];
    let negatives = |lines_of_a_side| {
        let result = run(&lines(&rows), Some(&fragments), |options| {
            (options.negatives, options.min_lines) = (Some(Negatives::Random), lines_of_a_side);
        });
        result.expect("there are pairs").figures.negatives
    };
    assert_eq!((negatives(0), negatives(5)), (2, 0));
}

#[test]
fn why_nothing_can_be_drawn_is_told() {
    let row = |problem: &str| json!({"problem_id": problem, "lang": "C++", "code": "f(x);"});
    let rows = lines(&[row("a"), row("a"), row("b")]);
    let drawn = |rows: &str, pairs, cross_language| {
        let draw = pairs::Draw { pairs, cross_language, ..pairs::Draw::default() };
        run(rows, None, |options| options.draw = Some(draw))
    };
    let reason = |rows: &str, pairs, cross| drawn(rows, pairs, cross).map(|_| ()).expect_err("there is none");
    assert!(reason(&rows, 1, false).contains("draw 2 or more"));
    assert!(reason(&rows, 2, true).contains("in different languages"));
    assert!(reason(&lines(&[row("a"), row("b")]), 2, false).contains("are of one problem"));
    // No problem is none, and not one that all of them share.
    assert!(reason(&lines(&[row(""), row("")]), 2, false).contains("problem_id has no text"));
    assert_eq!(drawn(&rows, 2, false).map(|result| result.figures.positives), Ok(1));
}
