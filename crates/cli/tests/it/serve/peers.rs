//! Servers that ask other servers, and what these may do to them.

use std::fs::File;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::server::{CODE, Server, token, told};

/// A home with a corpus of one file, `NAME/mean.py`, of the same age in every home: what two servers say is compared.
pub(crate) fn home(corpus: &str, project: &str, code: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    std::fs::create_dir(folder.path().join(project)).expect("just made");
    let path = folder.path().join(project).join("mean.py");
    std::fs::write(&path, code).expect("just made");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
    let file = File::options().write(true).open(&path).expect("just made");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(now / 86_400 * 86_400)).expect("it may have any age");
    told(folder.path(), &["corpus", "add", corpus, project, "--quiet"]);
    folder
}

pub(crate) fn asking(home: &Path, peers: &[String]) -> Server {
    let flags: Vec<&str> = peers.iter().flat_map(|peer| ["--peer", peer.as_str()]).collect();
    Server::start_in(home, &[&flags[..], &["--peer-timeout", "1"]].concat())
}

fn find(server: &Server, corpora: &[&str]) -> Value {
    server.post("/api/v1/find", "", &json!({"code": CODE, "language": "python", "corpora": corpora})).json()
}

/// A server of our own that says `answer` to everything, and how often it was asked; it hands over what the last request said.
pub(crate) fn stranger(
    answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static,
) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it listens");
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    let answer = Arc::new(answer);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            count.fetch_add(1, Ordering::SeqCst);
            let (mut stream, answer) = (stream, Arc::clone(&answer));
            std::thread::spawn(move || {
                let mut bytes = [0; 16_384];
                let read = stream.read(&mut bytes).unwrap_or(0);
                answer(&String::from_utf8_lossy(&bytes[..read]), &mut stream);
            });
        }
    });
    (format!("http://{address}"), asked)
}

#[test]
#[ignore = "long"]
fn answers_are_merged_by_blob() {
    let (mine, theirs) = (home("mine", "here", CODE), home("world", "there", CODE));
    let other = Server::start_in(theirs.path(), &[]);
    let server = asking(mine.path(), &[format!("lab=http://{}", other.address())]);
    let corpora = server.get("/api/v1/corpora", "").json();
    let names: Vec<&Value> =
        corpora["corpora"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["mine", "lab/world"]);
    assert_eq!((&corpora["corpora"][1]["peer"], &corpora["corpora"][1]["blobs"]), (&json!("lab"), &json!(1)));
    let found = find(&server, &["mine", "lab/world"]);
    assert_eq!(found["blobs"].as_array().map(Vec::len), Some(1), "{found}");
    let places = found["blobs"][0]["occurrences"].as_array().expect("places");
    let corpora: Vec<&Value> = places.iter().map(|place| &place["corpora"]).collect();
    assert_eq!(corpora, [&json!(["mine"]), &json!(["lab/world"])]);
    assert_eq!((&found["blobs"][0]["projects"], &found["partial"]), (&json!(2), &Value::Null));
    let schema = super::server::schema("find-1.schema.json");
    let errors: Vec<String> = schema.iter_errors(&found).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let one =
        server.post("/api/v1/find", "", &json!({"code": CODE, "language": "python", "corpus": "lab/world"}));
    assert_eq!(one.json()["blobs"][0]["occurrences"][0]["corpora"][0], "lab/world");
    for wrong in [
        json!({"code": CODE, "corpus": "mine", "corpora": ["mine"]}),
        json!({"code": CODE}),
        json!({"code": CODE, "corpora": []}),
        json!({"code": CODE, "language": "klingon", "corpora": ["lab/world"]}),
    ] {
        assert_eq!(server.post("/api/v1/find", "", &wrong).status, 422, "{wrong}");
    }
    let nowhere = json!({"code": CODE, "corpora": ["nobody/world"]});
    assert_eq!(server.post("/api/v1/find", "", &nowhere).status, 404);
    assert!(
        server
            .get("/metrics", "")
            .text()
            .contains("familiar_peer_requests_total{peer=\"lab\",outcome=\"answered\"}")
    );
}

