//! What has to be done to run a program.

use crate::Limits;
use crate::program::{Program, Test};
use crate::setup::Needs;
use crate::toolchain::Found;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What has to be done to run a program.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// Names and contents, written to the folder of the program.
    pub(crate) files: Vec<(&'static str, String)>,
    /// Commands that compile, each with its arguments. They run in the folder of the program.
    pub(crate) compile: Vec<Vec<OsString>>,
    /// Where the dynamic linker finds libraries that it would look for beside the program, by way of /proc.
    pub(crate) libraries: Option<PathBuf>,
    /// The command that runs it.
    pub(crate) run: Vec<OsString>,
    pub(crate) needs: Needs,
}

/// What a language asks for: the program, its test, the mark, and the folder.
pub(crate) struct Task<'a> {
    pub(crate) program: &'a Program,
    pub(crate) test: &'a Test,
    pub(crate) mark: &'a str,
    pub(crate) folder: &'a Path,
    pub(crate) found: &'a Found,
    pub(crate) limits: Limits,
}

impl Task<'_> {
    /// The path of a file in the folder.
    pub(super) fn file(&self, name: &str) -> OsString {
        self.folder.join(name).into()
    }
}

/// The first candidate for a command in PATH that says its version.
pub(super) fn by_version(name: &str, argument: &str, folders: impl Fn(&Path) -> Vec<PathBuf>) -> Vec<Found> {
    let found = |path: PathBuf| {
        let version = crate::toolchain::said(&path, &[argument])?;
        let executable = path.canonicalize().ok()?;
        let version = version.lines().next().unwrap_or_default().to_owned();
        Some(Found { folders: folders(&executable), executable, version })
    };
    crate::toolchain::in_path(name).into_iter().filter_map(found).collect()
}
