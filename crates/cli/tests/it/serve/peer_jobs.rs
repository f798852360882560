//! Comparisons and audits in which other servers take part.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::peers::{asking, home, stranger};
use super::server::{CODE, Server, familiar, tar, token, told};

/// Code that few have, under another name and with other names in it.
const OTHER: &str = "def spread_of(samples):
    middle = sum(samples) / len(samples)
    total = 0.0
    for sample in samples:
        distance = sample - middle
        total += distance * distance
    if len(samples) < 2:
        raise ValueError('two samples at least')
    return (total / (len(samples) - 1)) ** 0.5
";

/// Code that was handed out.
const HANDED: &str = "def read_table(path, separator):
    rows = []
    with open(path) as lines:
        for line in lines:
            cells = line.strip().split(separator)
            if not cells or cells[0].startswith('#'):
                continue
            rows.append([float(cell) for cell in cells])
    if not rows:
        raise ValueError('nothing to read in ' + path)
    return rows
";

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("it has one")).expect("can be made");
        std::fs::write(path, text).expect("can be written");
    }
}

fn git(folder: &Path, arguments: &[&str], time: u64) {
    let time = format!("{time} +0000");
    let status = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"])
        .args(arguments)
        .envs([("GIT_AUTHOR_DATE", &time), ("GIT_COMMITTER_DATE", &time)])
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .status();
    assert!(status.expect("git runs").success());
}

/// Fills the corpus `world`: two trees with licenses, a history with a fork, and something that was handed out.
fn fill(home: &Path) {
    let sources = home.join("sources");
    let bsd = "SPDX-License-Identifier: BSD-3-Clause\n";
    write(
        &sources,
        &[
            ("tree/lib/mean.py", CODE),
            ("tree/LICENSE", "SPDX-License-Identifier: GPL-3.0-only\n"),
            ("other/mean.py", CODE),
            ("other/mean.py.license", "SPDX-License-Identifier: MIT\n"),
            ("handed/out.py", HANDED),
            (
                "unlike/far.py",
                "def far(a):\n    while a:\n        a = [b for b in a if b > 1]\n    return {c: 1 for c in 'xyz'}\n",
            ),
            ("old/spread.py", OTHER),
            ("old/LICENSE", bsd),
        ],
    );
    let old = sources.join("old");
    git(&old, &["init", "-q"], 1_300_000_000);
    git(&old, &["add", "."], 1_300_000_000);
    git(&old, &["commit", "-q", "-m", "first"], 1_300_000_000);
    write(&old, &[("spread.py", &OTHER.replace("two samples", "some samples")), ("more.py", CODE)]);
    git(&old, &["add", "."], 1_400_000_000);
    git(&old, &["commit", "-q", "-m", "second"], 1_400_000_000);
    git(&sources, &["clone", "-q", "old", "fork"], 1_400_000_000);
    for arguments in [
        &[
            "corpus",
            "add",
            "world",
            "sources/tree",
            "sources/other",
            "sources/unlike",
            "git:sources/old",
            "git:sources/fork",
        ][..],
        &["corpus", "add", "world", "--base", "sources/handed"],
    ] {
        told(home, &[arguments, &["--quiet"]].concat());
    }
}

/// What a job left, as it would be if the corpora of `lab` were here.
fn left(server: &Server, job: &Value) -> Value {
    let result = job["result"].as_str().unwrap_or_else(|| panic!("{job} {}", server.log()));
    let json = server.get(&format!("/api/v1/results/{result}/files/json"), "").text();
    serde_json::from_str(&json.replace("lab/world", "world")).expect("JSON")
}

fn run(server: &Server, path: &str, body: &Value) -> Value {
    let reply = server.post(path, "", body);
    assert_eq!(reply.status, 202, "{}", reply.text());
    server.ended(reply.json()["id"].as_str().expect("an identifier"), "")
}

