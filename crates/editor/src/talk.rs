//! What the server says to its client.

use crossbeam_channel::Sender;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::wire::Outgoing;

/// The way to the client.
pub(crate) struct Talk {
    outgoing: Sender<Outgoing>,
    requests: u64,
    /// Requests of the client that the worker answers.
    owed: Vec<RequestId>,
}

impl Talk {
    pub(crate) fn new(outgoing: Sender<Outgoing>) -> Self {
        Self { outgoing, requests: 0, owed: Vec::new() }
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        // Where nobody reads any more, the input ends, too.
        let _ = self.outgoing.send(Outgoing::Message(message.into()));
    }

    /// Notes a request that is answered later.
    pub(crate) fn owe(&mut self, id: RequestId) {
        self.owed.push(id);
    }

    /// Answers a request that waits, unless it was told already that it waits in vain.
    pub(crate) fn pay(&mut self, id: RequestId, result: Result<Value, String>) {
        let Some(at) = self.owed.iter().position(|owed| *owed == id) else { return };
        self.owed.swap_remove(at);
        self.send(match result {
            Ok(value) => Response::new_ok(id, value),
            Err(error) => Response::new_err(id, ErrorCode::RequestFailed as i32, error),
        });
    }

    /// Tells all requests that wait that nobody will do what they ask for.
    pub(crate) fn refuse_owed(&mut self) {
        for id in std::mem::take(&mut self.owed) {
            let what = "the server was shut down before this was done".to_owned();
            self.send(Response::new_err(id, ErrorCode::RequestFailed as i32, what));
        }
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Asks the client for something. The answer names the request by `kind` and a number.
    pub(crate) fn ask(&mut self, kind: &str, method: &str, params: Value) {
        self.requests += 1;
        let id = RequestId::from(format!("{kind}-{}", self.requests));
        self.send(Request { id, method: method.to_owned(), params });
    }

    pub(crate) fn log(&self, text: &str) {
        self.notify("window/logMessage", json!({"type": 3, "message": text}));
    }

    pub(crate) fn warn(&self, text: &str) {
        self.notify("window/showMessage", json!({"type": 2, "message": format!("Familiar: {text}")}));
    }

    /// Answers what could not be read.
    pub(crate) fn refuse(&self, code: i32, what: String) {
        let _ = self.outgoing.send(Outgoing::Refusal(code, what));
    }
}
