//! The settings of the client and the folders that it has open, and what of them changes.

use lsp_server::Response;
use serde_json::{Value, json};

use super::Server;
use crate::worker::Job;

/// How requests for settings are named: those whose answer makes the tree be read, and those whose answer does so if it is news.
const CONFIGURATION: &str = "configuration";
const CHANGED: &str = "changed-configuration";

impl Server {
    /// Begins to work: reads the tree, and asks to be told of files and settings that change.
    pub(super) fn initialized(&mut self) {
        self.load();
        let Some(client) = &self.client else { return };
        let mut registrations = Vec::new();
        if client.watches_files {
            let options = json!({"watchers": [{"globPattern": "**/*"}]});
            let method = "workspace/didChangeWatchedFiles";
            registrations.push(json!({"id": "files", "method": method, "registerOptions": options}));
        }
        if client.watches_configuration {
            let (method, options) = ("workspace/didChangeConfiguration", json!({"section": client.section}));
            registrations.push(json!({"id": "settings", "method": method, "registerOptions": options}));
        }
        if !registrations.is_empty() {
            let params = json!({"registrations": registrations});
            self.talk.ask("register", "client/registerCapability", params);
        }
    }

    /// Reads settings and tree anew, with the settings of the client where it has some.
    pub(super) fn load(&mut self) {
        if !self.ask_configuration(CONFIGURATION) {
            self.load_with(&Value::Null, true);
        }
    }

    /// Asks the client for its settings; false where it gives none.
    fn ask_configuration(&mut self, kind: &str) -> bool {
        let client = self.client.as_ref().filter(|client| client.gives_configuration);
        let Some(section) = client.map(|client| client.section.clone()) else { return false };
        self.talk.ask(kind, "workspace/configuration", json!({"items": [{"section": section}]}));
        self.asked += 1;
        true
    }

    /// Lets those wait for the worker who want to know when all is done, once the worker knows all that it is to do.
    pub(super) fn let_wait(&mut self) {
        if self.asked == 0 {
            for id in std::mem::take(&mut self.held) {
                self.job(Job::Idle { id });
            }
        }
    }

    /// Loads with settings of the client, which win over those of its greeting. Unless it must be, only where they are others than
    /// before: editors tell of settings that are still the same.
    fn load_with(&mut self, settings: &Value, must: bool) {
        let Some(of_client) = &self.client else { return };
        let mut client = of_client.options.clone();
        if let Some(settings) = settings.as_object() {
            if !client.is_object() {
                client = json!({});
            }
            for (name, value) in settings.iter().filter(|(_, value)| !value.is_null()) {
                client[name] = value.clone();
            }
        }
        if must || self.configured.as_ref() != Some(&client) {
            let folders = of_client.folders.clone();
            self.configured = Some(client.clone());
            self.job(Job::Load { client, folders });
        }
    }

    pub(super) fn configuration_changed(&mut self, params: &Value) {
        if !self.ask_configuration(CHANGED) {
            let section = self.client.as_ref().map(|client| client.section.replace('.', "/"));
            let settings = section.and_then(|section| params.pointer(&format!("/settings/{section}")));
            self.load_with(settings.unwrap_or(&Value::Null), false);
        }
    }

    /// Takes the folders that the client opened and closed.
    pub(super) fn folders_changed(&mut self, params: &Value) {
        if let (Some(client), Some(event)) = (&mut self.client, params.get("event")) {
            client.folders_changed(event);
            self.load();
        }
    }

    /// Takes the answer to something that the server asked.
    pub(super) fn response(&mut self, response: Response) {
        let id = response.id.to_string();
        let (must, is_configuration) = (!id.contains(CHANGED), id.contains(CONFIGURATION));
        match response.response_result {
            Ok(result) if is_configuration => self.load_with(result.get(0).unwrap_or(&Value::Null), must),
            Ok(_) => {}
            Err(error) => {
                self.talk.log(&format!("the editor refused {id}: {}", error.message));
                if is_configuration {
                    self.load_with(&Value::Null, must);
                }
            }
        }
        if is_configuration {
            self.asked = self.asked.saturating_sub(1);
            self.let_wait();
        }
    }
}
