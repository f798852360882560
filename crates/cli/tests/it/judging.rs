//! `familiar benchmark judge` and `agree`: nothing that a judge was told is kept is ever lost.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

/// A code that would do harm if the page made markup of it.
const HOSTILE: &str =
    "def f(x):\n    return '</pre><script>alert(1)</script>' # <img src=x onerror=alert(1)>\n";

pub(crate) fn familiar(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_familiar"));
    command.current_dir(folder).args(arguments);
    command
}

/// A benchmark `b` in the folder, with so many pairs.
fn benchmark(folder: &Path, count: usize) {
    assert!(familiar(folder, &["benchmark", "new", "b", "-q"]).status().expect("it runs").success());
    let rows = (0..count).map(|at| {
        json!({"id": format!("p{at}"), "seed_id": "s", "prompt": "p", "lang1": "python", "lang2": "java", "code1": HOSTILE,
            "code2": format!("int f{at}() {{ return {at}; }}"), "band": "cross-language"})
        .to_string()
    });
    fs::write(folder.join("b/pairs.jsonl"), rows.collect::<Vec<_>>().join("\n") + "\n").expect("pairs");
    let path = folder.join("b/benchmark.toml");
    let text = fs::read_to_string(&path).expect("settings");
    let text = text
        .replace("\ngroups = []", "\ngroups = [[\"ada\", \"bob\"]]")
        .replace("twice = 0.1", "twice = 1.0");
    fs::write(path, text).expect("settings");
}

/// Checks a document, or a line of one, by one of the schemas of the documentation.
pub(crate) fn assert_valid(schema: &str, value: &Value) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../docs/formats/{schema}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).expect("a schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let error = validator.iter_errors(value).next().map(|it| it.to_string());
    assert_eq!(error, None, "{value}");
}

pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    /// The tokens that were printed.
    pub(crate) tokens: Vec<String>,
}

impl Server {
    fn start(folder: &Path) -> Self {
        Self::start_in(folder, "b")
    }

    pub(crate) fn start_in(folder: &Path, name: &str) -> Self {
        let mut command = familiar(folder, &["benchmark", "judge", name, "-q", "--listen", "127.0.0.1:0"]);
        let child = command.stdout(Stdio::piped()).spawn().expect("it starts");
        let mut server = Self { child, address: String::new(), tokens: Vec::new() };
        let lines = BufReader::new(server.child.stdout.take().expect("it is piped")).lines();
        for line in lines {
            let line = line.expect("text");
            if let Some(address) = line.strip_prefix("listening on http://") {
                address.clone_into(&mut server.address);
                return server;
            }
            server.tokens.extend(line.split_once('\t').map(|(_, token)| token.to_owned()));
        }
        panic!("the server says no address");
    }

