//! Which blob stood at which path, from which commit to which.
//!
//! A commit *brings* a blob to a path if it has it there and none of its parents has. It *takes away* a blob if a parent has
//! it there, and what the commit has there is what no parent has. So a merge that keeps one side's file brings and takes
//! nothing away: the commits of that side did. A blob that no commit took away in this sense, and that is on no tip, was
//! dropped by a merge for the other side ([`History::find_dropped`]).

use familiar_source::BlobId;
use gix::ObjectId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::commits::{CommitAt, Commits};
use super::paths::{PathId, Paths, ROOT};
use super::trees::{There, Trees};

/// No commit, no blob, no path.
pub(super) const NONE: u32 = u32::MAX;

/// A blob at a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) path: PathId,
    /// Position among `blobs`.
    pub(super) blob: u32,
    /// The first commit that brought it; [`NONE`] if none of those that were looked at.
    pub(super) introduced: CommitAt,
    /// The last commit that took it away, whether or not it is back since; [`NONE`] if none.
    pub(super) removed: CommitAt,
    /// The newest tip that has it; [`NONE`] if none.
    pub(super) standing: CommitAt,
    /// The last merge that dropped it, if nothing took it away.
    pub(super) dropped: CommitAt,
    /// Whether a commit has it of which parents are missing: it may have come before.
    pub(super) may_be_older: bool,
}

/// What a blob came in the place of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parent {
    /// Position of the entry that came.
    pub(super) entry: u32,
    /// [`NONE`] if it came where nothing stood.
    pub(super) blob: u32,
    /// Where it stood, if elsewhere, or [`NONE`].
    pub(super) path: PathId,
}

/// What is known of the places of a history. An entry takes about 100 bytes, its blob among them.
pub(super) struct History {
    pub(super) paths: Paths,
    pub(super) blobs: Vec<BlobId>,
    numbers: FxHashMap<BlobId, u32>,
    pub(super) entries: Vec<Entry>,
    /// Entries by path and blob.
    index: FxHashMap<(PathId, u32), u32>,
    /// In the order of the commits.
    pub(super) parents: Vec<Parent>,
    /// Links and submodules by their paths.
    pub(super) no_files: Vec<(PathId, There)>,
    no_file_paths: FxHashSet<PathId>,
}

impl History {
    pub(super) fn new() -> Self {
        Self {
            paths: Paths::new(),
            blobs: Vec::new(),
            numbers: FxHashMap::default(),
            entries: Vec::new(),
            index: FxHashMap::default(),
            parents: Vec::new(),
            no_files: Vec::new(),
            no_file_paths: FxHashSet::default(),
        }
    }

    fn number(&mut self, blob: BlobId) -> u32 {
        *self.numbers.entry(blob).or_insert_with(|| {
            self.blobs.push(blob);
            self.blobs.len() as u32 - 1
        })
    }

    /// The entry of a blob at a path, which is a new one if need be.
    fn entry(&mut self, path: PathId, blob: BlobId) -> u32 {
        let blob = self.number(blob);
        *self.index.entry((path, blob)).or_insert_with(|| {
            let none = NONE;
            self.entries.push(Entry {
                path,
                blob,
                introduced: none,
                removed: none,
                standing: none,
                dropped: none,
                may_be_older: false,
            });
            self.entries.len() as u32 - 1
        })
    }

    /// The entry of a blob at a path, if there is one.
    pub(super) fn find(&self, path: PathId, blob: BlobId) -> Option<u32> {
        let blob = self.numbers.get(&blob)?;
        self.index.get(&(path, *blob)).copied()
    }

