//! What jobs name, what they wait for, and what is kept of them.

use axum::http::{HeaderMap, Request, StatusCode, header};
use familiar_cases::Suite;
use serde_json::{Value, json};

use super::InProcess;
use crate::results::Stored;
use crate::store::Of;

/// A server on which a job about an upload waits: the server, the upload and the job.
fn waiting() -> (InProcess, String, String) {
    let server = InProcess::new(&[Suite::Type1]);
    let (status, upload) = server.post_text("/api/v1/uploads?name=a.py", "a = 1\n");
    assert_eq!(status, StatusCode::CREATED, "{upload}");
    let upload = id(&upload);
    let (status, job) = server.post("/api/v1/clones", &json!({"uploads": [upload], "corpora": ["cases"]}));
    assert_eq!(status, StatusCode::ACCEPTED, "{job}");
    (server, upload, id(&job))
}

fn id(made: &Value) -> String {
    made["id"].as_str().expect("an identifier").to_owned()
}

#[test]
fn an_upload_stays_as_long_as_a_job_needs_it() {
    let (server, upload, job) = waiting();
    let (status, said) = server.answer(Request::delete(format!("/api/v1/uploads/{upload}")), "");
    assert_eq!(status, StatusCode::CONFLICT, "{said}");
    server.answer(Request::delete(format!("/api/v1/jobs/{job}")), "");
    assert!(!server.server.store.is_wanted(&upload).expect("it answers"));
}

#[test]
fn the_list_says_how_far_a_job_is() {
    let (server, _, job) = waiting();
    let _watched = server.server.jobs.watch(&job, Of::Everybody).expect("it answers");
    server.server.jobs.advance(&job, |job| (job.done, job.total) = (7, 9));
    let (_, list) = server.get("/api/v1/jobs");
    assert_eq!((&list["jobs"][0]["done"], &list["jobs"][0]["total"]), (&json!(7), &json!(9)), "{list}");
}

#[test]
fn who_has_many_results_deletes_some_first() {
    let (server, upload, job) = waiting();
    let store = &server.server.store;
    let (owner, title, kind) = ("everybody".to_owned(), String::new(), "clones".to_owned());
    let (verdicts, unanswered) = (None, Vec::new());
    let (files, classes, pairs, duplication, created) = (0, 0, 0, 0.0, 0);
    let (result, bytes, partial) = ("left".to_owned(), 1 << 20, false);
    store.take_job(false).expect("it answers").expect("it waits");
    let stored = Stored {
        id: result,
        owner,
        kind,
        title,
        created,
        files,
        classes,
        pairs,
        duplication,
        verdicts,
        bytes,
        partial,
        unanswered,
    };
    assert!(store.finish_job(&job, &stored).expect("it runs"));
    let (status, said) = server.post("/api/v1/licenses", &json!({"upload": upload}));
    assert_eq!(status, StatusCode::INSUFFICIENT_STORAGE, "{said}");
    store.delete_result("left").expect("it is there");
    assert_eq!(server.post("/api/v1/licenses", &json!({"upload": upload})).0, StatusCode::ACCEPTED);
}

#[test]
fn a_corpus_that_is_named_twice_counts_once() {
    let server = InProcess::new(&[Suite::Type1]);
    let names = ["cases", "cases"].map(str::to_owned);
    let against = super::super::submit::Against::of(&server.server, &names, &HeaderMap::new());
    let against = against.unwrap_or_else(|problem| panic!("{}", problem.detail()));
    assert_eq!((against.names.as_slice(), against.folders.len()), (&names[..1], 1));
}

#[test]
fn a_server_of_named_corpora_says_that_it_makes_no_others() {
    let server = InProcess::new(&[Suite::Type1]);
    let (status, said) =
        server.post("/api/v1/corpora/new/sources", &json!({"sources": ["pypi:six==1.16.0"]}));
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(said["detail"].as_str().expect("a reason").contains("--in"), "{said}");
}

#[test]
fn a_wrong_token_harms_nobody_who_asks_whether_the_server_runs() {
    let server = InProcess::new(&[Suite::Type1]);
    for path in ["/health", "/ready"] {
        let asked = Request::get(path).header(header::AUTHORIZATION, "Bearer fam_wrong");
        assert_eq!(server.answer(asked, "").0, StatusCode::OK, "{path}");
    }
    // Stale cookies are no guesses.
    for _ in 0..30 {
        let asked = Request::get("/api/v1/jobs").header(header::COOKIE, "familiar=fam_stale");
        assert_eq!(server.answer(asked, "").0, StatusCode::UNAUTHORIZED);
    }
    let asked = Request::get("/api/v1/jobs").header(header::AUTHORIZATION, "Bearer fam_wrong");
    assert_eq!(server.answer(asked, "").0, StatusCode::UNAUTHORIZED);
}

#[test]
fn what_others_put_into_the_servers_folder_does_not_stop_it() {
    let server = InProcess::new(&[Suite::Type1]);
    let data = server.folder.path().join("data");
    let (file, left) = (data.join("uploads/.DS_Store"), data.join("jobs/old"));
    std::fs::write(&file, "").expect("it is ours");
    std::fs::create_dir(&left).expect("it is ours");
    assert!(crate::server::sweep(&server.server).is_ok());
    assert!(file.exists() && !left.exists());
}
