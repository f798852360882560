//! A server that answers, fails, hesitates and lies; and what is kept of it.

use std::path::Path;
use std::time::{Duration, Instant};

use familiar_endpoint::{
    Answer, Chat, ChatError, ChatOptions, Connection, End, Limits, Prices, Question, RecordError,
};
use serde_json::{Value, json};

use crate::server::{Reply, Request, Server};

fn quick() -> Connection {
    Connection { pause: Duration::from_millis(1), ..Connection::default() }
}

/// A reply that says again what was asked.
fn echo(request: &Request) -> Reply {
    said(&request.body["messages"][0]["content"])
}

fn said(text: &Value) -> Reply {
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 10 });
    Reply::json(
        &json!({ "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }], "usage": usage }),
    )
}

struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    fn record(&self) -> std::path::PathBuf {
        self.folder.path().join("requests.jsonl")
    }

    fn open(&self, address: &str, options: ChatOptions) -> Chat {
        Chat::open(address, &quick(), &self.record(), options).expect("the file can be used")
    }
}

fn questions(count: u64) -> Vec<Question> {
    (0..count).map(|at| Question::new(format!("question {at}"))).collect()
}

fn texts(answers: &[Answer]) -> Vec<&str> {
    fn text(answer: &Answer) -> &str {
        match answer {
            Answer::Reply(reply) => &reply.text,
            Answer::Failed(reason) => reason,
        }
    }
    answers.iter().map(text).collect()
}

fn failure(reply: impl Fn() -> Reply + Send + Sync + 'static) -> (Result<Answer, ChatError>, usize) {
    let (project, server) = (Project::new(), Server::start(move |_, _| reply()));
    let answer = project.open(&server.address(), ChatOptions::default()).ask(&Question::new("x"));
    (answer, server.requests().len())
}

