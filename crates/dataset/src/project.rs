//! The folder of a benchmark.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::DatasetError;
use familiar_judging::Rules;

use crate::prompt::{Prompt, SHIPPED};
use crate::settings::Settings;

const SETTINGS: &str = "benchmark.toml";
const PROMPTS: &str = "prompts";

/// A benchmark in the making.
#[derive(Clone, Debug)]
pub struct Project {
    folder: PathBuf,
    pub settings: Settings,
    /// Those of the folder `prompts`, in the order of their names.
    pub prompts: Vec<Prompt>,
}

impl Project {
    /// Makes the folder of a new benchmark, with its settings and prompts.
    pub fn create(folder: &Path) -> Result<Self, DatasetError> {
        vacant(folder)?;
        let prompts = folder.join(PROMPTS);
        fs::create_dir_all(&prompts)
            .map_err(|source| DatasetError::Write { path: prompts.clone(), source })?;
        for (name, text) in SHIPPED {
            write(prompts.join(format!("{name}.toml")), text)?;
        }
        // The settings come last: with them the folder is a benchmark.
        write(folder.join(SETTINGS), &Settings::new(&name_of(folder)).text())?;
        Self::open(folder)
    }

    /// Makes the folder of pairs that are only judged.
    pub(crate) fn create_sample(folder: &Path, judge: Rules) -> Result<Self, DatasetError> {
        vacant(folder)?;
        fs::create_dir_all(folder)
            .map_err(|source| DatasetError::Write { path: folder.to_owned(), source })?;
        let settings = Settings { judge, ..Settings::new(&name_of(folder)) };
        write(folder.join(SETTINGS), &settings.text_of_sample())?;
        Self::open(folder)
    }

    pub fn open(folder: &Path) -> Result<Self, DatasetError> {
        let path = folder.join(SETTINGS);
        let text = fs::read_to_string(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                DatasetError::NoProject(folder.to_owned())
            }
            _ => DatasetError::Read { path: path.clone(), source },
        })?;
        let settings = Settings::read(&text).map_err(|reason| DatasetError::Settings { path, reason })?;
        Ok(Self { folder: folder.to_owned(), settings, prompts: prompts(&folder.join(PROMPTS))? })
    }

    /// Where a file of the project is.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// Keeps other commands from writing into the project until what this gives is dropped; fails where one writes now. A system that
    /// cannot lock files lets all of them write.
    pub(crate) fn lock(&self) -> Result<File, DatasetError> {
        let path = self.path(SETTINGS);
        let file = File::open(&path).map_err(|source| DatasetError::Read { path, source })?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(DatasetError::Busy(self.folder.clone())),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn prompt(&self, name: &str) -> Option<&Prompt> {
        self.prompts.iter().find(|prompt| prompt.name == name)
    }
}

/// Refuses a folder that has something in it.
pub(crate) fn vacant(folder: &Path) -> Result<(), DatasetError> {
    let is_empty = match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if is_empty { Ok(()) } else { Err(DatasetError::Exists(folder.to_owned())) }
}

fn name_of(folder: &Path) -> String {
    folder.file_name().map_or("benchmark".into(), |name| name.to_string_lossy()).into_owned()
}

fn write(path: PathBuf, text: &str) -> Result<(), DatasetError> {
    fs::write(&path, text).map_err(|source| DatasetError::Write { path, source })
}

/// The files of the project.
pub(crate) mod file {
    pub(crate) const SEEDS: &str = "seeds.jsonl";
    pub(crate) const REQUESTS: &str = "requests.jsonl";
    pub(crate) const GENERATED: &str = "generated.jsonl";
    pub(crate) const IMPORTED: &str = "imported.jsonl";
    pub(crate) const CANDIDATES: &str = "candidates.jsonl";
    pub(crate) const DROPPED: &str = "dropped.jsonl";
    pub(crate) const PAIRS: &str = "pairs.jsonl";
    pub(crate) const RELEASES: &str = "releases";
    pub(crate) const MERGED: &str = "merged.jsonl";
    pub(crate) const JUDGEMENTS: &str = "judgements.jsonl";
    /// What tests say of pairs.
    pub(crate) const TESTS: &str = "tests.jsonl";
    /// Pairs that were drawn from a result, and what of it was drawn.
    pub(crate) const SAMPLE: &str = "sample.jsonl";
    pub(crate) const DRAWN: &str = "drawn.json";
    /// The corpus of the sources of seeds.
    pub(crate) const CORPUS: &str = "corpus";
}

fn prompts(folder: &Path) -> Result<Vec<Prompt>, DatasetError> {
    let read = |source| DatasetError::Read { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(read(error)),
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(read)?.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    let one = |path: PathBuf| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text =
            fs::read_to_string(&path).map_err(|source| DatasetError::Read { path: path.clone(), source })?;
        Prompt::read(&name, &text).map_err(|reason| DatasetError::Settings { path, reason })
    };
    paths.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_command_writes_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let first = project.lock().expect("nobody writes");
        assert!(matches!(project.lock(), Err(DatasetError::Busy(_))));
        drop(first);
        project.lock().expect("nobody writes any more");
    }
}
