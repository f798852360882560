//! From code to findings, as people go.

use serde_json::json;

use super::server::{CODE, Server, tar, told};
use crate::behavior::{SEARCH_JAVA, SEARCH_PYTHON};

#[test]
#[ignore = "long"]
fn code_is_looked_up_in_a_corpus() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let tree = folder.path().join("project");
    std::fs::create_dir(&tree).expect("just made");
    std::fs::write(tree.join("mean.py"), CODE).expect("just made");
    told(folder.path(), &["corpus", "add", "world", "project", "--quiet"]);
    let server = Server::start_in(folder.path(), &[]);
    let corpora = server.get("/api/v1/corpora", "").json();
    assert_eq!(corpora["corpora"][0]["name"], "world");
    assert_eq!(corpora["corpora"][0]["blobs"], 1);
    let renamed = CODE.replace("total", "sum_of_all").replace("factor", "f");
    let find = |code: &str| {
        server.post("/api/v1/find", "", &json!({"code": code, "language": "python", "corpus": "world"}))
    };
    let found = find(&renamed).json();
    assert_eq!((&found["schema"], &found["blobs"][0]["type"]), (&json!("familiar.find/1"), &json!(2)));
    assert_eq!(found["blobs"][0]["occurrences"][0]["path"], "mean.py");
    // The lines there, if they are asked for: those that correspond and no others.
    assert!(found["blobs"][0].get("matched_text").is_none());
    let with_text = json!({"code": renamed, "language": "python", "corpus": "world", "text": true});
    let told_with_text = server.post("/api/v1/find", "", &with_text).json();
    let blob = &told_with_text["blobs"][0];
    let [first, last] = [2, 3].map(|at| blob["matched_lines"][0][at].as_u64().expect("a line") as usize);
    let there: Vec<&str> = CODE.lines().collect();
    assert_eq!(blob["matched_text"], json!([there[first - 1..last]]), "{told_with_text}");
    assert!(super::server::schema("find-1.schema.json").is_valid(&told_with_text), "{told_with_text}");
    assert_eq!(find("print(1)").json()["blobs"], json!([]));
    assert_eq!(find("").status, 422);
    let set = json!({"corpus": "world", "queries": [
        {"path": "new.py", "code": renamed}, {"path": "empty.py", "code": ""}, {"path": "data.bin", "code": "\u{0}\u{1}"},
    ]});
    let answered = server.post("/api/v1/find/queries", "", &set).json();
    let schema = super::server::schema("find-1.schema.json");
    assert!(schema.is_valid(&answered), "{answered}");
    assert_eq!(
        (&answered["queries"][0]["query"]["path"], &answered["queries"][0]["blobs"][0]["type"]),
        (&json!("new.py"), &json!(2))
    );
    assert_eq!(
        (answered["queries"].as_array().map(Vec::len), answered["skipped"].as_array().map(Vec::len)),
        (Some(1), Some(2))
    );
    assert_eq!(
        server.post("/api/v1/find/queries", "", &json!({"corpus": "world", "queries": []})).status,
        422
    );
    let info = server.get("/api/v1/corpora/world", "").json();
    assert_eq!(info["schema"], "familiar.corpus/1");
    // A corpus that changes is asked as it is now.
    std::fs::write(tree.join("again.py"), renamed.as_bytes()).expect("just made");
    told(folder.path(), &["corpus", "update", "world", "--quiet"]);
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(find(&renamed).json()["blobs"][0]["type"], 1);
}

