//! Which compilers and interpreters are there.

use familiar_source::Language;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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

/// An executable with the folders that it reads.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) executable: PathBuf,
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) version: String,
}

impl Found {
    pub(crate) fn toolchain(&self, language: Language) -> Toolchain {
        Toolchain {
            language: language.name().to_owned(),
            path: self.executable.clone(),
            version: self.version.clone(),
        }
    }
}

/// All files of that name in the folders of PATH.
pub(crate) fn in_path(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let candidates = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    candidates.map(|folder| folder.join(name)).filter(|file| file.is_file()).collect()
}

/// What a command prints, if it succeeds. The command is one that the user has installed, so it runs unconfined.
pub(crate) fn said(program: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Interpreters of Python in PATH, the first first. Those older than 3.9 are left out.
pub(crate) fn pythons() -> Vec<Found> {
    const QUESTION: &str = "import sys; assert sys.version_info >= (3, 9); \
        print(sys.executable, sys.prefix, sys.base_prefix, sys.version, sep='\\n')";
    let mut found: Vec<Found> = Vec::new();
    for candidate in in_path("python3") {
        let Some(answer) = said(&candidate, &["-I", "-c", QUESTION]) else { continue };
        let mut lines = answer.lines();
        let (Some(executable), Some(prefix), Some(base)) = (lines.next(), lines.next(), lines.next()) else {
            continue;
        };
        let executable = PathBuf::from(executable);
        if found.iter().any(|other| other.executable == executable) {
            continue;
        }
        let mut folders = vec![PathBuf::from(prefix), PathBuf::from(base)];
        folders.dedup();
        found.push(Found { executable, folders, version: lines.collect::<Vec<_>>().join(" ") });
    }
    found
}
