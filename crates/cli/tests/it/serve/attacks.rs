//! Hostile names, archives, sources and requests.

use std::io::{Read, Write};

use serde_json::json;

use super::server::{CODE, Server, tar, tar_entry};

#[test]
fn names_of_uploads_stay_in_their_folder() {
    let server = Server::start(&[]);
    for (given, kept) in [
        ("..%2F..%2F..%2Fetc%2Fpasswd", "passwd"),
        ("%2Fetc%2Fcron.d%2Fa.py", "a.py"),
        ("..%5C..%5Ca.py", "a.py"),
        ("..", "upload"),
        ("", "upload"),
        ("%00.py", "_.py"),
        ("%3Cscript%3Ealert(1)%3C%2Fscript%3E.py", "script_.py"),
        (".bashrc", "bashrc"),
        ("-rf", "rf"),
    ] {
        let id = server.upload(given, "", b"x = 1\n");
        let folder = server.home().join("service/uploads").join(&id);
        let names: Vec<_> =
            std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.file_name()).collect();
        assert_eq!(names, [kept], "{given}");
    }
    assert!(!server.home().join("passwd").exists());
    let long = "a".repeat(3000);
    assert_eq!(server.send("POST", &format!("/api/v1/uploads?name={long}.py"), &[], b"x").status, 201);
}

#[test]
fn archives_write_nothing_outside_and_their_tricks_are_skips() {
    let server = Server::start(&[]);
    let mut archive = tar_entry(b"../../../../../../tmp/familiar-evil.py", b'0', CODE.as_bytes(), b"");
    archive.extend(tar_entry(b"/tmp/familiar-evil.py", b'0', CODE.as_bytes(), b""));
    archive.extend(tar_entry(b"a/link.py", b'2', b"", b"/etc/passwd"));
    archive.extend(tar_entry(b"a/hard.py", b'1', b"", b"/etc/passwd"));
    archive.extend(tar_entry(b"a/device", b'3', b"", b""));
    archive.extend(tar_entry(b"a/pipe", b'6', b"", b""));
    archive.extend(tar_entry(b"a/\xff\xfe.py", b'0', CODE.as_bytes(), b""));
    archive.extend(tar(&[("a/good.py", CODE), ("b/good.py", CODE)]));
    let upload = server.upload("evil.tar", "", &archive);
    let job = server.clones("", &json!({"uploads": [upload]}));
    assert_eq!(job["state"], "done", "{job}");
    assert!(!std::path::Path::new("/tmp/familiar-evil.py").exists());
    let result = job["result"].as_str().expect("a result");
    let json = server.get(&format!("/api/v1/results/{result}/files/json"), "").text();
    assert!(json.contains("good.py") && !json.contains("root:"), "{json}");
}

#[test]
#[ignore = "long"]
fn bombs_are_bounded() {
    let server = Server::start(&["--most-unpacked", "1MiB", "--most-uploaded", "2MiB"]);
    // A hundred megabytes of nothing in some kilobytes.
    let zeros = vec![b' '; 100 << 20];
    let packed = zstd(&zeros);
    assert!(packed.len() < 100_000);
    let upload = server.upload("bomb.py.zst", "", &packed);
    let job = server.clones("", &json!({"uploads": [upload]}));
    assert_eq!(job["state"], "done", "{job}");
    // Archives in archives in archives.
    let mut nested = tar(&[("a.py", CODE)]);
    for _ in 0..12 {
        let mut outer = tar_entry(b"inner.tar", b'0', &nested, b"");
        outer.extend([0; 1024]);
        nested = outer;
    }
    let upload = server.upload("nested.tar", "", &nested);
    assert_eq!(server.clones("", &json!({"uploads": [upload]}))["state"], "done");
    // Cut off, and no archive at all but by its name.
    let cut = &tar(&[("a.py", CODE), ("b.py", CODE)])[..1200];
    for (name, bytes) in [("cut.tar", cut), ("lie.zip", b"PK\x03\x04lie".as_slice()), ("empty.tar", b"")] {
        let upload = server.upload(name, "", bytes);
        let job = server.clones("", &json!({"uploads": [upload]}));
        assert!(["done", "failed"].contains(&job["state"].as_str().expect("a state")), "{job}");
        assert!(!job.to_string().contains(&*server.home().to_string_lossy()), "{job}");
    }
    // More than is left, told in advance and not told.
    let large = vec![b'a'; 3 << 20];
    assert_eq!(server.send("POST", "/api/v1/uploads?name=a.py", &[], &large).status, 413);
    let mut chunked = b"POST /api/v1/uploads?name=a.py HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for _ in 0..3 {
        chunked.extend(b"100000\r\n");
        chunked.extend(&large[..1 << 20]);
        chunked.extend(b"\r\n");
    }
    assert!(server.raw(&chunked).is_none_or(|reply| reply.status == 413));
    assert_eq!(server.get("/health", "").status, 200);
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).expect("it is packed")
}

