//! Releases that are not whole, and those that are.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::error::DatasetError;
use crate::project::{Project, file};

/// How the name of a folder ends that is not whole. It begins with a dot, as no version does.
const ENDING: &str = ".unfinished";

/// Where a release stands until it is whole.
pub(super) fn folder(releases: &Path, version: &str) -> PathBuf {
    releases.join(format!(".{version}{ENDING}"))
}

/// Whether there is a whole release.
pub(crate) fn is_any(project: &Project) -> Result<bool, DatasetError> {
    Ok(folders_of(project)?.iter().any(|(name, _)| !name.starts_with('.')))
}

/// The folders of releases that were ended before they were whole. None are told of while a command writes into the benchmark, since one
/// may be growing.
pub(crate) fn unfinished(project: &Project) -> Result<Vec<PathBuf>, DatasetError> {
    let mut all = folders_of(project)?;
    all.retain(|(name, _)| name.starts_with('.') && name.ends_with(ENDING));
    if all.is_empty() || matches!(project.lock(), Err(DatasetError::Busy(_))) {
        return Ok(Vec::new());
    }
    Ok(all.into_iter().map(|(_, path)| path).collect())
}

/// What stands in the folder of releases, by name.
fn folders_of(project: &Project) -> Result<Vec<(String, PathBuf)>, DatasetError> {
    let path = project.path(file::RELEASES);
    let failed = |source| DatasetError::Read { path: path.clone(), source };
    let entries = match fs::read_dir(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut all = Vec::new();
    for entry in entries {
        let entry = entry.map_err(failed)?;
        all.push((entry.file_name().to_string_lossy().into_owned(), entry.path()));
    }
    all.sort();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kill_leaves_is_no_release() {
        let temporary = tempfile::tempdir().expect("a folder");
        let project = Project::create(&temporary.path().join("b")).expect("a benchmark");
        let all = || (is_any(&project).expect("it is read"), unfinished(&project).expect("it is read"));
        assert_eq!(all(), (false, Vec::new()));
        let left = folder(&project.path(file::RELEASES), "1.0");
        fs::create_dir_all(&left).expect("it is made");
        assert_eq!(all(), (false, vec![left]));
        let lock = project.lock().expect("nobody writes");
        assert_eq!(all(), (false, Vec::new()), "it may be growing");
        drop(lock);
        fs::create_dir(project.path(file::RELEASES).join("0.9")).expect("it is made");
        assert!(all().0);
    }
}