#[test]
fn submissions_become_a_report() {
    let server = Server::start(&[]);
    let edited = CODE.replace("raise ValueError('negative weight')", "continue");
    let handed_out = "def read(path):\n    with open(path) as file:\n        return [line.strip() for line in file if line.strip()]\n";
    let archive = tar(&[
        ("hw/ann/a.py", CODE),
        ("hw/ann/read.py", handed_out),
        ("hw/bob/b.py", &edited),
        ("hw/bob/read.py", handed_out),
        ("hw/eve/e.py", "print('hello')\n"),
    ]);
    let upload = server.upload("hw.tar", "", &archive);
    let base = server.upload("read.py", "", handed_out.as_bytes());
    let job = server
        .clones("", &json!({"uploads": [upload], "base": [base], "layout": "submissions", "min_tokens": 30}));
    assert_eq!((&job["state"], &job["kind"]), (&json!("done"), &json!("clones")), "{job}");
    let result = job["result"].as_str().expect("a result");
    let numbers = server.get(&format!("/api/v1/results/{result}"), "").json();
    assert_eq!((&numbers["classes"], &numbers["pairs"]), (&json!(1), &json!(1)), "{numbers}");
    let json = server.get(&format!("/api/v1/results/{result}/files/json"), "").json();
    let paths: Vec<_> =
        json["fragments"].as_array().expect("fragments").iter().map(|f| f["path"].clone()).collect();
    assert_eq!(paths, ["a.py", "b.py"], "{json}");
    let page = server.get(&format!("/reports/{result}/index.html"), "");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html")));
    assert_eq!(server.get(&format!("/reports/{result}/data/head.js"), "").status, 200);
    // Events of a job that has ended: one, the last.
    let id = job["id"].as_str().expect("an identifier");
    let events = server.get(&format!("/api/v1/jobs/{id}/events"), "").text();
    assert_eq!(events.matches("event: job").count(), 1, "{events}");
    assert_eq!(server.delete(&format!("/api/v1/results/{result}"), "").status, 204);
    assert_eq!(server.get(&format!("/reports/{result}/index.html"), "").status, 404);
    assert_eq!(server.get("/api/v1/results", "").json()["total"], 0);
}

#[test]
fn submissions_are_compared_with_those_of_last_year() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for (author, code) in [("old", CODE.replace("mean_of", "average")), ("other", CODE.to_owned())] {
        std::fs::create_dir_all(folder.path().join("last").join(author)).expect("just made");
        std::fs::write(folder.path().join("last").join(author).join("x.py"), code).expect("just made");
    }
    told(folder.path(), &["corpus", "add", "last-year", "submissions:last", "--quiet"]);
    let server = Server::start_in(folder.path(), &[]);
    let upload = server.upload("hw.tar", "", &tar(&[("ann/a.py", CODE), ("bob/b.py", CODE)]));
    let job = server.clones(
        "",
        &json!({"uploads": [upload], "layout": "submissions", "corpora": ["last-year"], "granularity": ["function"]}),
    );
    let result = job["result"].as_str().unwrap_or_else(|| panic!("{job}"));
    let csv = server.get(&format!("/api/v1/results/{result}/files/csv"), "").text();
    // Ann, Bob and both of last year: six pairs, but for the one that is last year's own.
    assert_eq!(csv.lines().count(), 1 + 5, "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.contains("a.py") || line.contains("b.py")), "{csv}");
    let json = server.get(&format!("/api/v1/results/{result}/files/json"), "").json();
    let roots = ["uploads/ann", "uploads/bob", "last-year/old", "last-year/other"];
    assert_eq!(json["settings"]["roots"], json!(roots));
    let two = json!({"corpora": ["last-year", "last-year", "last-year"]});
    assert_eq!(server.post("/api/v1/clones", "", &two).status, 422);
}

