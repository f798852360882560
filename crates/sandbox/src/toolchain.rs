//! What a compiler or an interpreter is to those who ask.

use serde::Serialize;
use std::path::PathBuf;

/// A compiler or an interpreter that works inside the sandbox.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct Toolchain {
    /// The language.
    pub language: String,
    /// Where it is.
    pub path: PathBuf,
    /// What it says of its version.
    pub version: String,
}
