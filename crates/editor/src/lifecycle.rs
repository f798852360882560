//! What a client says of itself, and how the settings that it has are asked for.

use std::path::PathBuf;

use gen_lsp_types::InitializeParams;
use lsp_server::Response;
use serde_json::{Value, json};

use crate::server::Server;
use crate::text::Encoding;
use crate::worker::Job;
use crate::{commands, uri};

/// What the server knows of its client.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) encoding: Encoding,
    pub(crate) shows_documents: bool,
    pub(crate) asks_reason: bool,
    gives_configuration: bool,
    watches_files: bool,
    /// Settings that came with the greeting.
    options: Value,
}

impl Client {
    /// Reads the greeting; an error says what is wrong with it.
    pub(crate) fn new(params: Value) -> Result<Self, String> {
        let folders = params.get("workspaceFolders").and_then(Value::as_array).cloned().unwrap_or_default();
        let mut roots: Vec<PathBuf> =
            folders.iter().filter_map(|folder| uri::to_path(folder.get("uri")?.as_str()?)).collect();
        if roots.is_empty() {
            roots.extend(params.get("rootUri").and_then(Value::as_str).and_then(uri::to_path));
        }
        let capability =
            |path: &str| params.pointer(&format!("/capabilities/{path}")) == Some(&Value::Bool(true));
        let (shows_documents, gives_configuration, watches_files) = (
            capability("window/showDocument/support"),
            capability("workspace/configuration"),
            capability("workspace/didChangeWatchedFiles/dynamicRegistration"),
        );
        let read: InitializeParams = serde_json::from_value(params).map_err(|error| error.to_string())?;
        let general = read.capabilities.general.as_ref();
        let encoding = Encoding::of(general.and_then(|general| general.position_encodings.as_deref()));
        let mut options = read.initialization_options.map(|options| json!(options)).unwrap_or_default();
        // The one key that is about the client, and no setting.
        let asks_reason = options.as_object_mut().and_then(|options| options.remove("ask-reason"));
        let asks_reason = asks_reason == Some(Value::Bool(true));
        Ok(Self {
            roots,
            encoding,
            shows_documents,
            asks_reason,
            gives_configuration,
            watches_files,
            options,
        })
    }

    /// What the server can do.
    pub(crate) fn answer(&self) -> Value {
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.kind(),
                "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": true}},
                "hoverProvider": true,
                "codeActionProvider": {"codeActionKinds": ["quickfix"]},
                "executeCommandProvider": {"commands": [commands::OPEN, commands::COMPARE, commands::ACCEPT]},
            },
            "serverInfo": {"name": "familiar", "version": env!("CARGO_PKG_VERSION")},
        })
    }
}

/// Asks for the settings under this name.
const SECTION: &str = "familiar";

impl Server {
    /// Begins to work: reads the tree, and asks to be told of files that change.
    pub(crate) fn initialized(&mut self) {
        let watches_files = self.client.as_ref().is_some_and(|client| client.watches_files);
        self.load();
        if watches_files {
            let options = json!({"watchers": [{"globPattern": "**/*"}]});
            let method = "workspace/didChangeWatchedFiles";
            let registration = json!({"id": "files", "method": method, "registerOptions": options});
            self.ask("register", "client/registerCapability", json!({"registrations": [registration]}));
        }
    }

    /// Reads settings and tree anew, with the settings of the client where it has some.
    pub(crate) fn load(&mut self) {
        if self.client.as_ref().is_some_and(|client| client.gives_configuration) {
            self.ask("configuration", "workspace/configuration", json!({"items": [{"section": SECTION}]}));
        } else {
            self.load_with(&Value::Null);
        }
    }

    /// Loads with settings of the client, which win over those of its greeting.
    fn load_with(&self, settings: &Value) {
        let mut client = self.client.as_ref().map(|client| client.options.clone()).unwrap_or_default();
        if let Some(settings) = settings.as_object() {
            if !client.is_object() {
                client = json!({});
            }
            for (name, value) in settings.iter().filter(|(_, value)| !value.is_null()) {
                client[name] = value.clone();
            }
        }
        self.job(Job::Load { client });
    }

    pub(crate) fn configuration_changed(&mut self, params: &Value) {
        match params.pointer("/settings/familiar") {
            Some(settings) if !self.client.as_ref().is_some_and(|client| client.gives_configuration) => {
                self.load_with(settings);
            }
            _ => self.load(),
        }
    }

    /// Takes the answer to something that the server asked.
    pub(crate) fn response(&mut self, response: Response) {
        let is_configuration = response.id.to_string().contains("configuration-");
        match response.response_result {
            Ok(result) if is_configuration => self.load_with(result.get(0).unwrap_or(&Value::Null)),
            Ok(_) => {}
            Err(error) => {
                self.log(&format!("the editor refused {}: {}", response.id, error.message));
                if is_configuration {
                    self.load_with(&Value::Null);
                }
            }
        }
    }
}
