//! The files of a repository as its HEAD has them, without their history.

use std::path::Path;

use familiar_source::Occurrence;

use super::commits::Commits;
use super::error::ObjectError;
use super::exclude::Exclude;
use super::mirror::{self, Extent};
use super::paths::{Paths, ROOT};
use super::place::Place;
use super::project::Named;
use super::repository::{Repository, Tips};
use super::trees::{There, Trees};
use crate::{Fetched, Found, Item, LanguageHint, Limits, Remote, Sink, Source, SourceError};

/// A repository of which the files at HEAD are read alone.
#[derive(Clone, Debug)]
pub(crate) struct Tip {
    pub place: Place,
    /// Globs of paths that are left out.
    pub exclude: Vec<String>,
}

impl Source for Tip {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        match &self.place {
            Place::Folder(folder) => read(folder, None, &self.exclude, limits, sink),
            Place::Url(_) => match self.fetch(&|_| false, limits)?.source {
                Some(source) => source.read(limits, sink),
                None => Ok(()),
            },
        }
    }

    fn remote(&self) -> Option<&dyn Remote> {
        matches!(self.place, Place::Url(_)).then_some(self)
    }

    fn exclude(&self) -> &[String] {
        &self.exclude
    }
}

impl Remote for Tip {
    fn fetch(&self, _held: &dyn Fn(&str) -> bool, limits: &Limits) -> Result<Fetched, SourceError> {
        let url = match &self.place {
            Place::Url(url) => url.clone(),
            Place::Folder(folder) => {
                return Ok(Fetched {
                    name: format!("git:{}", folder.display()),
                    source: Some(Box::new(self.clone())),
                });
            }
        };
        let folder = tempfile::tempdir().map_err(SourceError::Temporary)?;
        mirror::fetch(&url, folder.path(), Extent::Tip, limits)?;
        let source = Copied { folder, url: url.clone(), exclude: self.exclude.clone() };
        Ok(Fetched { name: format!("git:{url}"), source: Some(Box::new(source)) })
    }
}

/// What was fetched of a tip, which lasts as long as this.
struct Copied {
    folder: tempfile::TempDir,
    url: String,
    exclude: Vec<String>,
}

impl Source for Copied {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        read(self.folder.path(), Some(&self.url), &self.exclude, limits, sink)
    }
}

/// Reads the files of the repository in `folder`, in the order of its trees.
fn read(
    folder: &Path,
    url: Option<&str>,
    exclude: &[String],
    limits: &Limits,
    sink: &mut Sink<'_>,
) -> Result<(), SourceError> {
    let exclude = Exclude::new(exclude)?;
    let repository = Repository::open(folder, limits)?;
    let head = repository.head().map_err(|error| SourceError::format(folder, format!("HEAD {error}")))?;
    let origin = url.map(ToOwned::to_owned).or_else(|| repository.origin());
    let named = Named::of(origin.as_deref(), repository.git_dir());
    // Without its parents.
    let tips = Tips { commits: vec![head], shallow: vec![head], ..Tips::default() };
    let commits = Commits::read(&repository, &tips);
    let Some(commit) = commits.list.first() else {
        let reason = commits.skips.into_iter().next().map(|(_, reason)| reason);
        let error = reason.map_or(ObjectError::Commit(head), ObjectError::Skipped);
        return Err(SourceError::format(folder, error));
    };
    let mut trees = Trees::new(&repository, &exclude, limits.archive_entries);
    let (mut paths, mut entries) = (Paths::new(), Vec::new());
    trees.walk(
        &mut paths,
        (ROOT, 0),
        &[Some(commit.tree)],
        &head,
        &mut |_, _| false,
        &mut |paths, folder, name, there| entries.push((paths.of(folder, name), there[0])),
    );
    let skip = |path: String, reason: &str| Found::Skip { path, reason: reason.to_owned() };
    for (path, reason) in std::mem::take(&mut trees.skips) {
        if sink(Found::Skip { path, reason }).is_break() {
            return Ok(());
        }
    }
    for (path, there) in entries {
        let text = paths.text(path);
        let next = match there {
            There::Nothing => continue,
            There::Link => skip(text, "symbolic link, not followed"),
            There::Submodule => skip(text, "submodule, not followed"),
            There::File(blob) => match repository.blob(blob) {
                Err(error) => skip(text, &error.to_string()),
                Ok(bytes) => {
                    let link = named.link(&head.to_string(), &paths.bytes(path));
                    let project = named.project.clone();
                    let occurrence =
                        Occurrence { project, path: text, first_line: 1, link, ..Occurrence::default() };
                    Found::Item(Item::new(bytes, LanguageHint::Unspecified, occurrence))
                }
            },
        };
        if sink(next).is_break() {
            return Ok(());
        }
    }
    Ok(())
}
