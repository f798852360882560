//! The tags of a repository, and the files that each of them stands for.
//!
//! Nothing is checked out and nothing is written: trees and blobs are read from the repository's objects.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use familiar_source::BlobId;
use gix::ObjectId;
use gix::glob::wildmatch::Mode;

use super::commits::Commits;
use super::error::ObjectError;
use super::exclude::Exclude;
use super::paths::{Paths, ROOT};
use super::repository::{Repository, Tips};
use super::trees::{There, Trees, below};
use crate::{Limits, SourceError};
use familiar_files::percent_encoded;

/// A repository of which tags are read, and the folder in it that counts.
pub struct Tags {
    repository: Repository,
    /// The names of the folders that lead to the one that counts; none where it is the whole repository.
    folders: Vec<Vec<u8>>,
    exclude: Exclude,
    limits: Limits,
}

/// A tag and the commit that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Without `refs/tags/`; bytes that are not UTF-8 are percent-encoded.
    pub name: String,
    pub commit: String,
    /// Seconds since 1970 when the commit was made.
    pub time: Option<i64>,
    tree: ObjectId,
}

/// What [`Tags::list`] gives.
#[derive(Clone, Debug, Default)]
pub struct TagList {
    /// By the time of their commits, then by their names as versions are ordered.
    pub tags: Vec<Tag>,
    /// Tags that lead to no commit that can be read, and why.
    pub skips: Vec<(String, String)>,
    /// Whether the repository has any tags, chosen or not.
    pub any: bool,
    /// Whether the repository is a shallow clone, which has few of the tags.
    pub shallow: bool,
}

/// A file of a tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagFile {
    /// Below the folder that counts; bytes that are not UTF-8 are percent-encoded.
    pub path: String,
    pub blob: BlobId,
}

impl Tags {
    /// Opens the repository in which the folder `path` lies; none where it lies in no repository. What the globs of `exclude`
    /// match below that folder is left out.
    pub fn open(path: &Path, exclude: &[String], limits: &Limits) -> Result<Option<Self>, SourceError> {
        let exclude = Exclude::new(exclude)?;
        let unreadable = |source| SourceError::Read { path: path.to_owned(), source };
        let real = path.canonicalize().map_err(unreadable)?;
        std::fs::read_dir(&real).map_err(unreadable)?;
        let Some(folder) = real.ancestors().find(|folder| is_repository(folder)) else { return Ok(None) };
        let inner = real.strip_prefix(folder).unwrap_or(Path::new(""));
        let folders = inner.components().map(|part| part.as_os_str().as_encoded_bytes().to_vec()).collect();
        let repository = Repository::open(folder, limits)?;
        Ok(Some(Self { repository, folders, exclude, limits: *limits }))
    }

    /// The tags whose names one of the globs matches as `git tag --list` would; all of them where there are no globs.
    pub fn list(&self, globs: &[String]) -> Result<TagList, SourceError> {
        let refs = self.repository.tags()?;
        let mut list =
            TagList { any: !refs.is_empty(), shallow: self.repository.is_shallow(), ..TagList::default() };
        for (name, id) in refs {
            let wanted = |glob: &String| {
                gix::glob::wildmatch(glob.as_bytes().into(), name.as_slice().into(), Mode::empty())
            };
            if !globs.is_empty() && !globs.iter().any(wanted) {
                continue;
            }
            let name = percent_encoded(&name);
            match self.repository.commit_of(id).and_then(|commit| self.tag(&name, commit)) {
                Ok(tag) => list.tags.push(tag),
                Err(error) => list.skips.push((name, error.to_string())),
            }
        }
        list.tags.sort_by(|a, b| a.time.cmp(&b.time).then_with(|| by_version(&a.name, &b.name)));
        list.skips.sort();
        Ok(list)
    }

    fn tag(&self, name: &str, commit: ObjectId) -> Result<Tag, ObjectError> {
        // Without its parents.
        let tips = Tips { commits: vec![commit], shallow: vec![commit], ..Tips::default() };
        let commits = Commits::read(&self.repository, &tips);
        let Some(read) = commits.list.first() else {
            let reason = commits.skips.into_iter().next().map(|(_, reason)| reason);
            return Err(reason.map_or(ObjectError::Commit(commit), ObjectError::Skipped));
        };
        Ok(Tag { name: name.to_owned(), commit: commit.to_string(), time: read.time, tree: read.tree })
    }

    /// The files of a tag below the folder that counts, in the order of their paths, without links and submodules.
    pub fn files(&self, tag: &Tag) -> Result<Vec<TagFile>, ObjectError> {
        let Some(tree) = below(&self.repository, tag.tree, &self.folders)? else { return Ok(Vec::new()) };
        let mut trees = Trees::new(&self.repository, &self.exclude, self.limits.archive_entries);
        let (mut paths, mut entries) = (Paths::new(), Vec::new());
        trees.walk(
            &mut paths,
            (ROOT, 0),
            &[Some(tree)],
            &tree,
            &mut |_, _| false,
            &mut |paths, at, name, is| {
                if let There::File(blob) = is[0] {
                    entries.push((paths.of(at, name), blob));
                }
            },
        );
        // A tag of which a part is missing would give figures that are wrong.
        if let Some((_, reason)) = trees.skips.into_iter().next() {
            return Err(ObjectError::Skipped(reason));
        }
        let file = |(path, blob)| TagFile { path: paths.text(path), blob };
        let mut files: Vec<TagFile> = entries.into_iter().map(file).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// The bytes of a file; none where it is larger than the limit.
    pub fn content(&self, blob: BlobId) -> Result<Option<Vec<u8>>, ObjectError> {
        if self.repository.size(blob).is_some_and(|size| size > self.limits.item_bytes) {
            return Ok(None);
        }
        self.repository.blob(blob).map(Some)
    }
}

impl Tag {
    /// Whether both have the same files.
    pub fn is_same(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}

/// Whether a folder is a work tree or a bare repository.
fn is_repository(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name);
    let bare: [PathBuf; 2] = [has("objects"), has("refs")];
    has(".git").exists() || (has("HEAD").is_file() && bare.iter().all(|part| part.is_dir()))
}

/// The order of names in which numbers count as such: `v1.9` comes before `v1.10`.
fn by_version(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let (Some(x), Some(y)) = (left.first(), right.first()) {
        let order = if x.is_ascii_digit() && y.is_ascii_digit() {
            let ((one, left_rest), (two, right_rest)) = (number(left), number(right));
            (left, right) = (left_rest, right_rest);
            one.len().cmp(&two.len()).then_with(|| one.cmp(two))
        } else {
            (left, right) = (&left[1..], &right[1..]);
            x.cmp(y)
        };
        if order.is_ne() {
            return order;
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// The digits that a text starts with, without leading zeros, and what comes after them.
fn number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let first = digits.iter().position(|&byte| byte != b'0').unwrap_or(digits.len());
    (&digits[first..], rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_ordered_by_their_numbers() {
        let expected = ["1", "v0.9", "v01.0", "v1.0", "v1.0rc1", "v1.2", "v1.10", "v1.10.0", "w"];
        let mut names = expected;
        names.reverse();
        names.sort_by(|a, b| by_version(a, b));
        assert_eq!(names, expected);
    }
}
