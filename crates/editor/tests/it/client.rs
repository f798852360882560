//! A client, and the workspaces that it opens.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use familiar_detect::CloneOptions;
use familiar_editor::{Configure, Connection, Ended, Incoming, Outgoing, Scope, Settings, Severity};
use lsp_server::{Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// Whoever waits so long waits for something that does not come.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) const TOTAL: &str = "def total(prices, taxes, discount):
    amount = 0
    for price, tax in zip(prices, taxes):
        amount += price * (1 + tax)
    if discount > amount:
        raise ValueError(discount)
    amount -= discount
    return round(amount, 2)
";

/// Settings that need no file.
pub(crate) struct Fixed {
    pub(crate) corpora: Vec<(String, PathBuf)>,
}

impl Configure for Fixed {
    fn settings(&self, folder: &Path, client: &Value) -> Result<Settings, String> {
        if let Some(wrong) = client.get("wrong") {
            return Err(format!("{wrong} is wrong"));
        }
        let min_lines = client.get("min-lines").and_then(Value::as_u64).unwrap_or(5) as u32;
        Ok(Settings {
            clones: CloneOptions {
                threads: 1,
                min_lines,
                paths: vec![folder.to_owned()],
                ..CloneOptions::default()
            },
            baseline: None,
            decisions: folder.join("decisions.json"),
            corpora: if client["corpora"] == false { Vec::new() } else { self.corpora.clone() },
            severity: Severity::Hint,
            scope: if client["scope"] == "workspace" { Scope::Workspace } else { Scope::Open },
            debounce: Duration::ZERO,
            author: "ada".to_owned(),
            files: Vec::new(),
        })
    }
}

pub(crate) struct Client {
    to_server: Sender<Incoming>,
    from_server: Receiver<Outgoing>,
    server: Option<JoinHandle<Ended>>,
    requests: i32,
    /// Notifications that nobody asked for yet.
    pub(crate) seen: Vec<Notification>,
    pub(crate) asked: Vec<Request>,
}

/// What a client can do that can all of it.
pub(crate) fn capabilities() -> Value {
    json!({
        "window": {"showDocument": {"support": true}},
        "general": {"positionEncodings": ["utf-8", "utf-16"]},
    })
}

impl Client {
    pub(crate) fn start(corpora: Vec<(String, PathBuf)>) -> Self {
        let (to_server, incoming) = crossbeam_channel::unbounded();
        let (outgoing, from_server) = crossbeam_channel::unbounded();
        let server = std::thread::spawn(move || {
            familiar_editor::run(Connection { incoming, outgoing }, Box::new(Fixed { corpora }))
        });
        let (seen, asked) = (Vec::new(), Vec::new());
        Self { to_server, from_server, server: Some(server), requests: 0, seen, asked }
    }

    /// A client that greeted the server and opened a folder.
    pub(crate) fn in_folder(folder: &Path, corpora: Vec<(String, PathBuf)>) -> Self {
        let mut client = Self::start(corpora);
        let params = json!({"processId": null, "rootUri": uri(folder), "capabilities": capabilities()});
        client.request("initialize", params).expect("the greeting is right");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn send(&self, incoming: Incoming) {
        self.to_server.send(incoming).expect("the server reads");
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        let notification = Notification { method: method.to_owned(), params };
        self.send(Incoming::Message(notification.into()));
    }

    fn next(&mut self) -> Outgoing {
        self.from_server.recv_timeout(PATIENCE).expect("the server answers")
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        self.send(Incoming::Message(Request { id: id.clone(), method: method.to_owned(), params }.into()));
        loop {
            match self.next() {
                Outgoing::Message(Message::Response(Response { id: other, response_result }))
                    if other == id =>
                {
                    return response_result.map_err(|error| format!("{}: {}", error.code, error.message));
                }
                other => self.keep(other),
            }
        }
    }

    fn keep(&mut self, outgoing: Outgoing) {
        match outgoing {
            Outgoing::Message(Message::Notification(notification)) => self.seen.push(notification),
            Outgoing::Message(Message::Request(request)) => self.asked.push(request),
            other => panic!("nobody asked for {other:?}"),
        }
    }

    /// The next refusal.
    pub(crate) fn refusal(&mut self) -> i32 {
        loop {
            match self.next() {
                Outgoing::Refusal(code, _) => return code,
                other => self.keep(other),
            }
        }
    }

    /// The params of the next notification that fits.
    pub(crate) fn notification(&mut self, method: &str, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            let fitting = |one: &Notification| one.method == method && fits(&one.params);
            if let Some(at) = self.seen.iter().position(fitting) {
                return self.seen.remove(at).params;
            }
            let next = self.next();
            self.keep(next);
        }
    }

    /// The next diagnostics of a file in a version.
    pub(crate) fn diagnostics(&mut self, file: &Path, version: i32) -> Vec<Value> {
        let uri = uri(file);
        let method = "textDocument/publishDiagnostics";
        let params = self.notification(method, |params| params["uri"] == uri && params["version"] == version);
        params["diagnostics"].as_array().expect("a list").clone()
    }

    pub(crate) fn open(&self, file: &Path, text: &str) {
        let document = json!({"uri": uri(file), "languageId": "python", "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub(crate) fn change(&self, file: &Path, version: i32, changes: &Value) {
        let document = json!({"uri": uri(file), "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    pub(crate) fn save(&self, file: &Path, text: &str) {
        std::fs::write(file, text).expect("it can be written");
        self.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(file)}, "text": text}));
    }

    /// Ends the conversation as it should end.
    pub(crate) fn end(mut self) -> Ended {
        self.request("shutdown", Value::Null).expect("it shuts down");
        self.notify("exit", Value::Null);
        self.server.take().expect("it ran").join().expect("it does not panic")
    }

    /// The requests that are answered until the server has ended.
    pub(crate) fn answered_to_the_end(&self) -> Vec<RequestId> {
        let mut answered = Vec::new();
        while let Ok(outgoing) = self.from_server.recv_timeout(PATIENCE) {
            if let Outgoing::Message(Message::Response(response)) = outgoing {
                answered.push(response.id);
            }
        }
        answered
    }

    /// Leaves without a word.
    pub(crate) fn leave(self) -> Ended {
        let Self { to_server, from_server: _from_server, server, .. } = self;
        drop(to_server);
        server.expect("it ran").join().expect("it does not panic")
    }
}

pub(crate) fn uri(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// A folder with files of these names and texts.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("the temporary folder can be written");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("it can be written");
    }
    folder
}

