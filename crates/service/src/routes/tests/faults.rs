//! What is told of corpora that cannot be read, and of requests that cannot.

use std::fs;

use axum::http::StatusCode;
use familiar_cases::Suite;
use serde_json::json;

use super::InProcess;

#[test]
fn a_corpus_that_cannot_be_read_is_named_with_the_reason_and_without_its_folder() {
    let server = InProcess::new(&[Suite::Type1]);
    assert_eq!(server.get("/ready").0, StatusCode::OK);
    let corpus = server.folder.path().join("corpus");
    let manifest = fs::read_to_string(corpus.join("manifest.json")).expect("it is there");
    let newer = manifest.replacen("\"format\"", "\"format\": 999, \"was\"", 1);
    for (text, reason) in [("{", "is damaged"), (newer.as_str(), "newer Familiar")] {
        fs::write(corpus.join("manifest.json"), text).expect("it is ours");
        let (status, said) = server.get("/ready");
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
        let (_, list) = server.get("/api/v1/corpora");
        // Not the one that is open and lasts for half a second.
        let question = json!({"code": "def f(a):\n    return a\n", "language": "python", "corpus": "cases"});
        let (failed, found) = server.post("/api/v1/find", &question);
        assert_eq!(failed, StatusCode::INTERNAL_SERVER_ERROR);
        for told in [&said["detail"], &list["corpora"][0]["error"], &found["detail"]] {
            let told = told.as_str().expect("a reason");
            assert!(told.contains("corpus cases") && told.contains(reason), "{told}");
            assert!(!told.contains(corpus.to_str().expect("a plain name")), "{told}");
        }
    }
}

#[test]
fn a_path_that_is_no_text_is_a_problem() {
    let (status, said) = InProcess::new(&[Suite::Type1]).get("/api/v1/corpora/%ff");
    assert_eq!((status, &said["status"]), (StatusCode::BAD_REQUEST, &400.into()));
}

#[test]
fn a_message_that_is_no_json_has_an_answer_of_the_protocol() {
    let server = InProcess::new(&[Suite::Type1]);
    let (status, said) = server.post_text("/mcp", "{bad");
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(said["id"].is_null() && said["error"]["code"] == -32700, "{said}");
}