#[test]
fn a_request_has_the_form_that_servers_know() {
    let (project, server) = (Project::new(), Server::start(|_, request| echo(request)));
    let fields = vec![("seed".to_owned(), None), ("top_p".to_owned(), Some(json!(0.9)))];
    let chat = project.open(&server.address(), ChatOptions { fields, ..ChatOptions::default() });
    let question = Question { seed: Some(7), max_tokens: 50, ..Question::new("hello").at_temperature(0.8) };
    let Ok(Answer::Reply(reply)) = chat.ask(&question) else { panic!("it answers") };
    assert_eq!((reply.text.as_str(), reply.end, reply.tokens.all()), ("hello", End::Complete, 110));
    let request = server.requests().pop().expect("it was asked");
    assert!(request.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{}", request.head);
    let messages = json!([{ "role": "user", "content": "hello" }]);
    let expected =
        json!({ "model": "m", "messages": messages, "temperature": 0.8, "max_tokens": 50, "top_p": 0.9 });
    assert_eq!(request.body, expected);
}

#[test]
fn what_was_answered_is_never_asked_again() {
    let (project, server) = (Project::new(), Server::start(|_, request| echo(request)));
    let address = server.address();
    let all = questions(9);
    let first = project.open(&address, ChatOptions::default()).ask_all(&all[..5], &|_| {}).expect("answers");
    assert_eq!(texts(&first), ["question 0", "question 1", "question 2", "question 3", "question 4"]);
    let chat = project.open(&address, ChatOptions::default());
    assert_eq!(chat.spent().tokens.all(), 550);
    let again = chat.ask_all(&all, &|_| {}).expect("answers");
    assert_eq!(again.len(), 9);
    assert_eq!((server.requests().len(), chat.spent().answered, chat.spent().tokens.all()), (9, 9, 990));
    drop((chat, server));
    let kept = std::fs::read(project.record()).expect("it is there");
    let replayed = project.open(&address, ChatOptions { replay: true, ..ChatOptions::default() });
    assert_eq!(replayed.ask_all(&all, &|_| {}).expect("they are kept"), again);
    let other = Question { sample: 1, ..all[0].clone() };
    assert!(matches!(replayed.ask(&other), Err(ChatError::NotRecorded { .. })));
    assert_eq!(std::fs::read(project.record()).expect("it is there"), kept);
}

#[test]
fn a_busy_server_is_asked_again_after_the_time_it_names() {
    let (project, server) = (
        Project::new(),
        Server::start(|before, request| match before {
            0 => Reply(429, "Retry-After: 1\r\n", String::new()),
            1 => Reply(503, "", String::new()),
            2 => Reply::json(&json!({ "choices": [] })),
            _ => echo(request),
        }),
    );
    let start = Instant::now();
    let answer = project.open(&server.address(), ChatOptions::default()).ask(&Question::new("hello"));
    assert_eq!(texts(&[answer.expect("it answers in the end")]), ["hello"]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_slow_server_is_given_up() {
    let (project, server) = (
        Project::new(),
        Server::start(|_, request| {
            std::thread::sleep(Duration::from_millis(400));
            echo(request)
        }),
    );
    let connection = Connection { timeout: Duration::from_millis(50), tries: 2, ..quick() };
    let chat = Chat::open(&server.address(), &connection, &project.record(), ChatOptions::default());
    let error =
        chat.expect("it is not asked yet").ask(&Question::new("x")).expect_err("it is slow").to_string();
    assert!(error.contains("does not answer within 0.05 s") && error.contains("(2 tries)"), "{error}");
}

#[test]
fn what_no_other_request_would_change_ends_the_run() {
    type Case = (fn() -> Reply, &'static [&'static str]);
    let cases: [Case; 4] = [
        (|| Reply(401, "", "no such key".to_owned()), &["HTTP 401: no such key", "FAMILIAR_API_KEY"]),
        (|| Reply(404, "", "no model m".to_owned()), &["HTTP 404", "up to /chat/completions"]),
        (|| Reply(400, "", "unknown field seed".to_owned()), &["HTTP 400", "--field NAME=null"]),
        (|| Reply(200, "", "<!doctype html><p>Welcome".to_owned()), &["a page and no JSON: <!doctype html>"]),
    ];
    for (reply, expected) in cases {
        let (answer, asked) = failure(reply);
        let error = answer.expect_err("it ends the run").to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
        assert_eq!(asked, 1, "{error}");
    }
    let error =
        Chat::open("http://127.0.0.1:9#m", &quick(), &Project::new().record(), ChatOptions::default())
            .expect("it is not asked yet")
            .ask(&Question::new("x"))
            .expect_err("nobody listens")
            .to_string();
    assert!(error.contains("cannot reach http://127.0.0.1:9") && error.contains("(4 tries)"), "{error}");
    let once = Connection { tries: 1, ..quick() };
    let chat = Chat::open("http://127.0.0.1:9#m", &once, &Project::new().record(), ChatOptions::default());
    let error = chat.expect("it is not asked yet").ask(&Question::new("x")).expect_err("nobody listens");
    assert!(error.to_string().ends_with("(1 try)"), "{error}");
}

#[test]
fn an_answer_of_no_use_is_kept_as_a_failure() {
    type Case = (fn() -> Reply, &'static str, usize);
    let truncated = || Reply(200, "", "{\"choices\":[{\"message\":{\"con".to_owned());
    let cases: [Case; 4] = [
        (truncated, "the answer is no JSON (EOF", 4),
        (|| Reply(200, "", r#"{"error":{"message":"overloaded"}}"#.to_owned()), "overloaded", 4),
        (|| Reply(200, "", " ".repeat(50 << 20)), "/v1 is larger than 4 MiB", 1),
        (|| Reply(400, "", r#"{"error":{"code":"content_filter"}}"#.to_owned()), "content_filter", 1),
    ];
    for (reply, expected, requests) in cases {
        let (answer, asked) = failure(reply);
        let Ok(Answer::Failed(reason)) = answer else { panic!("{answer:?}") };
        assert!(reason.contains(expected), "{reason}");
        assert_eq!(asked, requests, "{reason}");
    }
}

#[test]
fn a_server_of_no_use_ends_the_run_after_some_answers() {
    let (project, server) = (Project::new(), Server::start(|_, _| Reply(200, "", "null".to_owned())));
    let connection = Connection { tries: 1, ..quick() };
    let options = ChatOptions { at_once: 1, ..ChatOptions::default() };
    let chat = Chat::open(&server.address(), &connection, &project.record(), options).expect("a file");
    let error = chat.ask_all(&questions(20), &|_| {}).expect_err("it is of no use").to_string();
    assert!(error.contains("8 answers in a row are of no use"), "{error}");
    assert_eq!((server.requests().len(), chat.spent().answered), (8, 7));
}

#[test]
fn no_request_passes_the_limits() {
    let (project, server) = (Project::new(), Server::start(|_, request| echo(request)));
    let limits = Limits { tokens: Some(1_000), cost: None };
    let chat = project.open(&server.address(), ChatOptions { limits, ..ChatOptions::default() });
    let all: Vec<Question> = questions(20).into_iter().map(|it| Question { max_tokens: 100, ..it }).collect();
    let error = chat.ask_all(&all, &|_| {}).expect_err("there are too many").to_string();
    assert!(error.contains("the limit of 1000 tokens is reached"), "{error}");
    let spent = chat.spent();
    assert!(spent.tokens.all() <= 1_000 && spent.answered >= 5, "{spent:?}");
    drop(chat);
    let limits = Limits { tokens: None, cost: Some(1.0) };
    let prices = Some(Prices { input: 1.0, output: 10.0 });
    let chat = project.open(&server.address(), ChatOptions { limits, prices, ..ChatOptions::default() });
    assert_eq!(chat.ask_all(&all, &|_| {}).expect("there is money").len(), 20);
    let spent = chat.spent();
    assert_eq!((spent.answered, spent.tokens.all(), server.requests().len()), (20, 2_200, 20));
    assert!((spent.cost.expect("prices") - 0.004).abs() < 1e-12, "{spent:?}");
}

#[test]
fn requests_at_a_time_do_not_end_a_run_early() {
    let all: Vec<Question> = questions(20).into_iter().map(|it| Question { max_tokens: 300, ..it }).collect();
    let answered = |at_once: usize| {
        let (project, server) = (
            Project::new(),
            Server::start(|_, request| {
                std::thread::sleep(Duration::from_millis(5));
                echo(request)
            }),
        );
        let limits = Limits { tokens: Some(1_500), cost: None };
        let options = ChatOptions { limits, at_once, ..ChatOptions::default() };
        let (answers, error) = project.open(&server.address(), options).ask_until_error(&all, &|_| {});
        assert!(matches!(error, Some(ChatError::Budget(_))), "{error:?}");
        answers.iter().flatten().count()
    };
    assert_eq!((answered(1), answered(8)), (11, 11));
}

#[test]
fn tries_without_a_reply_count_for_the_limits() {
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 50 });
    let project = Project::new();
    let server = Server::start(move |before, request| match before {
        0..2 => Reply::json(&json!({ "choices": [], "usage": usage })),
        2 => echo(request),
        _ => Reply::json(&json!({ "error": "no", "usage": usage })),
    });
    let address = server.address();
    let chat = project.open(&address, ChatOptions::default());
    chat.ask(&Question::new("a")).expect("it answers in the end");
    assert_eq!(chat.spent().tokens.all(), 2 * 150 + 110);
    chat.ask(&Question::new("b")).expect("it answers, and not well");
    let spent = chat.spent();
    assert_eq!((spent.answered, spent.tokens.all()), (2, 410 + 4 * 150));
    drop(chat);
    // A later run knows of them, and tries no more often than its limit allows.
    let limits = Limits { tokens: Some(1_010 + 500), cost: None };
    let chat = project.open(&address, ChatOptions { limits, ..ChatOptions::default() });
    assert_eq!(chat.spent(), spent);
    let question = Question { max_tokens: 300, ..Question::new("c") };
    let error = chat.ask(&question).expect_err("it is too much");
    assert!(matches!(error, ChatError::Budget(_)), "{error}");
    assert_eq!((server.requests().len(), chat.spent().tokens.all()), (7 + 2, 1_010 + 300));
}

#[test]
fn fields_of_the_user_count_for_the_limits() {
    let (project, server) = (Project::new(), Server::start(|_, request| echo(request)));
    let limits = Limits { tokens: Some(10_000), cost: None };
    let ask = |fields: &[(&str, Option<Value>)]| {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let chat = project.open(&server.address(), ChatOptions { fields, limits, ..ChatOptions::default() });
        chat.ask(&Question { max_tokens: 100, ..Question::new("x") }).expect_err("it is too much").to_string()
    };
    for fields in [("max_completion_tokens", Some(json!(50_000))), ("n", Some(json!(200)))] {
        assert!(ask(&[fields]).contains("the limit of 10000 tokens is reached"));
    }
    assert!(ask(&[("max_tokens", None)]).contains("--field max_completion_tokens=N"));
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn equal_questions_are_asked_once() {
    let (project, server) = (
        Project::new(),
        Server::start(|before, _| {
            std::thread::sleep(Duration::from_millis(50));
            said(&json!(format!("reply {before}")))
        }),
    );
    let address = server.address();
    let all = vec![Question::new("x"); 4];
    let answers = project.open(&address, ChatOptions::default()).ask_all(&all, &|_| {}).expect("answers");
    assert_eq!((texts(&answers), server.requests().len()), (vec!["reply 0"; 4], 1));
    let replayed = project.open(&address, ChatOptions { replay: true, ..ChatOptions::default() });
    assert_eq!(replayed.ask_all(&all, &|_| {}).expect("they are kept"), answers);
}

#[test]
fn a_forecast_counts_what_is_left() {
    let (project, server) = (Project::new(), Server::start(|_, request| echo(request)));
    let prices = Some(Prices { input: 1.0, output: 10.0 });
    let chat = project.open(&server.address(), ChatOptions { prices, ..ChatOptions::default() });
    let question = Question { max_tokens: 500, ..Question::new("x".repeat(276)) };
    let forecast = |times| chat.forecast(&[(question.clone(), times)], 200);
    let all = forecast(10);
    assert_eq!((all.requests, all.expected.all(), all.most.all()), (10, 3_000, 6_000));
    assert!((all.most_cost.expect("prices") - 0.051).abs() < 1e-12);
    chat.ask(&Question { sample: 3, ..question.clone() }).expect("it answers");
    assert_eq!((forecast(10).requests, forecast(3).requests), (9, 3));
}

#[test]
fn the_key_is_neither_shown_nor_kept() {
    let project = Project::new();
    let server = Server::start(|before, request| match before {
        0 => echo(request),
        _ => Reply(403, "", "hidden-key is blocked".to_owned()),
    });
    let connection = Connection { key: Some("hidden-key".to_owned()), ..quick() };
    let chat = Chat::open(&server.address(), &connection, &project.record(), ChatOptions::default());
    let chat = chat.expect("it is not asked yet");
    chat.ask(&Question::new("x")).expect("it answers");
    let error = chat.ask(&Question::new("y")).expect_err("it refuses").to_string();
    assert!(error.contains("HTTP 403: … is blocked"), "{error}");
    assert!(server.requests()[0].head.to_ascii_lowercase().contains("authorization: bearer hidden-key\r\n"));
    assert!(!std::fs::read_to_string(project.record()).expect("it is there").contains("hidden-key"));
}

#[test]
fn secrets_of_the_address_are_not_shown() {
    let project = Project::new();
    let server =
        Server::start(|_, _| Reply(403, "", "no hidden-key, no hidden word, no pass%20word".to_owned()));
    let address = server.address();
    let (url, model) = address.split_once('#').expect("a model");
    let address =
        format!("{}?key=hidden-key&x=1#{model}", url.replace("http://", "http://me:hidden%20word@"));
    let error =
        project.open(&address, ChatOptions::default()).ask(&Question::new("x")).expect_err("it refuses");
    assert!(!error.to_string().contains("hidden"), "{error}");
    assert!(error.to_string().contains("no …, no …, no pass"), "{error}");
}

#[test]
fn a_model_has_to_be_named() {
    let project = Project::new();
    let server = Server::start(|_, request| echo(request));
    let address = server.address();
    let url = address.split_once('#').expect("a model").0;
    for (address, wrong) in [
        (url.to_owned(), "--llm: it does not name a model"),
        (format!("{url}#"), "--llm: it does not name a model"),
        ("localhost#m".to_owned(), "--llm: it has to start with http"),
    ] {
        let chat = Chat::open(&address, &quick(), &project.record(), ChatOptions::default());
        let error = chat.err().expect("it is refused").to_string();
        assert!(error.contains(wrong) && error.contains("; give URL#MODEL, such as http://"), "{error}");
    }
    assert!(!project.record().exists(), "nothing is asked");
}

#[test]
fn what_is_no_file_of_requests_is_refused() {
    let project = Project::new();
    let open = |path: &Path| Chat::open("http://127.0.0.1:9#m", &quick(), path, ChatOptions::default());
    let error = open(project.folder.path()).err().expect("a folder is no file");
    assert!(
        matches!(error, ChatError::Record(RecordError::Write { .. } | RecordError::Read { .. })),
        "{error}"
    );
    #[cfg(unix)]
    assert!(open(Path::new("/dev/zero")).is_err(), "it never ends");
}
