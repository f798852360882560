//! A copy of a repository on the net, from a server in this process that knows just enough of the protocol.

use std::io::{BufRead, BufReader, Read as _, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::sample::{Read, Sample, files, owned};
use crate::git::{Mirror, Place, Tip};
use crate::{Limits, Source};

/// A pack, and refs with their commits.
type Served = (Vec<u8>, Vec<(String, String)>);

/// Serves what is set at `/owner/name`, as long as the test runs; its address.
fn serve(served: Arc<Mutex<Served>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("it has one").to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &served.lock().expect("nobody panics with it"));
        }
    });
    address
}

fn line(text: &str) -> Vec<u8> {
    packet(text.as_bytes())
}

fn packet(bytes: &[u8]) -> Vec<u8> {
    [format!("{:04x}", bytes.len() + 4).as_bytes(), bytes].concat()
}

fn answer(mut stream: TcpStream, (pack, refs): &Served) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let (mut head, mut length) = (String::new(), 0);
    reader.read_line(&mut head).expect("a request");
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).expect("a header");
        let lower = header.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().expect("a number");
        }
        if header.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let asked = String::from_utf8_lossy(&body).into_owned();
    let (status, kind, sent) = if head.starts_with("GET /owner/name/info/refs?service=git-upload-pack ") {
        let lines = ["version 2\n", "agent=test\n", "ls-refs\n", "fetch=shallow\n", "object-format=sha1\n"];
        let lines: Vec<u8> = lines.iter().flat_map(|text| line(text)).collect();
        let sent = [line("# service=git-upload-pack\n"), b"0000".to_vec(), lines, b"0000".to_vec()].concat();
        ("200 OK", "advertisement", sent)
    } else if asked.contains("command=ls-refs") {
        // What is asked for is the start of a name, and no pattern.
        let prefixes: Vec<&str> = asked
            .lines()
            .filter_map(|line| line.split_once("ref-prefix "))
            .map(|(_, prefix)| prefix)
            .collect();
        let is_asked =
            |name: &str| prefixes.is_empty() || prefixes.iter().any(|prefix| name.starts_with(prefix));
        let refs = refs.iter().filter(|(name, _)| is_asked(name));
        let lines = refs.flat_map(|(name, commit)| line(&format!("{commit} {name}\n")));
        ("200 OK", "result", lines.chain(*b"0000").collect())
    } else if asked.contains("command=fetch") {
        let ready = [line("acknowledgments\n"), line("ready\n"), b"0001".to_vec()].concat();
        let parts = pack.chunks(60_000).flat_map(|part| packet(&[b"\x01", part].concat()));
        let sent = line("packfile\n").into_iter().chain(parts).chain(*b"0000");
        (
            "200 OK",
            "result",
            if asked.contains("done") { sent.collect() } else { ready.into_iter().chain(sent).collect() },
        )
    } else {
        ("404 Not Found", "result", Vec::new())
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/x-git-upload-pack-{kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        sent.len()
    );
    stream.write_all(&[head.as_bytes(), &sent].concat()).expect("the client listens");
}

#[test]
fn a_url_is_fetched_and_then_only_what_is_new() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one"), ("b.py", &"long ".repeat(40_000))]);
    let side = sample.commit(150, &[first], &[("c.py", "side")]);
    sample.branch("main", first);
    sample.branch("side", side);
    let served = Arc::new(Mutex::new(sample.served()));
    let address = serve(Arc::clone(&served));
    let mirror = Mirror { url: format!("http://{address}/owner/name"), exclude: Vec::new() };
    let read = Read::of(&mirror);
    let here = Read::of(&sample.source());
    let keys = |read: &Read| read.rows.keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&read), keys(&here));
    assert_eq!(read.row("one", "a.py").project, format!("{address}/owner/name"));
    assert_eq!(read.project.as_ref().and_then(|project| project.url.clone()), Some(mirror.url.clone()));

    let merged = sample.commit(200, &[first, side], &[("a.py", "two"), ("c.py", "side")]);
    sample.branch("main", merged);
    std::fs::remove_file(sample.path().join("refs/heads/side")).expect("it was made");
    *served.lock().expect("nobody panics with it") = sample.served();
    let now = Read::since(&mirror, &read);
    assert!(now.continues);
    assert_eq!(now.contents, ["two"]);
    sample.branch("main", first);
    *served.lock().expect("nobody panics with it") = sample.served();
    let anew = Read::since(&mirror, &now.after(&read));
    assert!(!anew.continues, "a branch that is gone there is gone here");
    assert_eq!(anew.rows.len(), 2);
}

#[test]
fn the_tip_of_a_url_is_what_its_head_has() {
    let sample = Sample::new();
    let first = sample.commit(100, &[], &[("a.py", "one")]);
    let second = sample.commit(200, &[first], &[("a.py", "two"), ("b/c.py", "c")]);
    sample.branch("trunk", second);
    sample.branch("main", first);
    let (pack, mut refs) = sample.served();
    refs.insert(0, ("HEAD".to_owned(), second.to_string()));
    let address = serve(Arc::new(Mutex::new((pack, refs))));
    let place = Place::Url(format!("http://{address}/owner/name"));
    let tip = Tip { place, exclude: Vec::new() };
    assert_eq!(files(&tip), [("a.py", "two"), ("b/c.py", "c")].map(owned));
}

#[test]
fn what_cannot_be_fetched_says_why() {
    let address = serve(Arc::default());
    for (url, says) in [
        (format!("http://{address}/other"), "it is not there"),
        ("http://127.0.0.1:1/a".to_owned(), "refused"),
        ("git://127.0.0.1:1/a".to_owned(), "refused"),
    ] {
        let source = Mirror { url: url.clone(), exclude: Vec::new() };
        let read = source.read(&Limits::default(), &mut |_| std::ops::ControlFlow::Continue(()));
        let error = read.expect_err("it cannot be fetched").to_string();
        assert!(error.starts_with(&url) && error.contains(says), "{error}");
    }
}
