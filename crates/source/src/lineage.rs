//! What a history tells beside where code stands: which version replaced which, and what a project is.

use crate::BlobId;

/// A blob that came in the place of another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lineage {
    pub blob: BlobId,
    /// The blob that it replaced; the same blob, where a file was renamed. `None` takes back what was said before: it came
    /// where nothing stood.
    pub parent: Option<BlobId>,
    pub project: String,
    /// Path in the project, with `/`; bytes that are not UTF-8 percent-encoded.
    pub path: String,
    /// Where the parent stood, if elsewhere.
    pub parent_path: Option<String>,
    /// The revision that replaced it.
    pub revision: String,
}

/// A project with a history of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Project {
    pub project: String,
    /// Where it was cloned from.
    pub url: Option<String>,
    /// What keeps the history, such as `git`.
    pub kind: String,
    /// The commits without parents, in order. Projects that share one are forks of each other.
    pub roots: Vec<String>,
    pub commits: u64,
    /// Times of the first and the last commit, in seconds since 1970, UTC.
    pub first_commit: Option<i64>,
    pub last_commit: Option<i64>,
}
