//! What was left out, and why.

use serde::Serialize;

/// A row or a file that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Path of the file, or `file:row`.
    pub path: String,
    pub reason: String,
}
