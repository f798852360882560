//! The suite of clone cases (`testdata/clones`), asked of `/api/v1/find/queries`, a hundred right
//! sides at a time.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use familiar_cases::{Case, Engine, Found, Suite, check};
use serde_json::{Value, json};

use super::InProcess;

const SUITES: [Suite; 4] = [Suite::Type1, Suite::Type2, Suite::Type3, Suite::None];

#[test]
fn the_route_answers_every_case() {
    let server = InProcess::new(&SUITES);
    for suite in SUITES {
        let cases = suite.load().expect("the cases are valid");
        let answers: BTreeMap<String, Value> =
            cases.chunks(100).flat_map(|cases| ask(&server, cases, &json!({}))).collect();
        let report = check(Engine::Service, &cases, |case| found(case, &answers[&case.name]));
        assert!(report.failures.is_empty(), "{suite:?}:\n{report}");
    }
}

/// As many cases as `find` finds.
const FINDS: usize = 23;

#[test]
fn with_vectors_the_route_finds_what_does_the_same() {
    let server = InProcess::with_vectors(&[Suite::Type4, Suite::None]);
    let more = json!({"types": [4], "cross_language": true, "explain": true});
    let of = |suite: Suite| {
        let cases = suite.load().expect("the cases are valid");
        let answers: BTreeMap<String, Value> =
            cases.chunks(100).flat_map(|cases| ask(&server, cases, &more)).collect();
        (check(Engine::Service, &cases, |case| found(case, &answers[&case.name])), answers)
    };
    let ((found, answers), (quiet, _)) = (of(Suite::Type4), of(Suite::None));
    assert!(found.right >= FINDS, "{}\n{found}", found.right);
    assert!(quiet.failures.is_empty(), "{quiet}");
    let mut blobs = answers.values().flat_map(|answer| answer["blobs"].as_array().expect("a list"));
    assert!(blobs.all(|blob| blob["explanations"].is_array()));
}

/// The answers by the names of the cases, to questions with `more`.
fn ask(server: &InProcess, cases: &[Case], more: &Value) -> Vec<(String, Value)> {
    let query = |case: &Case| {
        let [_, right] = case.file_names();
        json!({"code": case.right, "path": right, "language": case.languages()[1]})
    };
    let queries: Vec<Value> = cases.iter().map(query).collect();
    let mut set = json!({"corpus": "cases", "queries": queries, "limit": 500});
    set.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
    let (status, answer) = server.post("/api/v1/find/queries", &set);
    assert_eq!(status, StatusCode::OK, "{answer}");
    let answers = answer["queries"].as_array().expect("a list").clone();
    assert_eq!((answers.len(), &answer["skipped"]), (cases.len(), &json!([])));
    cases.iter().map(|case| case.name.clone()).zip(answers).collect()
}

/// The stretches that the file of the left side has.
fn found(case: &Case, answer: &Value) -> Vec<Found> {
    let [left, _] = case.file_names();
    let path = format!("{}/{left}", case.name);
    let list = |value: &Value, key: &str| value[key].as_array().cloned().unwrap_or_default();
    let mut found = Vec::new();
    let blobs = list(answer, "blobs");
    for row in blobs.iter().flat_map(|row| [vec![row.clone()], list(row, "versions")].concat()) {
        if !list(&row, "occurrences").iter().any(|place| place["path"] == path.as_str()) {
            continue;
        }
        let clone_type = row["type"].as_u64().expect("a type") as u8;
        for lines in list(&row, "matched_lines") {
            let at = |number: usize| lines[number].as_u64().expect("a line") as u32;
            found.push(Found { clone_type, lines: [at(2), at(3), at(0), at(1)] });
        }
    }
    found
}