    /// The status, the head and the body; none if the server is killed before it answers.
    pub(crate) fn ask(
        address: &str,
        token: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> Option<(u16, String, String)> {
        let mut stream = TcpStream::connect(address).ok()?;
        let body = body.to_string();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let head_lower = head.to_lowercase();
        let length = head_lower.split("content-length: ").nth(1).and_then(|it| it.split("\r\n").next());
        let length: usize = length.map_or(Some(0), |it| it.parse().ok())?;
        let status = head.split(' ').nth(1)?.parse().ok()?;
        (body.len() == length).then(|| (status, head.to_owned(), body.to_owned()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGKILL.
        let _gone = self.child.kill();
        let _waited = self.child.wait();
    }
}

/// Judges until the server is gone or there is no pair. Gives the names of pairs whose judgement the server has confirmed.
fn judge(address: &str, token: &str, stop: &AtomicBool) -> Vec<String> {
    let mut kept = Vec::new();
    while !stop.load(Ordering::Relaxed) {
        let Some((200, _, body)) = Server::ask(address, token, "POST", "/api/next", &json!({})) else {
            break;
        };
        let next: Value = serde_json::from_str(&body).expect("JSON");
        let Some(id) = next["pair"]["pair_id"].as_str() else { break };
        let said = json!({"said": {"pair_id": id, "verdict": "true", "comment": "line\n\"quoted\"", "seconds": 3.0}});
        match Server::ask(address, token, "POST", "/api/judgements", &said) {
            Some((200, ..)) => kept.push(id.to_owned()),
            Some((status, _, body)) => panic!("{status} {body}"),
            None => break,
        }
    }
    kept
}

#[test]
#[ignore = "long"]
fn two_judges_lose_nothing_when_the_server_is_killed_50_times() {
    let folder = tempfile::tempdir().expect("a folder");
    benchmark(folder.path(), 3000);
    let mut server = Server::start(folder.path());
    let tokens = server.tokens.clone();
    assert_eq!(tokens.len(), 2);
    let mut kept: [Vec<String>; 2] = Default::default();
    for life in 0..50 {
        let stop = AtomicBool::new(false);
        let address = server.address.clone();
        std::thread::scope(|scope| {
            let [ada, bob] = [0, 1].map(|at| {
                let (address, token, stop) = (&address, &tokens[at], &stop);
                scope.spawn(move || judge(address, token, stop))
            });
            std::thread::sleep(std::time::Duration::from_millis(40 + life * 7 % 60));
            drop(server);
            stop.store(true, Ordering::Relaxed);
            kept[0].extend(ada.join().expect("ada judges"));
            kept[1].extend(bob.join().expect("bob judges"));
        });
        server = Server::start(folder.path());
        assert!(server.tokens.is_empty(), "tokens stay as they are");
    }
    drop(server);
    let log = fs::read_to_string(folder.path().join("b/judgements.jsonl")).expect("a log");
    let rows: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).expect("a whole row")).collect();
    for (judge, kept) in ["ada", "bob"].iter().zip(&kept) {
        assert!(!kept.is_empty());
        let there: Vec<&str> =
            rows.iter().filter(|it| it["judge"] == *judge).filter_map(|it| it["pair_id"].as_str()).collect();
        let lost: Vec<&String> = kept.iter().filter(|id| !there.contains(&id.as_str())).collect();
        assert!(lost.is_empty(), "{judge} lost {lost:?}");
    }
}

#[test]
fn the_page_is_strict_and_says_who_may_what() {
    let folder = tempfile::tempdir().expect("a folder");
    benchmark(folder.path(), 5);
    let server = Server::start(folder.path());
    let ask = |token: &str, method: &str, path: &str, body: &Value| {
        Server::ask(&server.address, token, method, path, body).expect("an answer")
    };
    let (status, head, page) = ask("", "GET", "/", &json!({}));
    assert_eq!(status, 200);
    assert!(head.contains("default-src 'none'") && head.contains("nosniff"), "{head}");
    assert!(page.contains("<label for=\"token\">"));
    assert_eq!(ask("fam_wrong", "POST", "/api/next", &json!({})).0, 401);
    assert_eq!(ask("", "POST", "/api/session", &json!({"token": "x"})).0, 401);
    let (status, head, _) = ask("", "POST", "/api/session", &json!({"token": server.tokens[0]}));
    assert!(status == 204 && head.contains("HttpOnly") && head.contains("SameSite=Strict"), "{head}");
    let (_, head, next) = ask(&server.tokens[0], "POST", "/api/next", &json!({}));
    assert!(head.contains("application/json"));
    let next: Value = serde_json::from_str(&next).expect("JSON");
    let text: String =
        next["pair"]["sides"][0].as_array().expect("pieces").iter().filter_map(|it| it[1].as_str()).collect();
    assert_eq!(text, HOSTILE, "the code comes as data");
    let said = json!({"said": {"pair_id": "p999", "verdict": "true"}});
    assert_eq!(ask(&server.tokens[0], "POST", "/api/judgements", &said).0, 409);
    assert_eq!(ask(&server.tokens[0], "POST", "/api/undo", &json!({})).0, 409);
    // Nobody else can open the judgements now.
    let second = familiar(folder.path(), &["benchmark", "judge", "b", "--listen", "127.0.0.1:0"])
        .output()
        .expect("it runs");
    assert!(!second.status.success() && String::from_utf8_lossy(&second.stderr).contains("somebody judges"));
    drop(server);
    let agree =
        familiar(folder.path(), &["benchmark", "agree", "b", "--format", "json"]).output().expect("it runs");
    let report: Value = serde_json::from_slice(&agree.stdout).expect("JSON");
    assert_valid("judging-1", &report);
    let size = familiar(folder.path(), &["benchmark", "agree", "b", "--sample-size", "0.5"])
        .output()
        .expect("it runs");
    assert_eq!(String::from_utf8_lossy(&size.stdout), "63 pairs in each of two groups\n");
}
