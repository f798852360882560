//! What was left out, and why.

use serde::{Deserialize, Serialize};

/// A row or a file that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Path of the file, or `file:row`.
    pub path: String,
    pub reason: String,
}
