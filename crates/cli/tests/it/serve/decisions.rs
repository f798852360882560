//! What is decided on the server: kept by fingerprint, of those who work together, and passed on.

use serde_json::{Value, json};

use super::server::{Reply, Server, bearer, told};

const PRINT: &str = "0123456789abcdef0123456789abcdef";

fn said(decision: &str, comment: &str) -> Value {
    json!({"decisions": [{"fingerprint": PRINT, "decision": decision, "comment": comment, "place": "a.py:1"}]})
}

fn import(server: &Server, token: &str, bytes: &str) -> Reply {
    let mut headers = bearer(token);
    headers.push(("Content-Type", "application/octet-stream"));
    server.send("POST", "/api/v1/decisions/import", &headers, bytes.as_bytes())
}

fn standing(server: &Server, token: &str) -> Value {
    server.get("/api/v1/decisions", token).json()
}

#[test]
fn the_newest_counts_and_all_is_kept() {
    let server = Server::start(&[]);
    let mut first = said("needs-action", "look at it");
    first["author"] = json!("ada");
    assert_eq!(server.post("/api/v1/decisions", "", &first).status, 200);
    server.post("/api/v1/decisions", "", &said("accepted", "")).json();
    let list = standing(&server, "");
    assert_eq!((&list["total"], &list["decisions"][0]["decision"]), (&json!(1), &json!("accepted")));
    let history = server.get(&format!("/api/v1/decisions/{PRINT}"), "").json();
    assert_eq!(history["total"], 2);
    assert_eq!(history["decisions"][1]["author"], "ada");
    server.post("/api/v1/decisions", "", &said("open", "")).json();
    assert_eq!(standing(&server, "")["total"], 0);
    for wrong in [
        json!({"decisions": []}),
        json!({"decisions": [{"fingerprint": "9f", "decision": "accepted"}]}),
        said("maybe", ""),
        said("accepted", &"x".repeat(5_000)),
    ] {
        assert_eq!(server.post("/api/v1/decisions", "", &wrong).status, 422, "{wrong}");
    }
    assert_eq!(server.get("/api/v1/decisions/files/svg", "").status, 404);
}

#[test]
fn decisions_go_out_and_come_in_as_files() {
    let server = Server::start(&[]);
    server.post("/api/v1/decisions", "", &said("accepted", "\"\"\"\n[audit]\ndenied = []")).json();
    let policy = server.get("/api/v1/decisions/files/policy", "").text();
    assert!(policy.contains("[[audit.accepted]]") && policy.matches("[audit]").count() == 1, "{policy}");
    let file = server.get("/api/v1/decisions/files/json", "");
    assert!(file.header("content-disposition").is_some_and(|value| value.starts_with("attachment")));
    let file = file.text();
    let other = Server::start(&[]);
    let import = |bytes: &str| import(&other, "", bytes);
    assert_eq!(import(&file).json()["new"], 1);
    assert_eq!(import(&file).json()["new"], 0);
    let entered = &standing(&other, "")["decisions"][0];
    assert_eq!(entered["comment"], "\"\"\"\n[audit]\ndenied = []");
    assert_eq!(import(&policy).json()["new"], 1);
    for wrong in ["", "{", "{}", "\u{0}\u{1}", "[[audit.accepted]]\nfingerprint = 'x'"] {
        let answer = import(wrong);
        assert!(
            answer.status == 422 || wrong.is_empty() && answer.status == 200,
            "{wrong:?}: {}",
            answer.status
        );
    }
    let late = file.replace("\"decided\": \"2", "\"decided\": \"9");
    assert_eq!(import(&late).status, 422);
}

#[test]
fn a_team_shares_and_others_do_not_see() {
    let server = Server::start(&[]);
    let token = |name: &str, more: &[&str]| {
        told(server.home(), &[&["serve", "token", "create", name], more].concat())
    };
    let ada = token("ada", &["--team", "review"]);
    let bob = token("bob", &["--team", "review"]);
    let eve = token("eve", &[]);
    let like_a_team = token("review", &[]);
    let reader = token("rob", &["--team", "review", "--scope", "read"]);
    let mut forged = said("accepted", "");
    forged["author"] = json!("bob");
    let made = server.post("/api/v1/decisions", &ada, &forged).json();
    assert_eq!(made["decisions"][0]["author"], "ada");
    assert_eq!(standing(&server, &bob)["decisions"][0]["author"], "ada");
    assert_eq!(standing(&server, &eve)["total"], 0);
    assert_eq!(standing(&server, &like_a_team)["total"], 0);
    assert_eq!(server.get(&format!("/api/v1/decisions/{PRINT}"), &eve).json()["total"], 0);
    assert_eq!(standing(&server, &reader)["total"], 1);
    assert_eq!(server.post("/api/v1/decisions", &reader, &said("open", "")).status, 403);
    assert_eq!(import(&server, &reader, "").status, 403);
    assert_eq!(server.get("/api/v1/decisions", "").status, 401);
    // Who brings in what others decided is told with it.
    let file = server.get("/api/v1/decisions/files/json", &ada).text();
    import(&server, &eve, &file).json();
    assert_eq!(standing(&server, &eve)["decisions"][0]["entered_by"], "eve");
    // Uploads are the team's, too.
    let upload = server.upload("a.py", &ada, b"print(1)");
    let uploads = server.get("/api/v1/uploads", &bob).json();
    assert_eq!(uploads["uploads"][0]["id"], upload.as_str());
    assert_eq!(server.get("/api/v1/uploads", &eve).json()["uploads"], json!([]));
    assert_eq!(server.get("/api/v1/session", &bob).json()["team"], "review");
}
