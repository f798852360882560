//! A small HTTP server on this machine.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What is sent for a request.
#[derive(Clone)]
pub(super) struct Reply {
    status: u16,
    headers: String,
    body: Vec<u8>,
    /// How many bytes of the body are not sent.
    cut: usize,
}

impl Reply {
    fn new(status: u16, headers: &str, body: Vec<u8>) -> Self {
        Self { status, headers: headers.to_owned(), body, cut: 0 }
    }

    pub(super) fn json(text: &str) -> Self {
        Self::new(200, "Content-Type: application/vnd.pypi.simple.v1+json\r\n", text.as_bytes().to_vec())
    }

    pub(super) fn html(text: &str) -> Self {
        Self::new(200, "Content-Type: text/html; charset=utf-8\r\n", text.as_bytes().to_vec())
    }

    pub(super) fn bytes(body: Vec<u8>) -> Self {
        Self::new(200, "", body)
    }

    pub(super) fn redirect(path: &str) -> Self {
        Self::new(302, &format!("Location: {path}\r\n"), Vec::new())
    }

    pub(super) fn status(status: u16) -> Self {
        Self::new(status, "", b"no".to_vec())
    }

    /// The same, broken off before its last bytes.
    pub(super) fn cut(self, bytes: usize) -> Self {
        Self { cut: bytes, ..self }
    }
}

#[derive(Default)]
struct State {
    /// What is sent for a path, one after another; the last again and again.
    replies: BTreeMap<String, VecDeque<Reply>>,
    /// Paths that were asked for, and the head of each request in lower case.
    requests: Vec<(String, String)>,
}

/// Serves until the test ends.
pub(super) struct Server {
    port: u16,
    state: Arc<Mutex<State>>,
}

impl Server {
    pub(super) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that goes away is no matter here.
                let _ = serve(&stream, &shared);
            }
        });
        Self { port, state }
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(super) fn on<const N: usize>(&self, path: &str, replies: [Reply; N]) {
        self.state.lock().expect("no panic").replies.insert(path.to_owned(), replies.into());
    }

    /// How often a path was asked for.
    pub(super) fn asked(&self, path: &str) -> usize {
        self.state.lock().expect("no panic").requests.iter().filter(|(asked, _)| asked == path).count()
    }

    /// The paths of the requests whose head has `part`.
    pub(super) fn requests(&self, part: &str) -> Vec<String> {
        let state = self.state.lock().expect("no panic");
        state.requests.iter().filter(|(_, head)| head.contains(part)).map(|(path, _)| path.clone()).collect()
    }
}

fn serve(mut stream: &TcpStream, state: &Mutex<State>) -> std::io::Result<()> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream);
    while reader.read_line(&mut head)? > 2 {}
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let reply = {
        let mut state = state.lock().expect("no panic");
        state.requests.push((path.clone(), head.to_ascii_lowercase()));
        match state.replies.get_mut(&path) {
            Some(replies) if replies.len() > 1 => replies.pop_front().expect("more than one"),
            Some(replies) => replies[0].clone(),
            None => Reply::status(404),
        }
    };
    let Reply { status, headers, body, cut } = reply;
    write!(
        stream,
        "HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    stream.write_all(&body[..body.len() - cut])
}
