//! A server's vectors, and what is said where it has none.

use std::time::{Duration, Instant};

use crate::server::{Reply, Server, answer, letters};
use familiar_encoders::{Api, Connection};
use familiar_model::{Code, Encoder};
use familiar_source::Language;
use serde_json::json;

fn quick() -> Connection {
    Connection { pause: Duration::from_millis(1), ..Connection::default() }
}

fn open(server: &Server) -> Api {
    Api::open(&server.address(), &quick()).expect("the server answers")
}

fn codes<'c>(texts: &[&'c str]) -> Vec<Code<'c>> {
    texts.iter().map(|text| Code { language: Language::Python, text: text.as_bytes() }).collect()
}

/// The message of what fails where the server answers the probe, and everything after it by `reply`.
fn message(reply: impl Fn() -> Reply + Send + Sync + 'static) -> String {
    let server = Server::start(move |before, request| if before == 0 { answer(request) } else { reply() });
    open(&server).encode(&codes(&["ab", "c"])).expect_err("the answer is of no use").to_string()
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part} is missing in: {message}");
    }
}

#[test]
fn vectors_come_in_the_order_of_the_texts() {
    let server = Server::start(|_, request| answer(request));
    let api = open(&server);
    assert_eq!((api.name(), api.dimensions()), (format!("api:{}", server.address()).as_str(), 26));
    let texts: Vec<String> = (0..200_u8).map(|at| "a".repeat(1 + at as usize) + "bc").collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let vectors = api.encode(&codes(&texts)).expect("it answers");
    for (text, row) in texts.iter().zip(vectors.rows()) {
        let letters = letters(text);
        let length = letters.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!(letters.iter().zip(row).all(|(letter, x)| (letter / length - x).abs() < 1e-5), "{text}");
    }
    let request = server.requests().pop().expect("it was asked");
    assert!(request.head.starts_with("POST /v1/embeddings HTTP/1.1\r\n"), "{}", request.head);
    assert_eq!((&request.body["model"], &request.body["encoding_format"]), (&json!("m"), &json!("float")));
}

#[test]
fn equal_texts_are_sent_once_and_blank_ones_never() {
    let server = Server::start(|_, request| answer(request));
    let vectors = open(&server).encode(&codes(&["ab", " \n\t", "", "ab", "c"])).expect("it answers");
    assert_eq!(server.requests()[1].texts(), ["ab", "c"]);
    assert_eq!(vectors.row(0), vectors.row(3));
    assert!(vectors.row(1).iter().chain(vectors.row(2)).all(|&x| x == 0.0));
    assert!(open(&server).encode(&codes(&["", " "])).is_ok_and(|vectors| vectors.len() == 2));
    assert!(open(&server).encode(&[]).is_ok_and(|vectors| vectors.is_empty()));
    assert_eq!(server.requests().len(), 4, "three probes and one question");
}

#[test]
fn the_key_is_sent_and_not_shown() {
    let server = Server::start(|_, _| Reply(401, "", "no such key:\n  hidden-key".to_owned()));
    let connection = Connection { key: Some("hidden-key".to_owned()), ..quick() };
    let error = Api::open(&server.address(), &connection).expect_err("it refuses").to_string();
    assert_says(&error, &["HTTP 401", "no such key: …", "FAMILIAR_API_KEY"]);
    let asked = server.requests();
    assert_eq!(asked.len(), 1);
    assert_says(&asked[0].head.to_ascii_lowercase(), &["authorization: bearer hidden-key\r\n"]);
}

#[test]
fn a_busy_server_is_asked_again_after_the_time_it_names() {
    let server = Server::start(|before, request| match before {
        0 => Reply(429, "Retry-After: 1\r\n", String::new()),
        1 => Reply(503, "", String::new()),
        _ => answer(request),
    });
    let start = Instant::now();
    assert_eq!(open(&server).dimensions(), 26);
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_server_that_fails_for_ever_is_given_up() {
    let server = Server::start(|_, _| Reply(500, "", "out of memory ".repeat(1000)));
    let error = Api::open(&server.address(), &quick()).expect_err("it fails").to_string();
    assert_says(&error, &["HTTP 500: out of memory", "(4 tries)", "/v1#m"]);
    assert!(error.len() < 400, "{error}");
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_slow_server_is_given_up() {
    let server = Server::start(|_, request| {
        std::thread::sleep(Duration::from_millis(400));
        answer(request)
    });
    let connection = Connection { timeout: Duration::from_millis(50), ..quick() };
    let error = Api::open(&server.address(), &connection).expect_err("it is slow").to_string();
    assert_says(&error, &["does not answer within 0.05 s", "(4 tries)"]);
}

#[test]
fn a_server_that_is_not_there_is_named_without_credentials() {
    let address = "http://me:secret@127.0.0.1:9/v1?token=hidden#m";
    let error = Api::open(address, &quick()).expect_err("nobody listens").to_string();
    assert_says(&error, &["api:http://127.0.0.1:9/v1#m", "cannot reach", "is the server running?"]);
    assert!(!error.contains("secret") && !error.contains("hidden"), "{error}");
}

#[test]
fn an_address_that_is_none_is_refused() {
    let error = Api::open("localhost:80", &quick()).expect_err("no address").to_string();
    assert_says(&error, &["http:// or https://", "api:URL#MODEL"]);
}

#[test]
fn answers_of_no_use_are_told_apart() {
    let rows = |rows: serde_json::Value| Reply::json(&json!({ "data": rows }));
    let row = |index: usize, numbers: usize| json!({ "index": index, "embedding": vec![0.5; numbers] });
    assert_says(&message(|| Reply(200, "", "<html>hello".to_owned())), &["no JSON", "<html>hello"]);
    assert_says(
        &message(|| Reply(200, "", r#"{"error":"x"}"#.to_owned())),
        &["no embeddings", r#"{"error":"x"}"#],
    );
    assert_says(&message(move || rows(json!([row(0, 26)]))), &["1 vectors for 2 texts"]);
    assert_says(&message(move || rows(json!([row(0, 26), row(1, 25)]))), &["25 numbers after one of 26"]);
    assert_says(&message(move || rows(json!([row(0, 26), row(0, 26)]))), &["does not number"]);
    let null = || json!([{ "index": 0, "embedding": vec![None::<f32>; 26] }, { "index": 1, "embedding": vec![1e39; 26] }]);
    assert_says(&message(move || rows(null())), &["not finite"]);
    assert_says(&message(|| Reply(302, "Location: /v2\r\n", String::new())), &["HTTP 302", "redirects"]);
}