/// Waits until something holds.
fn eventually(what: &str, holds: impl Fn() -> bool) {
    let start = std::time::Instant::now();
    while !holds() {
        assert!(start.elapsed() < std::time::Duration::from_secs(120), "never: {what}");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

/// A server that has the corpora `mine` and `world`, and one that has `mine` and knows of `world` by its peer `lab`.
fn servers() -> (tempfile::TempDir, tempfile::TempDir, Server, Server) {
    let (all, mine) = (home("mine", "here", CODE), home("mine", "here", CODE));
    fill(all.path());
    let whole = Server::start_in(all.path(), &[]);
    let part = asking(mine.path(), &[format!("lab=http://{}", whole.address())]);
    (all, mine, whole, part)
}

#[test]
#[ignore = "long"]
fn an_audit_says_what_it_says_where_all_corpora_are() {
    let (_all, _mine, whole, part) = servers();
    let files = [
        ("src/a.py", CODE),
        ("src/b.py", OTHER),
        ("src/c.py", HANDED),
        ("LICENSE", "SPDX-License-Identifier: MIT\n"),
    ];
    let mut audits = Vec::new();
    for (server, corpora) in [(&whole, ["mine", "world"]), (&part, ["mine", "lab/world"])] {
        let upload = server.upload("ours.tar", "", &tar(&files));
        let job = run(server, "/api/v1/audit", &json!({"uploads": [upload], "corpora": corpora}));
        audits.push(left(server, &job));
    }
    assert!(audits[0]["findings"].as_array().is_some_and(|all| all.len() >= 2), "{}", audits[0]);
    let text = audits[0].to_string();
    for told in ["GPL-3.0-only", "BSD-3-Clause", "commit-time", "\"family\":", "\"handed-out\":1"] {
        assert!(text.contains(told), "{told} in {text}");
    }
    assert_eq!(audits[0], audits[1]);
    // Nothing of it stays at the peer.
    for kind in ["uploads", "results"] {
        let reply = whole.get(&format!("/api/v1/{kind}"), "").json();
        assert_eq!(reply[kind].as_array().map(Vec::len), Some(1), "{reply}");
    }
}

#[test]
#[ignore = "long"]
fn clones_are_those_that_are_found_where_all_corpora_are() {
    let (_all, _mine, whole, part) = servers();
    let files = [
        ("ann/a.py", CODE),
        ("ann/c.py", HANDED),
        ("bob/b.py", OTHER),
        ("bob/c.py", HANDED),
        ("eve/c.py", "import math\n"),
    ];
    for types in [json!([1, 2, 3]), json!([1, 2, 3, 4])] {
        let mut found = Vec::new();
        for (server, corpora) in [(&whole, ["mine", "world"]), (&part, ["mine", "lab/world"])] {
            let upload = server.upload("hw.tar", "", &tar(&files));
            let body =
                json!({"uploads": [upload], "layout": "submissions", "corpora": corpora, "types": types});
            let clones = left(server, &server.clones("", &body));
            let place = |id: &Value| {
                let row = &clones["fragments"][id.as_u64().expect("a number") as usize];
                let root = &clones["settings"]["roots"][row["root"].as_u64().expect("a number") as usize];
                format!("{root}/{}:{}-{}", row["path"], row["start_line"], row["end_line"])
            };
            let pairs = clones["pairs"].as_array().expect("a list").iter();
            let pair = |pair: &Value| {
                format!(
                    "{} {} {} {}",
                    place(&pair["left"]),
                    place(&pair["right"]),
                    pair["type"],
                    pair["fingerprint"]
                )
            };
            found.push(pairs.map(pair).collect::<BTreeSet<String>>());
            assert!(!clones.to_string().contains("c.py"), "what was handed out is nobody's copy: {clones}");
        }
        assert!(found[0].len() >= 2, "{found:?}");
        assert_eq!(found[0], found[1]);
    }
}

#[test]
#[ignore = "long"]
fn who_takes_no_part_makes_the_result_partial() {
    let (mine, world) = (home("mine", "here", CODE), home("world", "there", CODE));
    let other = Server::start_in(world.path(), &[]);
    let silent = stranger(|_, _| std::thread::sleep(std::time::Duration::from_secs(30))).0;
    let id = "0123456789abcdefghjkmnpqrs";
    let answers = move |path: &str, excerpt: &[u8]| -> Vec<u8> {
        let body = match path {
            path if path.contains("/files/") => excerpt.to_vec(),
            path if path.contains("/jobs/") => {
                json!({"state": "done", "result": id}).to_string().into_bytes()
            }
            _ => json!({"id": id}).to_string().into_bytes(),
        };
        [
            format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())
                .as_bytes(),
            &body,
        ]
        .concat()
    };
    let speaks = |excerpt: &'static [u8]| {
        let answer = move |request: &str, stream: &mut std::net::TcpStream| {
            let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
            drop(stream.write_all(&answers(&path, excerpt)));
        };
        stranger(answer).0
    };
    let liar = speaks(b"{\"kind\":\"head\",\"schema\":\"familiar.excerpt/1\",\"sections\":[{\"corpus\":\"../../etc\",\"base\":false,\"posts\":false}]}\n{\"kind\":\"end\",\"lines\":1}\n");
    let torn = speaks(b"{\"kind\":\"head\",\"schema\":\"familiar.excerpt/1\",\"sections\":[{\"corpus\":\"x\",\"base\":false,\"posts\":false}]}\n");
    let wicked = stranger(|_, stream| {
        let body = json!({"id": "../../../admin"}).to_string();
        drop(write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len()));
    })
    .0;
    let flags = [
        format!("lab=http://{}", other.address()),
        format!("silent={silent}"),
        format!("liar={liar}"),
        format!("torn={torn}"),
        format!("wicked={wicked}"),
    ];
    let flags: Vec<&str> =
        flags.iter().flat_map(|peer| ["--peer", peer]).chain(["--peer-job-timeout", "8"]).collect();
    let server = Server::start_in(mine.path(), &flags);
    let upload = server.upload("a.py", "", CODE.as_bytes());
    let corpora = ["mine", "lab/world", "lab/none", "silent/x", "liar/x", "torn/x", "wicked/x"];
    let reasons = |corpora: &[&str]| {
        let job = run(&server, "/api/v1/audit", &json!({"uploads": [upload], "corpora": corpora}));
        let audit = left(&server, &job);
        let result =
            server.get(&format!("/api/v1/results/{}", job["result"].as_str().expect("one")), "").json();
        assert_eq!(result["unanswered"], audit["summary"]["unanswered"]);
        assert_eq!(result["partial"], json!(true));
        let page = format!("/reports/{}/data/head.js", job["result"].as_str().expect("one"));
        assert!(server.get(&page, "").text().contains("unanswered"));
        assert!(!audit["pairs"].as_array().expect("a list").is_empty(), "what is here");
        let all = result["unanswered"].as_array().expect("a list").iter();
        all.map(|one| {
            format!("{}: {}", one["peer"].as_str().expect("a name"), one["reason"].as_str().expect("words"))
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(
        reasons(&corpora),
        [
            "lab: it has no such corpus",
            "silent: it takes too long",
            "liar: its answer is about other corpora than it was asked for",
            "torn: its answer cannot be read: line 2 of the excerpt: the file ends within this line",
            "wicked: its answer cannot be read",
        ]
    );
    let alone = json!({"corpora": ["lab/world"]});
    assert_eq!(server.post("/api/v1/clones", "", &alone).status, 422);
    let as_peer = [("Familiar-Peer", "1"), ("Content-Type", "application/json")];
    let body = json!({"uploads": [upload], "corpora": ["lab/world"]}).to_string();
    assert_eq!(server.send("POST", "/api/v1/audit", &as_peer, body.as_bytes()).status, 404, "no circle");
}

#[test]
#[ignore = "long"]
fn servers_that_wait_for_each_other_come_to_an_end() {
    let (one, two) = (home("one", "here", CODE), home("two", "there", CODE));
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a free port").local_addr().expect("it listens");
    let first = asking(one.path(), &[format!("second=http://{port}")]);
    let flags = ["--peer", &format!("first=http://{}", first.address()), "--listen", &port.to_string()];
    let second = Server::start_with(two.path(), &flags);
    let mut jobs = Vec::new();
    for (server, corpus) in [(&first, "second/two"), (&second, "first/one")] {
        let upload = server.upload("a.py", "", CODE.as_bytes());
        for _ in 0..4 {
            let reply = server.post("/api/v1/audit", "", &json!({"uploads": [upload], "corpora": [corpus]}));
            assert_eq!(reply.status, 202, "{}", reply.text());
            jobs.push((server, reply.json()["id"].as_str().expect("an identifier").to_owned()));
        }
    }
    for (server, job) in jobs {
        let job = server.ended(&job, "");
        assert_eq!(job["state"], "done", "{job}");
        let result =
            server.get(&format!("/api/v1/results/{}", job["result"].as_str().expect("one")), "").json();
        assert_eq!((&result["partial"], &result["pairs"]), (&json!(false), &json!(1)), "{result}");
    }
}

#[test]
#[ignore = "long"]
fn a_job_that_waits_for_a_peer_is_cancelled_and_takes_everything_away() {
    let (mine, world) = (home("mine", "here", CODE), home("world", "there", CODE));
    let secret = token(world.path(), "apprentice", "upload");
    std::fs::write(mine.path().join("lab.token"), &secret).expect("can be written");
    let other = Server::start_in(world.path(), &[]);
    let peer = format!("lab=http://{}", other.address());
    let server = Server::start_in(mine.path(), &["--peer", &peer, "--peer-token-file", "lab=lab.token"]);
    // The peer is busy with something long first.
    let long = other.upload("long.py", &secret, CODE.repeat(20_000).as_bytes());
    let reply = other.post("/api/v1/clones", &secret, &json!({"uploads": [long], "types": [1, 2, 3, 4]}));
    let long = reply.json()["id"].as_str().expect("an identifier").to_owned();
    let upload = server.upload("a.py", "", CODE.as_bytes());
    let reply = server.post("/api/v1/audit", "", &json!({"uploads": [upload], "corpora": ["lab/world"]}));
    let job = reply.json()["id"].as_str().expect("an identifier").to_owned();
    let path = format!("/api/v1/jobs/{job}");
    let jobs = || other.get("/api/v1/jobs", &secret).json();
    eventually("the peer is asked", || jobs()["total"] == 2);
    assert_eq!(server.get(&path, "").json()["stage"], "asking peers");
    assert_eq!(server.delete(&path, "").json()["state"], "cancelled");
    let uploads = || other.get("/api/v1/uploads", &secret).json()["uploads"].as_array().map(Vec::len);
    eventually("its job is cancelled", || jobs()["jobs"][0]["state"] == "cancelled");
    eventually("what was sent is taken away", || uploads() == Some(1));
    other.delete(&format!("/api/v1/jobs/{long}"), &secret);
    assert!(familiar(mine.path(), &["corpus", "info", "mine"]).status().expect("it runs").success());
    assert!(!server.log().contains(&secret));
}
