//! JavaScript, run by Node.js.

use super::plan::{Plan, Task, by_version};
use crate::program::Test;
use crate::setup::Needs;
use crate::toolchain::Found;
use std::path::Path;

const FRAME: &str = include_str!("frame.js");

pub(super) fn candidates() -> Vec<Found> {
    by_version("node", "--version", |path| {
        path.parent().and_then(Path::parent).map(Path::to_owned).into_iter().collect()
    })
}

pub(super) fn plan(task: &Task<'_>) -> Plan {
    let test = match task.test {
        Test::Asserts { code } => serde_json::json!({"asserts": code}),
        Test::Calls { function, inputs } => serde_json::json!({"function": function, "inputs": inputs}),
        Test::Values { calls, patience, .. } => serde_json::json!({"calls": calls, "patience": patience}),
        Test::Stdio { .. } => serde_json::json!({}),
    };
    let megabytes = (task.limits.memory >> 20).max(16);
    Plan {
        files: vec![
            ("program.js", task.program.text.clone()),
            ("test.json", test.to_string()),
            ("frame.js", FRAME.replace("@MARK@", task.mark)),
        ],
        compile: Vec::new(),
        run: vec![
            task.found.executable.clone().into(),
            format!("--max-old-space-size={megabytes}").into(),
            task.file("frame.js"),
        ],
        libraries: None,
        needs: Needs { threads: 24, memory: 256 << 20, addresses: 64 << 30, maps: false },
    }
}

/// The class of what ended Node.js itself.
pub(super) fn class(words: &str) -> Option<String> {
    words.contains("JavaScript heap out of memory").then(|| "OutOfMemory".to_owned())
}
