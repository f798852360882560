//! A repository on disk: its refs, and its objects by their ids.

use std::path::{Path, PathBuf};

use familiar_source::BlobId;
use gix::ObjectId;
use gix::objs::{Find as _, FindHeader as _, Kind};
use gix::odb::pack::Find as _;
use gix::open::Permissions;
use rustc_hash::FxHashSet;

use super::error::ObjectError;
use crate::{Limits, SourceError};

/// Bytes that the bases of deltas may take, and those that whole trees may.
const DELTA_BASES: usize = 64 << 20;
const OBJECTS: usize = 32 << 20;
/// Why a repository of the other kind is not read, and what can be done.
const SHA256: &str = "its objects are named by SHA-256, and only SHA-1 is supported; `dir:` reads its work tree without the history";
const REFTABLE: &str = "its branches and tags are kept as a reftable, which is not supported; `git refs migrate --ref-format=files` makes files of them, and `dir:` reads its work tree without the history";
/// How many tags may stand on tags.
const MOST_TAGS: usize = 16;

/// A repository whose configuration is not trusted: nothing outside it is read but object folders that it borrows from,
/// and no command is run.
pub(super) struct Repository {
    repository: gix::Repository,
    path: PathBuf,
    item_bytes: u64,
}

/// What the refs point to.
#[derive(Debug, Default)]
pub(super) struct Tips {
    /// Commits, each once, in the order of their ids.
    pub(super) commits: Vec<ObjectId>,
    /// The commits whose parents the repository does not have on purpose, in the order of their ids.
    pub(super) shallow: Vec<ObjectId>,
    /// Refs that lead to no commit, and why.
    pub(super) skips: Vec<(String, String)>,
    /// The objects on the way to a commit that could not be read.
    pub(super) lost: FxHashSet<ObjectId>,
}

impl Repository {
    pub(super) fn open(path: &Path, limits: &Limits) -> Result<Self, SourceError> {
        std::fs::metadata(path).map_err(|source| SourceError::Read { path: path.to_owned(), source })?;
        let most = limits.item_bytes.max(256 << 20);
        let options = gix::open::Options::isolated()
            .permissions(Permissions::isolated())
            .strict_config(false)
            .lossy_config(true)
            .config_overrides([
                "core.useReplaceRefs=false".to_owned(),
                format!("gitoxide.objects.allocLimit={most}"),
            ]);
        let mut repository = gix::open_opts(path, options).map_err(|error| {
            let reason = reason(&error);
            if let Some(outer) = repository_around(path).filter(|_| !is_repository(path)) {
                let outer = outer.display();
                return SourceError::format(
                    path,
                    format!("it is a folder inside the repository {outer}; name that one"),
                );
            }
            // It is asked for an object format that the library is built without.
            SourceError::format(
                path,
                if reason.contains("Object format") { SHA256.to_owned() } else { reason },
            )
        })?;
        if repository.object_hash() != gix::hash::Kind::Sha1 {
            return Err(SourceError::format(path, SHA256));
        }
        if repository.common_dir().join("reftable").is_dir() {
            return Err(SourceError::format(path, REFTABLE));
        }
        repository
            .objects
            .set_pack_cache(|| Box::new(gix::odb::pack::cache::lru::MemoryCappedHashmap::new(DELTA_BASES)));
        repository.objects.ignore_replacements = true;
        // A pack that another process replaces stays readable.
        repository.objects.prevent_pack_unload();
        Ok(Self { repository, path: path.to_owned(), item_bytes: limits.item_bytes })
    }

    /// Keeps whole objects in memory from now on, as those who compare trees need; or does not.
    pub(super) fn keep_objects(&mut self, keep: bool) {
        self.repository.object_cache_size(keep.then_some(OBJECTS));
    }