#[test]
fn hostile_names_and_code_stay_text_in_reports() {
    let server = Server::start(&[]);
    let name = "</script><script>alert(1)</script><img src=x onerror=alert(2)>.py";
    let code = format!("{CODE}\n# </script><script>alert(3)</script>\nx = '<!-- {{{{7*7}}}}'\n");
    let path = [format!("a/{name}"), format!("b/{name}")];
    let upload = server.upload("x.tar", "", &tar(&[(&path[0], &code), (&path[1], &code)]));
    let job = server.clones("", &json!({"uploads": [upload]}));
    let result = job["result"].as_str().unwrap_or_else(|| panic!("{job}"));
    let folder = server.home().join("service/results").join(result).join("report");
    for entry in std::fs::read_dir(folder.join("data")).expect("a folder").flatten() {
        let text = std::fs::read_to_string(entry.path()).expect("text").to_ascii_lowercase();
        assert!(!text.contains("</script") && !text.contains("<!--"), "{:?}", entry.path());
    }
    let index = std::fs::read_to_string(folder.join("index.html")).expect("text");
    assert!(!index.contains("alert("), "{index}");
    for reply in [server.get(&format!("/reports/{result}/index.html"), ""), server.get("/api/v1/results", "")]
    {
        assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
        assert!(reply.header("content-security-policy").expect("a policy").contains("script-src 'self'"));
    }
    let download = server.get(&format!("/api/v1/results/{result}/files/markdown"), "");
    assert!(download.header("content-disposition").expect("a download").starts_with("attachment"));
}

#[test]
fn paths_lead_to_nothing_else() {
    let server = Server::start(&[]);
    let upload = server.upload("a.py", "", CODE.as_bytes());
    let job = server.clones("", &json!({"uploads": [upload]}));
    let result = job["result"].as_str().expect("a result");
    for path in [
        format!("/reports/{result}/../../../service.sqlite"),
        format!("/reports/{result}/..%2F..%2F..%2Fservice.sqlite"),
        format!("/reports/{result}/%2e%2e/%2e%2e/%2e%2e/service.sqlite"),
        format!("/reports/{result}/..%5C..%5Cservice.sqlite"),
        format!("/reports/{result}/%2Fetc%2Fpasswd"),
        format!("/reports/{result}/data/head.js%00.html"),
        format!("/reports/{result}/data"),
        "/reports/../service.sqlite".to_owned(),
        format!("/reports/..%2Fresults%2F{result}/index.html"),
        format!("/api/v1/results/{result}/files/..%2F..%2F..%2Fservice.sqlite"),
        format!("/api/v1/results/{result}/files/clones.json"),
        "/api/v1/results/..%2F..%2Fservice".to_owned(),
        "/api/v1/jobs/..%2F..%2Flock".to_owned(),
        "/api/v1/corpora/..".to_owned(),
        "/api/v1/corpora/..%2F..%2Fetc".to_owned(),
        "/api/v1/corpora/%2Fetc".to_owned(),
        "/api/v1/corpora/service".to_owned(),
        "/api/v1/corpora/%ff%fe".to_owned(),
        "/api/v1/corpora/a%00b".to_owned(),
        "/api/docs/..%2F..%2FCargo.toml".to_owned(),
        "/assets/../../etc/passwd".to_owned(),
        "//etc/passwd".to_owned(),
    ] {
        let reply = server.get(&path, "");
        assert!([400, 404].contains(&reply.status), "{path}: {}", reply.head);
        assert!(!reply.text().contains("SQLite") && !reply.text().contains("root:"), "{path}");
    }
    for id in ["' OR 1=1 --", "%27%20OR%201%3D1%20--", "*", "%25"] {
        let path = format!("/api/v1/uploads/{}", id.replace(' ', "%20"));
        assert_eq!(server.delete(&path, "").status, 404, "{id}");
    }
    assert_eq!(server.get("/api/v1/uploads", "").json()["uploads"].as_array().expect("a list").len(), 1);
}

