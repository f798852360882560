//! How this program is started again, for what runs in processes of its own.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;

use anyhow::Context;

/// The script that starts this program, where it runs inside a process of another one.
static SCRIPT: OnceLock<PathBuf> = OnceLock::new();

/// Says which script started this program. What is said first counts.
pub(crate) fn is_started_by(script: Option<&OsString>) {
    if let Some(script) = script.and_then(|it| std::path::absolute(it).ok()) {
        let _ = SCRIPT.set(script);
    }
}

/// The file to start.
pub(crate) fn file() -> anyhow::Result<PathBuf> {
    match SCRIPT.get() {
        Some(script) => Ok(script.clone()),
        None => std::env::current_exe().context("the path of this program is not known"),
    }
}