    /// The folder that was opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn git_dir(&self) -> &Path {
        self.repository.common_dir()
    }

    /// The URL that it was cloned from.
    pub(super) fn origin(&self) -> Option<String> {
        let config = self.repository.config_snapshot();
        let origin = config.string("remote.origin.url")?;
        Some(String::from_utf8_lossy(&origin).into_owned())
    }

    /// What all refs but notes, and HEAD, point to.
    pub(super) fn tips(&self) -> Result<Tips, SourceError> {
        let wrong = |error: &dyn std::fmt::Display| {
            SourceError::format(self.git_dir(), format!("its refs cannot be read: {error}"))
        };
        let mut tips = Tips::default();
        let mut found = FxHashSet::default();
        let platform = self.repository.references().map_err(|error| wrong(&reason(&error)))?;
        for reference in platform.all().map_err(|error| wrong(&reason(&error)))? {
            let reference = match reference {
                Ok(reference) => reference,
                Err(error) => {
                    tips.skips.push(("refs".to_owned(), error.to_string()));
                    continue;
                }
            };
            let name = familiar_files::percent_encoded(reference.name().as_bstr());
            // A symbolic ref leads to another ref, which is listed too.
            let Some(id) = reference.target().try_id().map(ToOwned::to_owned) else { continue };
            if name.starts_with("refs/notes/") {
                continue;
            }
            match self.commit_of(id) {
                Ok(commit) => drop(found.insert(commit)),
                Err(error) => {
                    tips.lost.extend(self.lost(&error));
                    tips.skips.push((name, error.to_string()));
                }
            }
        }
        // Only a HEAD that stands on no branch leads anywhere else.
        if let Some(commit) = self.repository.head_id().ok().and_then(|id| self.commit_of(id.detach()).ok()) {
            found.insert(commit);
        }
        tips.commits = found.into_iter().collect();
        tips.commits.sort_unstable();
        if let Ok(Some(shallow)) = self.repository.shallow_commits() {
            tips.shallow = shallow.iter().copied().collect();
            tips.shallow.sort_unstable();
        }
        Ok(tips)
    }

    /// The commit that HEAD stands on.
    pub(super) fn head(&self) -> Result<ObjectId, ObjectError> {
        let id = self.repository.head_id().map_err(|error| ObjectError::Head(reason(&error)))?;
        self.commit_of(id.detach())
    }

    /// The names of all tags, without what they all start with, and what they point to.
    pub(super) fn tags(&self) -> Result<Vec<(Vec<u8>, ObjectId)>, SourceError> {
        let wrong = |error: &dyn std::fmt::Display| {
            SourceError::format(self.git_dir(), format!("its tags cannot be read: {error}"))
        };
        let platform = self.repository.references().map_err(|error| wrong(&reason(&error)))?;
        let mut tags = Vec::new();
        for reference in platform.tags().map_err(|error| wrong(&reason(&error)))? {
            let reference = reference.map_err(|error| wrong(&error))?;
            let name = reference.name().as_bstr().strip_prefix(b"refs/tags/").map(<[u8]>::to_vec);
            if let (Some(name), Some(id)) = (name, reference.target().try_id()) {
                tags.push((name, id.to_owned()));
            }
        }
        Ok(tags)
    }

    /// Whether parents of some commits are missing on purpose.
    pub(super) fn is_shallow(&self) -> bool {
        matches!(self.repository.shallow_commits(), Ok(Some(commits)) if !commits.is_empty())
    }

    /// How large a blob is, as far as that can be told without reading it.
    pub(super) fn size(&self, blob: BlobId) -> Option<u64> {
        let id = ObjectId::from_bytes_or_panic(&blob.0);
        self.repository.objects.try_header(&id).ok().flatten().map(|header| header.size)
    }

    /// The commit that a ref or a tag leads to.
    pub(super) fn commit_of(&self, mut id: ObjectId) -> Result<ObjectId, ObjectError> {
        let mut buffer = Vec::new();
        for _ in 0..MOST_TAGS {
            match self.object(&id, &mut buffer)? {
                Kind::Commit => return Ok(id),
                Kind::Tag => {
                    let hex = buffer.strip_prefix(b"object ").and_then(|rest| rest.get(..40));
                    id = hex.and_then(|hex| ObjectId::from_hex(hex).ok()).ok_or(ObjectError::EmptyTag)?;
                }
                kind => return Err(ObjectError::NotCommit(kind)),
            }
        }
        Err(ObjectError::TooManyTags)
    }

    /// Reads an object of any kind.
    fn object(&self, id: &ObjectId, buffer: &mut Vec<u8>) -> Result<Kind, ObjectError> {
        match self.repository.objects.try_find(id, buffer) {
            Ok(Some(data)) => {
                let (kind, length) = (data.kind, data.data.len());
                buffer.truncate(length);
                Ok(kind)
            }
            Ok(None) => Err(ObjectError::Missing(*id)),
            Err(error) => Err(ObjectError::Unreadable { id: *id, reason: reason(&error) }),
        }
    }

    /// Reads an object of one kind into `buffer`.
    pub(super) fn read(
        &self,
        id: &ObjectId,
        expected: Kind,
        buffer: &mut Vec<u8>,
    ) -> Result<(), ObjectError> {
        match self.object(id, buffer)? {
            found if found == expected => Ok(()),
            found => Err(ObjectError::Kind { id: *id, found, expected }),
        }
    }

    /// The content of a blob, if it is what its id says.
    pub(super) fn blob(&self, blob: BlobId) -> Result<Vec<u8>, ObjectError> {
        let id = ObjectId::from_bytes_or_panic(&blob.0);
        let mut bytes = Vec::new();
        if let Err(error) = self.read(&id, Kind::Blob, &mut bytes) {
            let large = self.size(blob).is_some_and(|size| size > self.item_bytes);
            return Err(if large { ObjectError::TooLarge(self.item_bytes) } else { error });
        }
        if bytes.len() as u64 > self.item_bytes {
            return Err(ObjectError::TooLarge(self.item_bytes));
        }
        if blob_id(&bytes) != blob {
            return Err(ObjectError::Damaged(id));
        }
        Ok(bytes)
    }

    /// The object that may be read later although it could not be now: it is missing or damaged. One that is what its id says
    /// and is not well formed stays so.
    pub(super) fn lost(&self, error: &ObjectError) -> Option<ObjectId> {
        error.unreadable().filter(|id| !self.is_whole(id))
    }

    /// Whether an object is there and is what its id says.
    pub(super) fn is_whole(&self, id: &ObjectId) -> bool {
        let mut buffer = Vec::new();
        let Ok(kind) = self.object(id, &mut buffer) else { return false };
        gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, &buffer).is_ok_and(|found| found == *id)
    }

    /// Where an object lies: its pack and its place there. What is in no pack comes last.
    pub(super) fn place(&self, blob: BlobId, buffer: &mut Vec<u8>) -> (u32, u64) {
        let id = ObjectId::from_bytes_or_panic(&blob.0);
        let location = self.repository.objects.location_by_oid(&id, buffer).ok().flatten();
        location.map_or((u32::MAX, 0), |location| (location.pack_id, location.pack_offset))
    }
}

/// Whether a folder looks like a repository, or the work tree of one.
fn is_repository(path: &Path) -> bool {
    let is_there = |name: &str| path.join(name).symlink_metadata().is_ok();
    is_there(".git") || is_there("HEAD") && is_there("objects")
}

/// The work tree that a folder is in.
fn repository_around(path: &Path) -> Option<std::path::PathBuf> {
    let path = path.canonicalize().ok()?;
    path.ancestors().skip(1).find(|outer| outer.join(".git").exists()).map(Path::to_owned)
}

/// The name of a blob with this content.
pub fn blob_id(bytes: &[u8]) -> BlobId {
    use sha1::{Digest, Sha1};
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", bytes.len()));
    hash.update(bytes);
    BlobId(hash.finalize().into())
}

/// What an error says, with what caused it.
pub(super) fn reason(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let message = inner.to_string();
        if !text.contains(&message) {
            text = format!("{text}: {message}");
        }
        cause = inner.source();
    }
    text.replace('\n', " ")
}
