//! Tokens, jobs and results, as they are kept.

use super::*;
use crate::results::Stored;

fn store() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let store = Store::open(folder.path()).expect("an empty folder");
    (folder, store)
}

fn job(id: &str) -> Job {
    Job {
        id: id.to_owned(),
        kind: "clones".to_owned(),
        title: String::new(),
        state: State::Queued,
        stage: String::new(),
        done: 0,
        total: 0,
        created: 1,
        started: None,
        ended: None,
        error: None,
        result: None,
        owner: "ada".to_owned(),
    }
}

fn result(id: &str, bytes: u64) -> Stored {
    Stored {
        id: id.to_owned(),
        owner: "ada".to_owned(),
        kind: "clones".to_owned(),
        title: String::new(),
        created: 1,
        files: 0,
        classes: 0,
        pairs: 0,
        duplication: 0.0,
        verdicts: None,
        bytes,
        partial: false,
        unanswered: Vec::new(),
    }
}

#[test]
fn who_takes_the_last_token_back_is_remembered() {
    let (folder, store) = store();
    let now =
        |store: &Store| (store.has_tokens().expect("it answers"), store.had_tokens().expect("it answers"));
    assert_eq!(now(&store), (false, false));
    store.create_token("ada", None, Scope::Read, None).expect("it is new");
    assert_eq!(now(&store), (true, true));
    assert!(store.revoke("ada").expect("it is there"));
    assert_eq!(now(&Store::open(folder.path()).expect("it is there")), (false, true));
}

#[test]
fn a_store_of_an_earlier_version_knows_that_there_are_tokens() {
    let (folder, store) = store();
    store.create_token("ada", None, Scope::Read, None).expect("it is new");
    store.lock().execute_batch("DROP TABLE facts; PRAGMA user_version = 4;").expect("it is ours");
    drop(store);
    assert!(Store::open(folder.path()).and_then(|store| store.had_tokens()).expect("it is brought up"));
}

#[test]
fn old_jobs_go_and_their_results_stay_and_count() {
    let (_folder, store) = store();
    for id in ["first", "second"] {
        store.insert_job(&job(id), &format!("{{\"upload\":\"{id}-upload\"}}"), false).expect("it is new");
    }
    let wanted = || ["first-upload", "second-upload"].map(|id| store.is_wanted(id).expect("it answers"));
    assert_eq!(wanted(), [true, true]);
    store.take_job(false).expect("it answers").expect("one waits");
    assert!(store.finish_job("first", &result("left", 70)).expect("it runs"));
    assert_eq!((wanted(), store.kept("ada").expect("it answers")), ([false, true], 70));
    assert_eq!(store.forget_jobs(now() - 60).expect("it answers"), 0, "it has just ended");
    assert_eq!(store.forget_jobs(now() + 60).expect("it answers"), 1, "the other waits");
    assert!(store.job("first", Of::Everybody).expect("it answers").is_none());
    assert_eq!(store.kept("ada").expect("it answers"), 70);
}