#[test]
#[ignore = "long"]
fn uploads_are_audited_and_their_licenses_read() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    std::fs::create_dir_all(folder.path().join("theirs")).expect("just made");
    let theirs = format!("# SPDX-License-Identifier: GPL-3.0-only\n{CODE}");
    std::fs::write(folder.path().join("theirs/mean.py"), &theirs).expect("just made");
    told(folder.path(), &["corpus", "add", "world", "theirs", "--quiet"]);
    let server = Server::start_in(folder.path(), &[]);
    let upload = server.upload(
        "ours.tar",
        "",
        &tar(&[("src/copied.py", CODE), ("LICENSE", "SPDX-License-Identifier: MIT\n")]),
    );
    let end = |path: &str, body: serde_json::Value| {
        let reply = server.post(path, "", &body);
        assert_eq!(reply.status, 202, "{}", reply.text());
        server.ended(reply.json()["id"].as_str().expect("an identifier"), "")
    };
    let file = |job: &serde_json::Value, format: &str| {
        let result = job["result"].as_str().unwrap_or_else(|| panic!("{job}"));
        server.get(&format!("/api/v1/results/{result}/files/{format}"), "")
    };
    let job = end("/api/v1/audit", json!({"uploads": [upload], "corpora": ["world"], "license": "MIT"}));
    assert_eq!((&job["title"], &job["kind"]), (&json!("ours.tar"), &json!("audit")));
    let stored = server.get(&format!("/api/v1/results/{}", job["result"].as_str().expect("one")), "").json();
    let verdicts = json!({"by_verdict": {"conflict": 1}, "by_decision": {"denied": 1}});
    assert_eq!((&stored["title"], &stored["verdicts"]), (&json!("ours.tar"), &verdicts), "{stored}");
    let audit = file(&job, "json").json();
    assert_eq!(audit["schema"], "familiar.audit/1");
    assert_eq!(audit["pairs"][0]["verdict"]["status"], "conflict", "{audit}");
    assert!(file(&job, "text").text().contains("copied.py"));
    let pages = format!("/reports/{}", job["result"].as_str().expect("an identifier"));
    assert_eq!(server.get(&format!("{pages}/index.html"), "").status, 200);
    assert!(server.get(&format!("{pages}/data/audit.js"), "").text().contains("conflict"));
    assert_eq!(file(&job, "gitlab").status, 404);
    let job = end("/api/v1/licenses", json!({"upload": upload}));
    let licenses = file(&job, "json").json();
    assert_eq!(licenses["schema"], "familiar.license/1");
    assert!(file(&job, "csv").text().contains("copied.py"), "{licenses}");
    let pages = format!("/reports/{}", job["result"].as_str().expect("an identifier"));
    assert_eq!(server.get(&format!("{pages}/index.html"), "").status, 200);
    let head = server.get(&format!("{pages}/data/head.js"), "").text();
    assert!(head.contains("\"root\":\"ours.tar\""), "{head}");
    assert!(server.get(&format!("{pages}/data/files-0.js"), "").text().contains("src/copied.py"));
    // Licenses alone are judged at once.
    let judged = json!({"project": "MIT", "code": ["GPL-3.0-only", "MIT", "BSD-3-Clause"]});
    let told = server.post("/api/v1/verdicts", "", &judged).json();
    let statuses: Vec<_> =
        told["verdicts"].as_array().expect("a list").iter().map(|one| &one["status"]).collect();
    assert_eq!(statuses, ["conflict", "same", "compatible"], "{told}");
    assert!(
        told["verdicts"][2]["duties"][0].is_string() && told["verdicts"][0]["rules"][0]["text"].is_string()
    );
    for wrong in [json!({"project": "mine", "code": []}), json!({"project": "MIT", "code": ["mine"]})] {
        assert_eq!(server.post("/api/v1/verdicts", "", &wrong).status, 422, "{wrong}");
    }
    let wrong = json!({"uploads": [upload], "corpora": ["world"], "license": "my own"});
    assert_eq!(server.post("/api/v1/audit", "", &wrong).status, 422);
    assert_eq!(server.post("/api/v1/audit", "", &json!({"uploads": [upload], "corpora": []})).status, 422);
}

#[test]
fn a_corpus_is_made_of_an_upload_and_unmade() {
    let server = Server::start(&[]);
    let upload = server.upload("mean.py", "", CODE.as_bytes());
    let reply = server.post("/api/v1/corpora/class/sources", "", &json!({"uploads": [upload]}));
    let job = server.ended(reply.json()["id"].as_str().expect("an identifier"), "");
    assert_eq!(job["state"], "done", "{job}");
    let found = server
        .post("/api/v1/find", "", &json!({"code": CODE, "language": "python", "corpus": "class"}))
        .json();
    assert_eq!(found["blobs"][0]["coverage"], 1.0);
    let source = server.get("/api/v1/corpora/class", "").json()["sources"][0]["source"]
        .as_str()
        .expect("a source")
        .to_owned();
    let path =
        format!("/api/v1/corpora/class/sources?source={}", source.replace(':', "%3A").replace('/', "%2F"));
    let job = server.ended(server.delete(&path, "").json()["id"].as_str().expect("an identifier"), "");
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(server.get("/api/v1/corpora/class", "").json()["sources"], json!([]));
}

