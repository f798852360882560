//! The conversation with one editor.

mod configuration;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, select};
use gen_lsp_types::{
    CodeActionParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandParams, FileChangeType, HoverParams,
};
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::answers::{Showing, whole_lines};
use crate::documents::{Documents, Edited};
use crate::findings::Finding;
use crate::greeting::Client;
use crate::settings::Configure;
use crate::talk::Talk;
use crate::wire::{Connection, Incoming, Outgoing};
use crate::worker::{Job, News, Worker};
use crate::{commands, uri};

/// How a conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client said goodbye.
    Orderly,
    /// The client left without a word, or before it asked the server to shut down.
    Abrupt,
}

/// Talks with one client until it goes.
pub fn run(connection: Connection, configure: Box<dyn Configure>) -> Ended {
    let mut configure = Some(configure);
    let mut server = Server::new(connection.outgoing);
    let (jobs, to_worker) = crossbeam_channel::unbounded();
    let (news, from_worker) = crossbeam_channel::unbounded();
    let (mut to_worker, mut news) = (Some(to_worker), Some(news));
    server.jobs = Some(jobs);
    loop {
        if let Some(ended) = server.turn(&connection.incoming, &from_worker) {
            server.jobs = None;
            return ended;
        }
        let is_ready = server.client.as_ref().is_some();
        if is_ready
            && let (Some(configure), Some(jobs), Some(news)) =
                (configure.take(), to_worker.take(), news.take())
        {
            let worker = Worker::new(jobs, news, configure);
            std::thread::spawn(move || worker.run());
        }
    }
}

struct Server {
    talk: Talk,
    jobs: Option<Sender<Job>>,
    client: Option<Client>,
    shut_down: bool,
    documents: Documents,
    showing: Showing,
    debounce: Duration,
    /// Settings of the client as the worker got them last, how often it was asked for them without an answer so far, and who waits for
    /// all that to be done.
    configured: Option<Value>,
    asked: usize,
    held: Vec<RequestId>,
    /// Files of settings.
    settings_files: Vec<PathBuf>,
    /// Documents that were edited, and when the worker is to get them.
    edited: BTreeMap<PathBuf, Instant>,
    /// Pages that compare. They go when the server ends.
    pages: Option<tempfile::TempDir>,
    written: usize,
}

impl Server {
    fn new(outgoing: Sender<Outgoing>) -> Self {
        Self {
            talk: Talk::new(outgoing),
            jobs: None,
            client: None,
            shut_down: false,
            documents: Documents::default(),
            showing: Showing::default(),
            debounce: Duration::ZERO,
            configured: None,
            asked: 0,
            held: Vec::new(),
            settings_files: Vec::new(),
            edited: BTreeMap::new(),
            pages: None,
            written: 0,
        }
    }

    /// Waits for the next thing to happen, and does what it asks for.
    fn turn(&mut self, incoming: &Receiver<Incoming>, from_worker: &Receiver<News>) -> Option<Ended> {
        let due = self.edited.values().min().copied();
        let wait = due.map_or(Duration::from_secs(3600), |due| due.saturating_duration_since(Instant::now()));
        select! {
            recv(incoming) -> message => match message {
                Ok(Incoming::Message(message)) => return self.message(message),
                Ok(Incoming::Broken(code, what)) => {
                    self.documents.message_lost();
                    self.refuse(code, what);
                }
                Err(_) => return Some(Ended::Abrupt),
            },
            recv(from_worker) -> news => if let Ok(news) = news {
                self.news(news);
            } else {
                // Without the worker there is nothing to show. Editors start a new server.
                self.talk.warn("the search ended unexpectedly");
                return Some(Ended::Abrupt);
            },
            default(wait) => {}
        }
        self.send_edited();
        None
    }