    /// Takes what a commit brought and took away. Commits come in their order.
    pub(super) fn take(&mut self, trees: &mut Trees<'_>, commits: &Commits, at: CommitAt) {
        let commit = commits.at(at);
        let mut sides = vec![Some(commit.tree)];
        sides.extend(commits.parents(at).iter().map(|&parent| Some(commits.at(parent).tree)));
        let is_root = sides.len() == 1;
        if is_root {
            sides.push(None);
        }
        let mut paths = std::mem::replace(&mut self.paths, Paths::new());
        let mut change = Change::default();
        trees.walk(
            &mut paths,
            (ROOT, 0),
            &sides,
            &commit.id,
            &mut |_, trees| trees[1..].contains(&trees[0]),
            &mut |paths, folder, name, there| {
                self.differs(paths.of(folder, name), there, commits, at, &mut change);
            },
        );
        self.paths = paths;
        if sides.len() == 2 && !is_root {
            self.follow_renames(&change);
        }
    }

    /// Takes what a commit and its parents have at a path.
    fn differs(
        &mut self,
        path: PathId,
        there: &[There],
        commits: &Commits,
        at: CommitAt,
        change: &mut Change,
    ) {
        let now = there[0].file();
        if now.is_none() && there[0] != There::Nothing && self.no_file_paths.insert(path) {
            self.no_files.push((path, there[0]));
        }
        if there[1..].iter().any(|before| before.file() == now) {
            return;
        }
        let mut came = None;
        if let Some(blob) = now {
            let entry = self.entry(path, blob);
            let known = &mut self.entries[entry as usize];
            known.may_be_older |= commits.is_shallow(at);
            if known.introduced == NONE {
                known.introduced = at;
                came = Some(entry);
            }
        }
        let first_parent = self.parents.len();
        for blob in there[1..].iter().filter_map(|before| before.file()) {
            let gone = self.entry(path, blob);
            let removed = &mut self.entries[gone as usize].removed;
            if commits.at(at).time.is_some() || *removed == NONE {
                *removed = at;
            }
            if now.is_none() {
                change.gone.push((blob, path));
            }
            let number = self.entries[gone as usize].blob;
            let is_new = self.parents[first_parent..].iter().all(|parent| parent.blob != number);
            if let Some(entry) = came.filter(|_| is_new) {
                self.parents.push(Parent { entry, blob: number, path: NONE });
            }
        }
        if let (Some(entry), Some(blob), true) = (came, now, first_parent == self.parents.len()) {
            change.came.push((blob, entry));
        }
    }

    /// Files of the same content that went elsewhere in the same commit are where those that came are from.
    fn follow_renames(&mut self, change: &Change) {
        if change.gone.is_empty() || change.came.is_empty() {
            return;
        }
        let mut gone: FxHashMap<BlobId, Vec<PathId>> = FxHashMap::default();
        for &(blob, path) in &change.gone {
            gone.entry(blob).or_default().push(path);
        }
        for &(blob, entry) in &change.came {
            let Some(from) = gone.get(&blob) else { continue };
            let Entry { path, blob, .. } = self.entries[entry as usize];
            let name = self.paths.name(path);
            let same_name = from.iter().find(|&&from| self.paths.name(from) == name);
            let path = *same_name.unwrap_or(&from[0]);
            self.parents.push(Parent { entry, blob, path });
        }
    }

    /// Marks what stands on the tips; the newest comes first. What stood on tips of `before` becomes an entry too.
    pub(super) fn stand(
        &mut self,
        trees: &mut Trees<'_>,
        commits: &Commits,
        tips: &[CommitAt],
        before: &[CommitAt],
    ) {
        let mut seen: FxHashSet<(PathId, ObjectId)> = FxHashSet::default();
        let mut paths = std::mem::replace(&mut self.paths, Paths::new());
        let tips = tips.iter().map(|tip| (tip, true)).chain(before.iter().map(|tip| (tip, false)));
        for (&tip, is_now) in tips {
            let commit = commits.at(tip);
            trees.walk(
                &mut paths,
                (ROOT, 0),
                &[Some(commit.tree)],
                &commit.id,
                &mut |folder, trees| trees[0].is_none_or(|tree| !seen.insert((folder, tree))),
                &mut |paths, folder, name, there| {
                    let Some(blob) = there[0].file() else { return };
                    let entry = self.entry(paths.of(folder, name), blob);
                    let standing = &mut self.entries[entry as usize].standing;
                    if is_now && *standing == NONE {
                        *standing = tip;
                    }
                },
            );
        }
        self.paths = paths;
    }

