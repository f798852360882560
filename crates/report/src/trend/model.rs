//! A trend as plain values, in the shape of `familiar.trend/1`.

use serde::Serialize;

use crate::Settings;

/// The schema's name and version.
pub const SCHEMA: &str = "familiar.trend/1";

/// How much of each tag is duplicated.
#[derive(Clone, Debug)]
pub struct TrendReport {
    pub settings: Settings,
    /// Whether the repository is a shallow clone, in which tags may be missing.
    pub shallow: bool,
    /// The oldest first.
    pub points: Vec<Point>,
    /// Tags that could not be read.
    pub skipped: Vec<SkippedTag>,
}

/// One tag.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Point {
    /// Without `refs/tags/`; bytes that are not UTF-8 are percent-encoded.
    pub tag: String,
    pub commit: String,
    /// When the commit was made, in UTC; none where the commit does not say.
    pub time: Option<String>,
    pub files: u64,
    pub lines: u64,
    /// Lines that some class covers, and their share of all lines, in [0, 1].
    pub duplicated_lines: u64,
    pub duplication: f64,
    pub classes: u64,
    /// Files that may be code and were not searched, such as generated ones.
    pub skipped: u64,
}

/// A tag that could not be read, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedTag {
    pub tag: String,
    pub reason: String,
}

impl Point {
    /// The day of the commit, or nothing.
    pub(super) fn day(&self) -> &str {
        self.time.as_deref().and_then(|time| time.split('T').next()).unwrap_or_default()
    }

    pub(super) fn percent(&self) -> f64 {
        self.duplication * 100.0
    }
}
