//! What the server says to its client.

use crossbeam_channel::Sender;
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};

use crate::wire::Outgoing;

/// The way to the client.
pub(crate) struct Talk {
    outgoing: Sender<Outgoing>,
    requests: u64,
}

impl Talk {
    pub(crate) fn new(outgoing: Sender<Outgoing>) -> Self {
        Self { outgoing, requests: 0 }
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        // Where nobody reads any more, the input ends, too.
        let _ = self.outgoing.send(Outgoing::Message(message.into()));
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