#[test]
#[ignore = "long"]
fn who_does_not_answer_makes_the_answer_partial() {
    let mine = home("mine", "here", CODE);
    let (silent, _) = stranger(|_, _| std::thread::sleep(std::time::Duration::from_secs(30)));
    let (garbage, _) =
        stranger(|_, stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n[1, 2]")));
    let lie = json!({"schema": "familiar.find/1", "query": {}, "blobs": [{"blob": "x", "licenses": ["MIT"]}], "origin": {}}).to_string();
    let (liar, _) = stranger(move |_, stream| {
        drop(write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{lie}", lie.len()));
    });
    let (endless, _) = stranger(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        while stream.write_all(&[b'['; 4_096]).is_ok() {}
    });
    let gone = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("it listens");
    let peers = [
        format!("silent={silent}"),
        format!("garbage={garbage}"),
        format!("liar={liar}"),
        format!("endless={endless}"),
        format!("gone=http://{gone}"),
    ];
    let server = asking(mine.path(), &peers);
    let found = find(&server, &["mine", "silent/x", "garbage/x", "liar/x", "endless/x", "gone/x"]);
    assert_eq!((&found["partial"], &found["blobs"][0]["type"]), (&json!(true), &json!(1)), "{found}");
    let mut who: Vec<&str> = found["unanswered"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["peer"].as_str())
        .collect();
    who.sort_unstable();
    assert_eq!(who, ["endless", "garbage", "gone", "liar", "silent"]);
    let nobody = json!({"code": CODE, "language": "python", "corpora": ["gone/x", "garbage/x"]});
    assert_eq!(server.post("/api/v1/find", "", &nobody).status, 502);
    let corpora = server.get("/api/v1/corpora", "").json();
    assert_eq!(
        (corpora["corpora"].as_array().map(Vec::len), corpora["unanswered"].as_array().map(Vec::len)),
        (Some(1), Some(5))
    );
}

#[test]
fn a_peer_that_fails_again_and_again_is_left_in_peace() {
    let mine = home("mine", "here", CODE);
    let (broken, asked) = stranger(|_, _| {});
    let server = asking(mine.path(), &[format!("lab={broken}")]);
    for _ in 0..6 {
        assert_eq!(find(&server, &["mine", "lab/x"])["partial"], true);
    }
    let found = find(&server, &["mine", "lab/x"]);
    assert!(
        found["unanswered"][0]["reason"].as_str().is_some_and(|reason| reason.contains("again and again")),
        "{found}"
    );
    assert_eq!(asked.load(Ordering::SeqCst), 3);
}

#[test]
#[ignore = "long"]
fn a_token_goes_to_its_peer_and_nowhere_else() {
    let (theft, stolen) =
        stranger(|_, stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")));
    let target = theft.clone();
    let (turning, _) = stranger(move |_, stream| {
        let head = format!(
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: {target}/api/v1/find\r\nContent-Length: 0\r\n\r\n"
        );
        drop(stream.write_all(head.as_bytes()));
    });
    let (mine, theirs) = (home("mine", "here", CODE), home("world", "there", CODE));
    let secret = token(theirs.path(), "apprentice", "read");
    std::fs::write(mine.path().join("lab.token"), format!("{secret}\n")).expect("can be written");
    let other = Server::start_in(theirs.path(), &[]);
    let peers = [format!("lab=http://{}", other.address()), format!("turning={turning}")];
    let flags = [
        "--peer-token-file",
        "lab=lab.token",
        "--peer-token-file",
        "turning=lab.token",
        "--peer-timeout",
        "2",
    ];
    let flags = [&["--peer", &peers[0], "--peer", &peers[1]][..], &flags].concat();
    let server = Server::start_in(mine.path(), &flags);
    let found = find(&server, &["lab/world", "turning/world"]);
    assert_eq!(found["blobs"][0]["occurrences"][0]["project"], "there", "{found}");
    assert_eq!(found["unanswered"][0]["peer"], "turning");
    assert_eq!(stolen.load(Ordering::SeqCst), 0);
    assert!(!server.log().contains(&secret));
    // Without a token the peer does not answer, and says no more than that.
    drop(server);
    let server = asking(mine.path(), &peers[..1]);
    let found = find(&server, &["mine", "lab/world"]);
    assert_eq!(
        found["unanswered"][0]["reason"],
        "it does not know this server's token, or the token may not do that"
    );
}

#[test]
fn servers_that_name_each_other_do_not_ask_in_a_circle() {
    let (one, two) = (home("one", "here", CODE), home("two", "there", CODE));
    // Whoever starts second knows the address of the first; the first is told that of a port which the second takes.
    let port = TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("it listens");
    let first = asking(one.path(), &[format!("second=http://{port}")]);
    let flags = ["--peer", &format!("first=http://{}", first.address()), "--listen", &port.to_string()];
    let second = Server::start_with(two.path(), &flags);
    let corpora = second.get("/api/v1/corpora", "").json();
    let names: Vec<&Value> =
        corpora["corpora"].as_array().expect("a list").iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["two", "first/one"]);
    let asked_as_peer = [("Familiar-Peer", "1"), ("Content-Type", "application/json")];
    let body = json!({"code": CODE, "language": "python", "corpus": "first/one"}).to_string();
    assert_eq!(second.send("POST", "/api/v1/find", &asked_as_peer, body.as_bytes()).status, 404);
    assert_eq!(find(&first, &["second/two"])["blobs"][0]["occurrences"][0]["project"], "there");
}

#[test]
fn what_is_no_peer_is_refused_at_the_start() {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    let refused = |flags: &[&str]| {
        let output =
            super::server::familiar(folder.path(), &[&["serve", "--listen", "127.0.0.1:0"], flags].concat())
                .output();
        let output = output.expect("the program runs");
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused(&["--peer", "lab=http://lab.example"]).contains("--allow-insecure-peer"));
    assert!(refused(&["--peer", "file:///etc/passwd"]).contains("NAME=https://HOST:PORT"));
    assert!(
        refused(&["--peer", "https://lab.example", "--peer", "lab.example=https://other.example"])
            .contains("two peers")
    );
    assert!(refused(&["--peer-token-file", "lab=none"]).contains("there is no --peer with the name lab"));
}
