//! What the server is told: by `familiar.toml`, by the command line, and by the editor.

use std::path::{Path, PathBuf};
use std::time::Duration;

use familiar_detect::{Baseline, CloneOptions};
use gen_lsp_types::DiagnosticSeverity;
use serde_json::Value;

/// The settings for one workspace.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How clones are found. The folders of the workspace take the place of its paths.
    pub clones: CloneOptions,
    /// Findings that an earlier result holds.
    pub baseline: Option<Baseline>,
    /// The file of decisions. It need not exist.
    pub decisions: PathBuf,
    /// The corpora that are asked, by the names that the user gives them, with their folders.
    pub corpora: Vec<(String, PathBuf)>,
    pub severity: Severity,
    pub scope: Scope,
    /// How long the server waits after an edit for the next one.
    pub debounce: Duration,
    /// Who decides where a finding is accepted.
    pub author: String,
    /// Files whose change makes the settings be read again.
    pub files: Vec<PathBuf>,
}

/// Tells the settings of a workspace.
pub trait Configure: Send {
    /// The settings for a folder; `client` is what the editor says, an object whose keys are the names of settings, or null. An error
    /// is a message for the user.
    fn settings(&self, folder: &Path, client: &Value) -> Result<Settings, String>;
}

/// The files whose clones are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Those that the editor has open.
    #[default]
    Open,
    /// All of the workspace.
    Workspace,
}

impl Scope {
    pub const ALL: [(&'static str, Self); 2] = [("open", Self::Open), ("workspace", Self::Workspace)];
}

/// How urgent findings look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Severity {
    Warning,
    #[default]
    Information,
    Hint,
}

impl Severity {
    pub const ALL: [(&'static str, Self); 3] =
        [("information", Self::Information), ("warning", Self::Warning), ("hint", Self::Hint)];

    pub(crate) fn of_protocol(self) -> DiagnosticSeverity {
        match self {
            Self::Warning => DiagnosticSeverity::Warning,
            Self::Information => DiagnosticSeverity::Information,
            Self::Hint => DiagnosticSeverity::Hint,
        }
    }
}