#[test]
fn sources_reach_neither_files_nor_the_house() {
    let server = Server::start(&[]);
    for source in [
        "/etc",
        "dir:/etc",
        "archive:/etc/passwd",
        "list:/etc/passwd",
        "git:/srv/repo",
        "git:file:///etc",
        "git:http://github.com/a/b",
        "git:ssh://git@github.com/a/b",
        "git:ext::sh -c id",
        "git:https://127.0.0.1/a",
        "git:https://169.254.169.254/latest/meta-data",
        "git:https://github.com@evil.example/a",
        "git:https://evil.example/a",
        "git:--upload-pack=id",
        "pypi:../../x",
        "pypi:--index-url=http://127.0.0.1",
        "npm:http://127.0.0.1/x",
        "pypi:a\nb",
    ] {
        let reply = server.post("/api/v1/corpora/new/sources", "", &json!({"sources": [source]}));
        assert_eq!(reply.status, 422, "{source}: {}", reply.text());
    }
    assert_eq!(server.get("/api/v1/jobs", "").json()["total"], 0);
    for name in ["..%2Fx", ".hidden", "service", "a%20b", "-x", &"x".repeat(65)] {
        let reply =
            server.post(&format!("/api/v1/corpora/{name}/sources"), "", &json!({"sources": ["pypi:a"]}));
        assert!([404, 422].contains(&reply.status), "{name}: {}", reply.text());
    }
}

#[test]
fn malformed_requests_are_told_what_is_wrong() {
    let server = Server::start(&[]);
    let deep = "[".repeat(100_000);
    for (kind, body, status) in [
        ("application/json", "", 400),
        ("application/json", "{", 400),
        ("application/json", deep.as_str(), 422),
        ("application/json", "\u{0}", 400),
        ("application/json", "[]", 422),
        ("application/json", "{\"code\": 1, \"corpus\": \"x\"}", 422),
        ("application/json", "{\"code\": \"x\", \"corpus\": \"x\", \"else\": 1}", 422),
        ("application/json", "{\"code\": \"x\", \"corpus\": \"../../etc\"}", 404),
        ("application/json", "{\"code\": \"x\", \"corpus\": \"x\", \"limit\": 99999999999999999999}", 422),
        ("application/json", "{\"code\": \"x\", \"code\": \"y\", \"corpus\": \"x\"}", 422),
        ("text/plain", "{\"code\": \"x\", \"corpus\": \"x\"}", 415),
        ("application/x-www-form-urlencoded", "code=x&corpus=x", 415),
        ("multipart/form-data; boundary=x", "--x\r\nbroken", 415),
    ] {
        let reply = server.send("POST", "/api/v1/find", &[("Content-Type", kind)], body.as_bytes());
        let start: String = body.chars().take(60).collect();
        assert_eq!(reply.status, status, "{kind} {start}: {}", reply.text());
        assert_eq!(reply.header("content-type"), Some("application/problem+json"), "{start}");
    }
    let huge = format!("{{\"code\": \"{}\", \"corpus\": \"x\"}}", "a".repeat(5 << 20));
    let reply = server.send("POST", "/api/v1/find", &[("Content-Type", "application/json")], huge.as_bytes());
    assert_eq!(reply.status, 413);
    let form = [("Content-Type", "multipart/form-data; boundary=\"\"")];
    assert_eq!(server.send("POST", "/api/v1/uploads?name=a", &form, b"--\r\n\r\n").status, 415);
    for path in
        ["/api/v1/jobs?limit=0", "/api/v1/jobs?limit=501", "/api/v1/jobs?offset=-1", "/api/v1/jobs?limit=a"]
    {
        assert_eq!(server.get(path, "").status, 400, "{path}");
    }
    for (method, path, status) in [
        ("PATCH", "/api/v1/find", 405),
        ("TRACE", "/health", 405),
        ("BREW", "/health", 405),
        ("GET", "/api/v2/find", 404),
        ("CONNECT", "/health", 405),
    ] {
        let reply = server.send(method, path, &[], b"");
        assert!([status, 404].contains(&reply.status), "{method} {path}: {}", reply.head);
    }
    let metrics = server.get("/metrics", "").text();
    assert!(!metrics.contains("BREW") && !metrics.contains("/api/v2"), "{metrics}");
}

#[test]
fn broken_protocol_harms_nobody() {
    let server = Server::start(&[]);
    let headers: String = format!("X: {}\r\n", "a".repeat(1000)).repeat(200);
    let many: String = "X: a\r\n".repeat(5000);
    for (what, request) in [
        ("large headers", format!("GET /health HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n")),
        ("many headers", format!("GET /health HTTP/1.1\r\nHost: localhost\r\n{many}\r\n")),
        ("a long path", format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(100_000))),
        ("no protocol", "hello\r\n\r\n".to_owned()),
        ("a header in a header", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: a\nb\0\r\n\r\n".to_owned()),
        (
            "two lengths",
            "POST /api/v1/find HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345".to_owned(),
        ),
        (
            "a length and chunks",
            "POST /api/v1/find HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\n\r\n"
                .to_owned(),
        ),
        (
            "a chunk without end",
            "POST /api/v1/find HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\nffffffffffffffff\r\n".to_owned(),
        ),
    ] {
        let mut stream = server.connect();
        let _ = stream.write_all(request.as_bytes());
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 4"), "{what}: {answer}");
        assert_eq!(server.get("/health", "").status, 200, "{what}");
    }
}

