//! A small server of embeddings on this machine.
#![allow(dead_code)] // The tests of the command use a part.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// What was asked: the head of the request, and its body.
#[derive(Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Request {
    pub(crate) fn texts(&self) -> Vec<&str> {
        let input = self.body["input"].as_array().expect("a list of texts");
        input.iter().map(|text| text.as_str().expect("a text")).collect()
    }
}

/// What is sent for it: status, further headers, body.
pub(crate) struct Reply(pub(crate) u16, pub(crate) &'static str, pub(crate) String);

impl Reply {
    pub(crate) fn json(value: &Value) -> Self {
        Self(200, "Content-Type: application/json\r\n", value.to_string())
    }
}

/// How often each of the letters a to z is in a text.
pub(crate) fn letters(text: &str) -> Vec<f32> {
    let count = |letter: u8| text.bytes().filter(|byte| byte.to_ascii_lowercase() == letter).count() as f32;
    (b'a'..=b'z').map(count).collect()
}

/// An answer with the [`letters`] of each text, the last text first.
pub(crate) fn answer(request: &Request) -> Reply {
    let row = |(index, text): (usize, &str)| json!({ "index": index, "embedding": letters(text) });
    let rows: Vec<Value> = request.texts().into_iter().enumerate().map(row).rev().collect();
    Reply::json(&json!({ "data": rows, "model": request.body["model"] }))
}

/// Serves until the test ends.
pub(crate) struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
}

impl Server {
    /// Answers each request by `reply`, which is told how many there were before.
    pub(crate) fn start(reply: impl Fn(usize, &Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (shared, reply) = (Arc::clone(&requests), Arc::new(reply));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (shared, reply) = (Arc::clone(&shared), Arc::clone(&reply));
                // A client that goes away is no matter here.
                std::thread::spawn(move || drop(serve(&stream, &shared, &*reply)));
            }
        });
        Self { port, requests }
    }

    /// The URL and its model.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/v1#m", self.port)
    }

    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("no panic").clone()
    }
}

fn serve(
    mut stream: &TcpStream,
    requests: &Mutex<Vec<Request>>,
    reply: &dyn Fn(usize, &Request) -> Reply,
) -> io::Result<()> {
    let mut head = String::new();
    let mut reader = BufReader::new(stream);
    while reader.read_line(&mut head)? > 2 {}
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body)?;
    let request = Request { head, body: serde_json::from_slice(&body)? };
    let before = {
        let mut requests = requests.lock().expect("no panic");
        requests.push(request.clone());
        requests.len() - 1
    };
    let Reply(status, headers, body) = reply(before, &request);
    write!(
        stream,
        "HTTP/1.1 {status} X\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}