    fn job(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The worker ends after this end of the channel.
            let _ = jobs.send(job);
        }
    }

    fn refuse(&self, code: i32, what: String) {
        if self.client.is_some() {
            self.talk.warn(&what);
        }
        self.talk.refuse(code, what);
    }

    fn message(&mut self, message: Message) -> Option<Ended> {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(Notification { method, .. }) if method == "exit" => {
                return Some(if self.shut_down { Ended::Orderly } else { Ended::Abrupt });
            }
            Message::Notification(notification) => {
                if self.client.is_some() && !self.shut_down {
                    self.notification(notification);
                }
            }
            Message::Response(response) => self.response(response),
        }
        None
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let error =
            |code: ErrorCode, message: &str| Response::new_err(id.clone(), code as i32, message.to_owned());
        let answer = match (method.as_str(), self.client.is_some(), self.shut_down) {
            ("initialize", false, _) => self.initialize(&id, params),
            ("initialize", true, _) => error(ErrorCode::InvalidRequest, "the server is initialized already"),
            (_, false, _) => error(ErrorCode::ServerNotInitialized, "the server is not initialized yet"),
            (_, _, true) => error(ErrorCode::InvalidRequest, "the server is shut down"),
            ("shutdown", ..) => {
                self.shut_down = true;
                self.talk.refuse_owed();
                Response::new_ok(id, Value::Null)
            }
            ("textDocument/hover", ..) => self.answer(&id, params, Self::hover),
            ("textDocument/codeAction", ..) => {
                self.answer(&id, params, |server, params| server.code_action(&params))
            }
            ("workspace/executeCommand", ..) => match self.command(&id, params) {
                Some(answer) => answer,
                // The worker answers.
                None => return self.talk.owe(id),
            },
            _ => error(ErrorCode::MethodNotFound, &format!("the server does not know {method}")),
        };
        self.talk.send(answer);
    }

    fn initialize(&mut self, id: &RequestId, params: Value) -> Response {
        match Client::new(params) {
            Ok(client) => {
                let (encoding, shows_documents) = (client.encoding, client.shows_documents);
                self.showing = Showing {
                    encoding,
                    shows_documents,
                    asks_reason: client.asks_reason,
                    ..Showing::default()
                };
                let answer = Response::new_ok(id.clone(), client.answer());
                self.client = Some(client);
                answer
            }
            Err(error) => Response::new_err(id.clone(), ErrorCode::InvalidParams as i32, error),
        }
    }

    fn answer<P: DeserializeOwned>(
        &self,
        id: &RequestId,
        params: Value,
        answer: impl FnOnce(&Self, P) -> Value,
    ) -> Response {
        match serde_json::from_value(params) {
            Ok(params) => Response::new_ok(id.clone(), answer(self, params)),
            Err(error) => Response::new_err(id.clone(), ErrorCode::InvalidParams as i32, error.to_string()),
        }
    }

    fn hover(&self, params: HoverParams) -> Value {
        let at = params.text_document_position_params;
        let file = uri::to_path(&at.text_document.uri.0);
        let document = file.and_then(|file| self.documents.get(&file));
        json!(document.and_then(|document| self.showing.hover(document, at.position)))
    }

    fn code_action(&self, params: &CodeActionParams) -> Value {
        let file = uri::to_path(&params.text_document.uri.0);
        let actions = file.and_then(|file| {
            let document = self.documents.get(&file)?;
            Some(self.showing.actions(&file, document, params.range))
        });
        json!(actions.unwrap_or_default())
    }

    /// Does a command; none where the worker answers.
    fn command(&mut self, id: &RequestId, params: Value) -> Option<Response> {
        let invalid =
            |error: String| Some(Response::new_err(id.clone(), ErrorCode::InvalidParams as i32, error));
        let params: ExecuteCommandParams = match serde_json::from_value(params) {
            Ok(params) => params,
            Err(error) => return invalid(error.to_string()),
        };
        match commands::Request::read(&params.command, params.arguments) {
            Ok(commands::Request::Open { uri, lines }) => {
                self.show(&uri, json!({"takeFocus": true, "selection": whole_lines(lines)}));
                Some(Response::new_ok(id.clone(), Value::Null))
            }
            Ok(commands::Request::Compare { file, bytes, other }) => {
                self.job(Job::Compare { id: id.clone(), file, bytes, other });
                None
            }
            Ok(commands::Request::Accept { fingerprints, judgement, reason, place }) => {
                self.job(Job::Accept { id: id.clone(), fingerprints, judgement, reason, place });
                None
            }
            Ok(commands::Request::Idle) => {
                self.edited.values_mut().for_each(|due| *due = Instant::now());
                self.send_edited();
                self.held.push(id.clone());
                self.let_wait();
                None
            }
            Err(error) => invalid(error),
        }
    }

    /// Lets the editor show a file or a page.
    fn show(&mut self, uri: &str, mut params: Value) {
        params["uri"] = json!(uri);
        self.talk.ask("show", "window/showDocument", params);
    }

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        let read = match method.as_str() {
            "initialized" => {
                self.initialized();
                Ok(())
            }
            "textDocument/didOpen" => read(params).map(|params| self.opened(params)),
            "textDocument/didChange" => read(params).map(|params| self.changed(params)),
            "textDocument/didSave" => read(params).map(|params| self.saved(params)),
            "textDocument/didClose" => read(params).map(|params| self.closed(&params)),
            "workspace/didChangeWatchedFiles" => read(params).map(|params| self.files_changed(&params)),
            "workspace/didChangeConfiguration" => {
                self.configuration_changed(&params);
                Ok(())
            }
            "workspace/didChangeWorkspaceFolders" => {
                self.folders_changed(&params);
                Ok(())
            }
            // What a server does not know it may leave alone.
            _ => Ok(()),
        };
        if let Err(error) = read {
            self.talk.log(&format!("{method} is ignored: {error}"));
        }
    }

    fn opened(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let Some(file) = uri::to_path(&document.uri.0) else { return };
        let plain = uri::of_path(&file);
        if document.uri.0 != plain {
            // What it showed while it was closed had this name.
            self.publish_closed(&plain, &[]);
        }
        self.documents.open(file.clone(), document.uri.0, document.version, document.text);
        self.edited.insert(file, Instant::now());
    }

    fn changed(&mut self, params: DidChangeTextDocumentParams) {
        let id = params.text_document;
        let Some(file) = uri::to_path(&id.text_document_identifier.uri.0) else { return };
        let edited = self.documents.edit(&file, id.version, params.content_changes, self.showing.encoding);
        match edited {
            Edited::Changed => {
                let due = Instant::now() + self.debounce;
                self.edited.insert(file, due);
            }
            Edited::Lost(why) => {
                let what = format!("an edit of {} is ignored: {why}", file.display());
                self.talk.log(&format!("{what}; saving the file brings its text back"));
            }
        }
    }

    fn saved(&mut self, params: DidSaveTextDocumentParams) {
        let Some(file) = uri::to_path(&params.text_document.uri.0) else { return };
        if self.documents.saved(&file, params.text) {
            self.edited.insert(file.clone(), Instant::now());
        }
        self.send_edited();
        self.files_on_disk_changed(vec![file], false);
        self.job(Job::CheckAll);
    }

    fn closed(&mut self, params: &DidCloseTextDocumentParams) {
        let Some(file) = uri::to_path(&params.text_document.uri.0) else { return };
        self.edited.remove(&file);
        // Where the whole workspace is shown, the worker says what the file shows from now on.
        if let Some(document) = self.documents.close(&file) {
            self.publish_closed(&document.uri, &[]);
        }
        self.job(Job::Close { file });
    }

    fn files_changed(&mut self, params: &DidChangeWatchedFilesParams) {
        let came = params.changes.iter().any(|it| it.kind == FileChangeType::Created);
        let files = params.changes.iter().filter_map(|it| uri::to_path(&it.uri.0)).collect();
        self.files_on_disk_changed(files, came);
    }

    fn files_on_disk_changed(&mut self, files: Vec<PathBuf>, came: bool) {
        let is_settings = |file: &PathBuf| {
            file.file_name().is_some_and(|name| name == "familiar.toml")
                || self.settings_files.iter().any(|one| uri::is_same(one, file))
        };
        if files.iter().any(is_settings) {
            self.load();
        } else if !files.is_empty() {
            self.job(Job::Changed { files, came });
        }
    }

    /// Gives the worker the texts that have waited long enough.
    fn send_edited(&mut self) {
        let now = Instant::now();
        let due: Vec<PathBuf> =
            self.edited.iter().filter(|(_, due)| **due <= now).map(|(file, _)| file.clone()).collect();
        for file in due {
            self.edited.remove(&file);
            if let Some(document) = self.documents.get(&file) {
                let (version, text) = (document.version, document.bytes());
                self.job(Job::Text { file, version, text });
            }
        }
    }

    fn news(&mut self, news: News) {
        match news {
            News::Loaded { files, seconds, settings } => {
                self.debounce = settings.debounce;
                self.showing.severity = settings.severity;
                self.settings_files.clone_from(&settings.files);
                self.talk.log(&format!("{files} files of code were read in {seconds:.1} s"));
            }
            News::Problem(problem) => self.talk.warn(&problem),
            News::Note(note) => self.talk.log(&note),
            News::Idle { id } => self.talk.pay(id, Ok(Value::Null)),
            News::Findings { file, version, findings } => {
                if let Some(document) = self.documents.get_mut(&file).filter(|it| it.version == version) {
                    document.findings = findings;
                    self.publish(&file);
                }
            }
            News::Closed { file, findings } => {
                if self.documents.get(&file).is_none() {
                    self.publish_closed(&uri::of_path(&file), &findings);
                }
            }
            News::Elsewhere { file, version, found } => {
                let document = self.documents.get_mut(&file);
                if let Some(document) = document.filter(|it| it.version == version && it.elsewhere != found) {
                    document.elsewhere = found;
                    self.publish(&file);
                }
            }
            News::Accepted { id, result } => self.talk.pay(id, result.map(|()| Value::Null)),
            News::Page { id, result } => {
                let written = result.and_then(|(page, address)| self.write_page(&page, &address));
                if let Ok(uri) = &written {
                    self.show(uri, json!({"external": true}));
                }
                self.talk.pay(id, written.map(|uri| json!({"uri": uri})));
            }
        }
    }

    /// Writes a page; the URI of what of it is to be shown.
    fn write_page(&mut self, page: &[u8], address: &str) -> Result<String, String> {
        let cannot = |error: std::io::Error| format!("the page cannot be written: {error}");
        let pages = match self.pages.take() {
            Some(pages) => pages,
            None => tempfile::Builder::new().prefix("familiar-").tempdir().map_err(cannot)?,
        };
        self.written += 1;
        let path = pages.path().join(format!("compare-{}.html", self.written));
        self.pages = Some(pages);
        std::fs::write(&path, page).map_err(cannot)?;
        Ok(uri::of_path(&path) + address)
    }

    fn publish_closed(&self, uri: &str, findings: &[Finding]) {
        let params = json!({"uri": uri, "diagnostics": self.showing.of_closed(findings)});
        self.talk.notify("textDocument/publishDiagnostics", params);
    }

    fn publish(&self, file: &Path) {
        let Some(document) = self.documents.get(file) else { return };
        let diagnostics = self.showing.diagnostics(document);
        let params = json!({"uri": document.uri, "version": document.version, "diagnostics": diagnostics});
        self.talk.notify("textDocument/publishDiagnostics", params);
    }
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, serde_json::Error> {
    serde_json::from_value(params)
}
