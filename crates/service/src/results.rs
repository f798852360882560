//! What jobs left, kept until it is deleted.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::peers::Unanswered;
use crate::tasks::AuditCounts;

/// A result in numbers.
#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub(crate) struct Stored {
    pub(crate) id: String,
    pub(crate) owner: String,
    /// Of the job that left it.
    pub(crate) kind: String,
    pub(crate) title: String,
    /// Seconds since 1970.
    pub(crate) created: i64,
    /// Files that were searched.
    pub(crate) files: u64,
    /// Of an audit: findings.
    pub(crate) classes: u64,
    pub(crate) pairs: u64,
    /// Share of all lines that some class covers.
    pub(crate) duplication: f64,
    /// Of an audit: its findings by verdict, and by what the policy decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) verdicts: Option<AuditCounts>,
    /// What it takes on disk.
    pub(crate) bytes: u64,
    /// Whether servers that were to take part did not.
    pub(crate) partial: bool,
    pub(crate) unanswered: Vec<Unanswered>,
}

impl Stored {
    pub(crate) fn folder(&self, data: &Path) -> PathBuf {
        data.join("results").join(&self.id)
    }
}