    /// Finds the merges that dropped `wanted` entries: those in which a parent has the blob and the merge has not.
    pub(super) fn find_dropped(&mut self, trees: &mut Trees<'_>, commits: &Commits, wanted: &[u32]) {
        if wanted.is_empty() {
            return;
        }
        let mut folders = vec![false; self.paths.len()];
        for &entry in wanted {
            let mut at = self.entries[entry as usize].path;
            while at != ROOT && !std::mem::replace(&mut folders[at as usize], true) {
                at = self.paths.folder(at);
            }
        }
        folders[ROOT as usize] = true;
        let wanted: FxHashSet<u32> = wanted.iter().copied().collect();
        let is_wanted = |folder: PathId| folders.get(folder as usize).is_some_and(|&wanted| wanted);
        self.merges(trees, commits, None, &is_wanted, &mut |history, paths, (folder, name), blob| {
            let entry = paths.find(folder, name).and_then(|path| history.find(path, blob));
            entry.filter(|entry| wanted.contains(entry))
        });
    }

    /// Finds which of the `new` merges dropped what `was_dropped` before.
    pub(super) fn find_dropped_again(
        &mut self,
        trees: &mut Trees<'_>,
        commits: &Commits,
        new: &[bool],
        was_dropped: &dyn Fn(BlobId, &str) -> bool,
    ) {
        self.merges(trees, commits, Some(new), &|_| true, &mut |history, paths, (folder, name), blob| {
            let path = paths.of(folder, name);
            was_dropped(blob, &paths.text(path)).then(|| history.entry(path, blob))
        });
    }

    /// Notes the merge for every entry that `of` finds for a blob that a parent has and the merge has not.
    fn merges(
        &mut self,
        trees: &mut Trees<'_>,
        commits: &Commits,
        new: Option<&[bool]>,
        is_wanted: &dyn Fn(PathId) -> bool,
        of: &mut EntryOf<'_>,
    ) {
        let mut paths = std::mem::replace(&mut self.paths, Paths::new());
        let is_new = |at: CommitAt| new.is_none_or(|new| new[at as usize]);
        for at in (0..commits.list.len() as u32).filter(|&at| commits.parents(at).len() > 1 && is_new(at)) {
            let commit = commits.at(at);
            for &parent in commits.parents(at) {
                trees.walk(
                    &mut paths,
                    (ROOT, 0),
                    &[Some(commit.tree), Some(commits.at(parent).tree)],
                    &commit.id,
                    &mut |folder, trees| !is_wanted(folder) || trees[0] == trees[1] || trees[1].is_none(),
                    &mut |paths, folder, name, there| {
                        let gone = there[1].file().filter(|&blob| there[0].file() != Some(blob));
                        let entry = gone.and_then(|blob| of(self, paths, (folder, name), blob));
                        let Some(entry) = entry else { return };
                        let dropped = &mut self.entries[entry as usize].dropped;
                        if commit.time.is_some() || *dropped == NONE {
                            *dropped = at;
                        }
                    },
                );
            }
        }
        self.paths = paths;
    }
}

/// The entry of a blob at a name in a folder, if it matters.
type EntryOf<'s> = dyn FnMut(&mut History, &mut Paths, (PathId, &[u8]), BlobId) -> Option<u32> + 's;

/// What one commit did, as far as it may be a rename.
#[derive(Default)]
struct Change {
    /// Blobs that came to where nothing stood, with their entries.
    came: Vec<(BlobId, u32)>,
    gone: Vec<(BlobId, PathId)>,
}