/// What matters of diagnostics: lines, code and message.
pub(crate) fn shown(diagnostics: &[Value]) -> Vec<(u64, u64, String, String)> {
    let line = |at: &Value| at["line"].as_u64().expect("a line");
    let text = |text: &Value| text.as_str().expect("a text").to_owned();
    let one = |one: &Value| {
        let range = &one["range"];
        (line(&range["start"]), line(&range["end"]), text(&one["code"]), text(&one["message"]))
    };
    diagnostics.iter().map(one).collect()
}

impl Client {
    /// Answers the next request of the server with this method.
    pub(crate) fn answer(&mut self, method: &str, result: Value) {
        loop {
            if let Some(at) = self.asked.iter().position(|request| request.method == method) {
                let request = self.asked.remove(at);
                return self.send(Incoming::Message(Response::new_ok(request.id, result).into()));
            }
            let next = self.next();
            self.keep(next);
        }
    }

    /// What the server asks with this method.
    pub(crate) fn asked_for(&mut self, method: &str) -> Value {
        loop {
            if let Some(request) = self.asked.iter().find(|request| request.method == method) {
                return request.params.clone();
            }
            let next = self.next();
            self.keep(next);
        }
    }

    /// Takes what comes until nothing more is to be done.
    pub(crate) fn wait_until_idle(&mut self) {
        self.request("workspace/executeCommand", json!({"command": "familiar.idle"})).expect("it is right");
    }
}
