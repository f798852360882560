//! The system that pairs are put into.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use familiar_detect::is_fixture;
use familiar_files::dir::{self, WalkOptions};
use familiar_source::Language;
use familiar_syntax::{detect, generated};
use rayon::prelude::*;

use crate::error::DatasetError;

/// Larger files get nothing.
const LARGEST: u64 = 1 << 20;

/// A file of the system.
pub(super) struct HostFile {
    pub(super) path: String,
    /// Where to open it.
    pub(super) file: PathBuf,
    /// Its language, where functions can be put into it.
    pub(super) language: Option<Language>,
}

pub(super) struct Host {
    pub(super) files: Vec<HostFile>,
    /// Files that take functions, by language.
    pub(super) by_language: BTreeMap<&'static str, Vec<usize>>,
    pub(super) skipped: Vec<String>,
}

impl Host {
    /// Lists the files of a folder, and reads which of them take functions.
    pub(super) fn read(root: &Path) -> Result<Self, DatasetError> {
        let listing = dir::walk(std::slice::from_ref(&root.to_owned()), &WalkOptions::default())
            .map_err(familiar_corpus::SourceError::from)?;
        let skipped =
            listing.skips.iter().map(|skip| format!("{}: {}", skip.path.as_str(), skip.reason)).collect();
        let files: Vec<HostFile> = listing
            .documents
            .into_par_iter()
            .map(|document| {
                let path = document.path.as_str().to_owned();
                let is_small = document.bytes > 0 && document.bytes <= LARGEST;
                // What a search does not read is no place for a pair.
                let is_read = is_small && document.path.raw_bytes().is_none() && !is_fixture(&path);
                let language = detect::by_name(&path).filter(|_| is_read);
                HostFile { path, file: document.file, language }
            })
            .collect();
        let mut by_language: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
        for (at, file) in files.iter().enumerate() {
            if let Some(language) = file.language {
                by_language.entry(language.name()).or_default().push(at);
            }
        }
        Ok(Self { files, by_language, skipped })
    }

    /// The text of a file, if functions can be put into it: it is UTF-8, and written by people.
    pub(super) fn text(&self, at: usize) -> Option<String> {
        let file = &self.files[at];
        let text = String::from_utf8(fs::read(&file.file).ok()?).ok()?;
        let is_made = |language| generated::artifact(language, text.as_bytes()).is_some();
        let is_plain = !file.language.is_some_and(is_made) && !text.contains('\0');
        is_plain.then_some(text)
    }

    /// Writes the system into a new folder, with other texts in the place of some files. Files that went away meanwhile are told.
    pub(super) fn write(
        &self,
        output: &Path,
        changed: &BTreeMap<usize, String>,
    ) -> Result<Vec<String>, DatasetError> {
        self.write_some(output, changed, &(0..self.files.len()).collect())
    }

    /// As `write`, of these files only.
    pub(super) fn write_some(
        &self,
        output: &Path,
        changed: &BTreeMap<usize, String>,
        which: &BTreeSet<usize>,
    ) -> Result<Vec<String>, DatasetError> {
        let failed = |path: &Path, source| DatasetError::Write { path: path.to_owned(), source };
        let folders: BTreeSet<PathBuf> = self
            .files
            .iter()
            .filter_map(|file| output.join(&file.path).parent().map(Path::to_owned))
            .collect();
        for folder in std::iter::once(output).chain(folders.iter().map(PathBuf::as_path)) {
            fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
        }
        let one = |at: &usize| {
            let file = &self.files[*at];
            let path = output.join(&file.path);
            let written = match changed.get(at) {
                Some(text) => fs::write(&path, text),
                None => fs::copy(&file.file, &path).map(|_| ()),
            };
            match written {
                Ok(()) => Ok(None),
                Err(_) if !file.file.exists() => Ok(Some(format!("{}: it went away", file.path))),
                Err(source) => Err(failed(&path, source)),
            }
        };
        let gone: Vec<Option<String>> = which.par_iter().map(one).collect::<Result<_, DatasetError>>()?;
        Ok(gone.into_iter().flatten().collect())
    }
}
