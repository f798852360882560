//! What a client says of itself, and what the server answers.

use std::path::PathBuf;

use gen_lsp_types::InitializeParams;
use serde_json::{Value, json};

use crate::text::Encoding;
use crate::{commands, uri};

/// What the server knows of its client.
#[derive(Debug)]
pub(crate) struct Client {
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) encoding: Encoding,
    pub(crate) shows_documents: bool,
    pub(crate) asks_reason: bool,
    pub(crate) gives_configuration: bool,
    pub(crate) watches_files: bool,
    /// Settings that came with the greeting.
    pub(crate) options: Value,
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
        let commands = [commands::OPEN, commands::COMPARE, commands::ACCEPT, commands::IDLE];
        json!({
            "capabilities": {
                "positionEncoding": self.encoding.kind(),
                "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": true}},
                "hoverProvider": true,
                "codeActionProvider": {"codeActionKinds": ["quickfix"]},
                "executeCommandProvider": {"commands": commands},
            },
            "serverInfo": {"name": "familiar", "version": env!("CARGO_PKG_VERSION")},
        })
    }
}
