//! What is audited, and how.

use std::path::PathBuf;

use familiar_detect::CloneOptions;
use familiar_source::Language;

use crate::policy::Policies;

/// The settings of `familiar audit`.
#[derive(Clone, Debug, Default)]
pub struct AuditOptions {
    /// How pairs are found; its paths and corpora say nothing here.
    pub clones: CloneOptions,
    /// Trees that are audited.
    pub trees: Vec<PathBuf>,
    /// Folders of corpora whose code is audited.
    pub corpora: Vec<PathBuf>,
    /// Code that is audited in the place of trees and corpora.
    pub snippet: Option<Snippet>,
    /// Folders of the corpora that it is compared with, and what the user called them.
    pub against: Vec<PathBuf>,
    pub against_names: Vec<String>,
    pub policies: Policies,
    /// Whether short and ubiquitous code counts.
    pub include_trivial: bool,
}

/// A piece of code that stands in no file.
#[derive(Clone, Debug, Default)]
pub struct Snippet {
    pub bytes: Vec<u8>,
    /// Where none is given: as its content tells.
    pub language: Option<Language>,
}
