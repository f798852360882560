//! What a question may ask for at most, and how it is refused beyond.

use axum::http::StatusCode;
use familiar_cases::Suite;
use serde_json::{Value, json};

use super::InProcess;

/// A question about the first case, with `more` in it.
fn question(more: &Value) -> Value {
    let case = Suite::Type1.load().expect("the cases are valid").swap_remove(0);
    let mut question = json!({"code": case.right, "language": case.languages()[1], "corpus": "cases"});
    let fields = more.as_object().expect("an object").clone();
    question.as_object_mut().expect("an object").extend(fields);
    question
}

#[test]
fn a_limit_is_kept_and_what_is_beyond_it_is_counted() {
    let server = InProcess::new(&[Suite::Type1, Suite::Type2]);
    let blobs = |limit: u64| {
        let (status, answer) = server.post("/api/v1/find", &question(&json!({"limit": limit})));
        assert_eq!(status, StatusCode::OK, "{answer}");
        (
            answer["blobs"].as_array().expect("a list").clone(),
            answer["more_blobs"].as_u64().expect("a number"),
        )
    };
    let (all, more) = blobs(500);
    assert!(all.len() > 2 && more == 0, "{} blobs and {more}", all.len());
    for limit in 0..all.len() {
        let (some, more) = blobs(limit as u64);
        assert_eq!((some.as_slice(), more as usize), (&all[..limit], all.len() - limit));
    }
}

#[test]
fn questions_beyond_a_limit_are_refused_with_the_reason() {
    let server = InProcess::new(&[Suite::Type1]);
    for (more, reason) in [
        (json!({"limit": 501}), "500"),
        (json!({"coverage": 1.5}), "from 0 to 1"),
        (json!({"types": [4]}), "cases has no vectors"),
        (json!({"types": [5]}), "1, 2, 3 and 4"),
        (json!({"types": []}), "1, 2, 3 and 4"),
        (json!({"explain": true}), "contain 4"),
        (json!({"types": [4], "confidence": 1.0}), "below 1"),
        (json!({"start_line": 3}), "end_line"),
        (json!({"start_line": 0, "end_line": 3}), "counted from 1"),
        (json!({"language": "klingon"}), "klingon"),
        (json!({"corpus": null, "corpora": vec!["cases"; 33]}), "32"),
        (json!({"corpora": ["cases"]}), "either"),
    ] {
        let (status, problem) = server.post("/api/v1/find", &question(&more));
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{more}: {problem}");
        let detail = problem["detail"].as_str().expect("a problem says what is wrong");
        assert!(detail.contains(reason), "{more}: {detail}");
    }
    let (status, problem) = server.post("/api/v1/find", &question(&json!({"corpus": "other"})));
    assert_eq!(status, StatusCode::NOT_FOUND, "{problem}");
}

#[test]
fn a_set_has_one_to_a_hundred_queries() {
    let server = InProcess::new(&[Suite::Type1]);
    let of = |count: usize| {
        let query = json!({"code": "a = 1\n", "path": "a.py"});
        let set = json!({"corpus": "cases", "queries": vec![query; count]});
        server.post("/api/v1/find/queries", &set).0
    };
    let refused = StatusCode::UNPROCESSABLE_ENTITY;
    assert_eq!([0, 1, 100, 101].map(of), [refused, StatusCode::OK, StatusCode::OK, refused]);
}

#[test]
fn a_body_that_is_too_large_is_refused() {
    let server = InProcess::new(&[Suite::Type1]);
    let (status, _) =
        server.post("/api/v1/find", &question(&json!({"code": "a".repeat(super::super::BODY)})));
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}
