//! The settings.

use familiar_files::dir::WalkOptions;

use crate::members::Members;
use crate::verify::VerifyOptions;

/// The settings of `familiar transform`.
#[derive(Clone)]
pub struct TransformOptions {
    /// Files, folders, archives or JSON lines, as a corpus takes them.
    pub sources: Vec<String>,
    pub recipe: Recipe,
    /// At which sites.
    pub at: At,
    /// Most variants of one source; 0: one for each transformation.
    pub count: usize,
    pub seed: u64,
    /// Run each program beside its source.
    pub verify: Option<VerifyOptions>,
    pub exclude: Vec<String>,
    pub no_ignore: bool,
    /// In bytes.
    pub memory: usize,
    pub threads: usize,
}

impl TransformOptions {
    pub(super) fn walk(&self) -> WalkOptions {
        WalkOptions { exclude: self.exclude.clone(), no_ignore: self.no_ignore, threads: self.threads }
    }
}

/// What is done to each program.
#[derive(Clone)]
pub enum Recipe {
    /// All of these, one after the other, where they apply.
    Steps(Members),
    /// Each of these alone, and then compositions of them.
    Set(Members),
}

/// At which sites a transformation is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    First,
    /// A variant for each site.
    Each,
    All,
}
