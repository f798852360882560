//! What a client says of itself, and what the server answers.

use std::path::PathBuf;

use gen_lsp_types::InitializeParams;
use serde_json::{Value, json};

use crate::text::Encoding;
use crate::{commands, uri};

/// Settings are asked for under this name, unless the client names another.
const SECTION: &str = "familiar";

/// What the server knows of its client.
#[derive(Debug)]
pub(crate) struct Client {
    /// The folders that it has open, in its order.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) encoding: Encoding,
    pub(crate) shows_documents: bool,
    pub(crate) asks_reason: bool,
    pub(crate) gives_configuration: bool,
    pub(crate) watches_files: bool,
    /// Whether it tells of changed settings only if it is asked to.
    pub(crate) watches_configuration: bool,
    /// Where its settings stand.
    pub(crate) section: String,
    /// Settings that came with the greeting.
    pub(crate) options: Value,
}

impl Client {
    /// Reads the greeting; an error says what is wrong with it.
    pub(crate) fn new(params: Value) -> Result<Self, String> {
        let mut folders = folders_of(params.get("workspaceFolders"));
        if folders.is_empty() {
            folders.extend(params.get("rootUri").and_then(Value::as_str).and_then(uri::to_path));
        }
        let capability =
            |path: &str| params.pointer(&format!("/capabilities/{path}")) == Some(&Value::Bool(true));
        let (shows_documents, gives_configuration, watches_files, watches_configuration) = (
            capability("window/showDocument/support"),
            capability("workspace/configuration"),
            capability("workspace/didChangeWatchedFiles/dynamicRegistration"),
            capability("workspace/didChangeConfiguration/dynamicRegistration"),
        );
        let read: InitializeParams = serde_json::from_value(params).map_err(|error| error.to_string())?;
        let general = read.capabilities.general.as_ref();
        let encoding = Encoding::of(general.and_then(|general| general.position_encodings.as_deref()));
        let mut options = read.initialization_options.map(|options| json!(options)).unwrap_or_default();
        // Two keys are about the client, and no settings.
        let mut of_client = |key: &str| options.as_object_mut().and_then(|options| options.remove(key));
        let asks_reason = of_client("ask-reason") == Some(Value::Bool(true));
        let section = of_client("configuration-section");
        let section = section.as_ref().and_then(Value::as_str).unwrap_or(SECTION).to_owned();
        Ok(Self {
            folders,
            encoding,
            shows_documents,
            asks_reason,
            gives_configuration,
            watches_files,
            watches_configuration,
            section,
            options,
        })
    }

    /// Takes folders that were closed and opened.
    pub(crate) fn folders_changed(&mut self, event: &Value) {
        let removed = folders_of(event.get("removed"));
        self.folders.retain(|folder| !removed.contains(folder));
        for folder in folders_of(event.get("added")) {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
    }

    /// What the server can do.
    pub(crate) fn answer(&self) -> Value {
        let commands = [commands::OPEN, commands::COMPARE, commands::ACCEPT, commands::IDLE];
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.kind(),
                "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": true}},
                "hoverProvider": true,
                "codeActionProvider": {"codeActionKinds": ["quickfix"]},
                "executeCommandProvider": {"commands": commands},
                "workspace": {"workspaceFolders": {"supported": true, "changeNotifications": true}},
            },
            "serverInfo": {"name": "familiar", "version": env!("CARGO_PKG_VERSION")},
        })
    }
}

/// Folders as the protocol lists them.
fn folders_of(list: Option<&Value>) -> Vec<PathBuf> {
    let folders = list.and_then(Value::as_array).into_iter().flatten();
    folders.filter_map(|folder| uri::to_path(folder.get("uri")?.as_str()?)).collect()
}