#[test]
fn silent_clients_and_many_streams_leave_room_for_others() {
    let server = Server::start(&["--jobs", "0"]);
    // Connections that say nothing, or stop in the middle.
    let mut silent: Vec<_> = (0..100).map(|_| server.connect()).collect();
    for stream in &mut silent {
        let _ = stream.write_all(b"GET /health HTT");
    }
    assert_eq!(server.get("/health", "").status, 200);
    // A job that waits, and more who follow it than may.
    let upload = server.upload("a.py", "", CODE.as_bytes());
    let job = server.post("/api/v1/clones", "", &json!({"uploads": [upload]})).json();
    let id = job["id"].as_str().expect("an identifier");
    let request = format!("GET /api/v1/jobs/{id}/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let mut refused = 0;
    let mut following = Vec::new();
    for _ in 0..300 {
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).expect("it is read");
        let mut start = [0; 12];
        if stream.read_exact(&mut start).is_ok() && &start == b"HTTP/1.1 503" {
            refused += 1;
        }
        following.push(stream);
    }
    assert!(refused >= 300 - 256, "{refused}");
    assert_eq!(server.get("/health", "").status, 200);
    drop(following);
    server.delete(&format!("/api/v1/jobs/{id}"), "");
}

#[test]
fn nobody_takes_all_of_the_server() {
    let server = Server::start(&["--jobs", "0", "--most-jobs", "3", "--rate", "20"]);
    let upload = server.upload("a.py", "", CODE.as_bytes());
    let body = json!({"uploads": [upload]});
    let statuses: Vec<u16> = (0..5).map(|_| server.post("/api/v1/clones", "", &body).status).collect();
    assert_eq!(statuses, [202, 202, 202, 429, 429]);
    let statuses: Vec<u16> = (0..300).map(|_| server.get("/api/v1/corpora", "").status).collect();
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    // Who only wants to know whether it runs is answered all the same, for others ask that.
    let limited = server.get("/api/v1/corpora", "");
    if limited.status == 429 {
        assert!(limited.header("retry-after").is_some());
    }
}

#[test]
fn logs_and_errors_hold_no_code_and_no_places() {
    let server = Server::start(&[]);
    let secret = "def very_secret_name_of_ours(a):\n    return a\n";
    server.post("/api/v1/find", "", &json!({"code": secret, "language": "python", "corpus": "none"}));
    let upload = server.upload("very_secret_name_of_ours.py", "", secret.as_bytes());
    server.clones("", &json!({"uploads": [upload]}));
    let log = server.log();
    assert!(log.contains("/api/v1/find") && !log.contains("very_secret_name"), "{log}");
    assert!(!log.contains(&upload), "{log}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_job_that_is_killed_fails_and_the_next_one_runs() {
    let server = Server::start(&[]);
    let upload = server.upload("a.py", "", CODE.repeat(20_000).as_bytes());
    let job = server.post("/api/v1/clones", "", &json!({"uploads": [upload], "types": [1, 2, 3, 4]})).json();
    let id = job["id"].as_str().expect("an identifier");
    let folder = server.home().join("service/jobs").join(id);
    let worker = || {
        let is_worker = |entry: &std::fs::DirEntry| {
            let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.windows(id.len()).any(|window| window == id.as_bytes())
        };
        std::fs::read_dir("/proc").expect("there").flatten().find(is_worker)
    };
    let worker = loop {
        if let Some(worker) = worker() {
            break worker.file_name().to_string_lossy().into_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    };
    let killed = std::process::Command::new("kill").args(["-9", &worker]).status().expect("kill is there");
    assert!(killed.success());
    let job = server.ended(id, "");
    assert_eq!(job["state"], "failed");
    assert!(job["error"].as_str().expect("a reason").contains("ended early"), "{job}");
    let small = server.upload("b.py", "", CODE.as_bytes());
    assert_eq!(server.clones("", &json!({"uploads": [small]}))["state"], "done");
    assert!(!folder.exists());
}

#[test]
fn a_server_that_changes_no_corpora_says_so() {
    let server = Server::start(&["--read-only"]);
    let reply = server.post("/api/v1/corpora/world/sources", "", &json!({"sources": ["pypi:a"]}));
    assert_eq!(reply.status, 403);
    assert!(reply.text().contains("--read-only"));
}