#[test]
fn the_server_describes_itself_and_counts() {
    let server = Server::start(&[]);
    let description = server.get("/api/v1/openapi.json", "").json();
    assert_eq!(description["openapi"], "3.1.0");
    for path in ["/health", "/ready", "/metrics", "/api/v1/find", "/api/v1/jobs/{id}/events"] {
        assert!(description["paths"][path].is_object(), "{path}");
    }
    let page = server.get("/api/docs/", "");
    assert_eq!(page.status, 200);
    assert!(server.get("/", "").text().contains("/assets/app.js"));
    assert_eq!(server.get("/health", "").json()["status"], "ok");
    assert!(server.get("/metrics", "").text().contains("familiar_requests_total"));
}

#[test]
#[ignore = "long"]
fn what_was_running_when_the_server_was_killed_is_done_when_it_is_back() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let mut server = Server::start_in(folder.path(), &[]);
    let many: Vec<(String, String)> = (0..100)
        .map(|n| (format!("a{n}/x.py"), CODE.replace("mean_of", &format!("mean_{n}")).repeat(10)))
        .collect();
    let files: Vec<(&str, &str)> = many.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let upload = server.upload("many.tar", "", &tar(&files));
    let job = server.post("/api/v1/clones", "", &json!({"uploads": [upload]})).json();
    let id = job["id"].as_str().expect("an identifier").to_owned();
    let state = || server.get(&format!("/api/v1/jobs/{id}"), "").json()["state"].clone();
    let begun = std::iter::repeat_with(state).find(|state| state != "queued");
    assert_eq!(begun.expect("it begins some time"), "running", "the server is killed in the middle of a job");
    server.kill();
    let server = Server::start_in(folder.path(), &[]);
    let job = server.ended(&id, "");
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(server.get("/api/v1/results", "").json()["total"], 1);
    // The folder goes right after the job has ended.
    let left = || std::fs::read_dir(folder.path().join("service/jobs")).expect("a folder").count();
    let waited = (0..200).any(|_| {
        left() == 0 || {
            std::thread::sleep(std::time::Duration::from_millis(50));
            false
        }
    });
    assert!(waited, "{} folders of jobs are left", left());
}

#[test]
fn a_job_is_cancelled_and_leaves_nothing() {
    let server = Server::start(&[]);
    let upload = server.upload("a.py", "", CODE.repeat(20_000).as_bytes());
    let job = server.post("/api/v1/clones", "", &json!({"uploads": [upload], "types": [1, 2, 3, 4]})).json();
    let id = job["id"].as_str().expect("an identifier");
    let job = server.delete(&format!("/api/v1/jobs/{id}"), "").json();
    assert_eq!(job["state"], "cancelled");
    // The next one runs.
    let upload = server.upload("b.py", "", CODE.as_bytes());
    assert_eq!(server.clones("", &json!({"uploads": [upload]}))["state"], "done");
    assert_eq!(server.get(&format!("/api/v1/jobs/{id}"), "").json()["state"], "cancelled");
    assert_eq!(server.get("/api/v1/results", "").json()["total"], 1);
}

#[test]
#[ignore = "long"]
fn what_makes_uploads_alike_is_said_where_it_is_asked_for() {
    let server = Server::start(&[]);
    let upload = |name, text: &str| server.upload(name, "", text.as_bytes());
    let uploads = [upload("Lists.java", SEARCH_JAVA), upload("find.py", SEARCH_PYTHON)];
    let mut wanted = json!({"uploads": uploads, "types": [1, 2, 3], "cross_language": true, "explain": true});
    let refused = server.post("/api/v1/clones", "", &wanted);
    assert_eq!(refused.status, 422);
    assert!(refused.json()["detail"].as_str().is_some_and(|it| it.contains("`types` has to contain 4")));
    wanted["types"] = json!([4]);
    wanted["min_tokens"] = json!(30);
    let job = server.clones("", &wanted);
    assert_eq!(job["state"], "done", "{job}");
    let id = job["result"].as_str().expect("a result");
    let result = server.get(&format!("/api/v1/results/{id}/files/json"), "").json();
    let explanation = &result["pairs"][0]["explanation"];
    assert!(explanation["statements"].as_array().is_some_and(|it| it.len() > 5), "{result}");
}
