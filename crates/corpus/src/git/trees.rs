//! Walking trees side by side, into what differs alone.

use std::cmp::Ordering;

use familiar_source::BlobId;
use gix::ObjectId;
use gix::objs::{Kind, TreeRefIter};
use rustc_hash::FxHashSet;

use super::error::ObjectError;
use super::exclude::Exclude;
use super::paths::{PathId, Paths};
use super::repository::Repository;

/// How deep folders may stand in folders.
const DEEPEST: usize = 256;

/// What stands at a path of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum There {
    Nothing,
    File(BlobId),
    Link,
    Submodule,
}

impl There {
    pub(super) fn file(self) -> Option<BlobId> {
        if let Self::File(blob) = self { Some(blob) } else { None }
    }
}

/// Takes what stands at one path: its folder, its name, and what the trees have there, the newest first.
pub(super) type Differs<'s> = dyn FnMut(&mut Paths, PathId, &[u8], &[There]) + 's;
/// Whether a folder can be left out, for what the trees have there.
pub(super) type Same<'s> = dyn FnMut(PathId, &[Option<ObjectId>]) -> bool + 's;

/// Reads trees.
pub(super) struct Trees<'r> {
    repository: &'r Repository,
    exclude: &'r Exclude,
    /// Buffers that nobody uses.
    spare: Vec<Vec<u8>>,
    /// Trees that cannot be read.
    bad: FxHashSet<ObjectId>,
    /// Those of them that are missing or damaged.
    pub(super) lost: Vec<ObjectId>,
    /// What was not read, and why.
    pub(super) skips: Vec<(String, String)>,
    /// How many more paths may be met, and how many more trees be read.
    most_paths: usize,
    trees_left: u64,
    exhausted: bool,
}

struct Entry<'t> {
    name: &'t [u8],
    is_tree: bool,
    there: There,
    id: ObjectId,
}

impl<'r> Trees<'r> {
    /// Reads no more than ten trees for each of `most_paths`, and nothing of what is left out.
    pub(super) fn new(repository: &'r Repository, exclude: &'r Exclude, most_paths: u64) -> Self {
        Self {
            repository,
            exclude,
            spare: Vec::new(),
            bad: FxHashSet::default(),
            lost: Vec::new(),
            skips: Vec::new(),
            most_paths: usize::try_from(most_paths).unwrap_or(usize::MAX).min(u32::MAX as usize - 1),
            trees_left: most_paths.saturating_mul(10),
            exhausted: false,
        }
    }

    /// Whether trees were missing or not as they should be.
    pub(super) fn is_damaged(&self) -> bool {
        !self.bad.is_empty()
    }

    /// Calls `differs` with every path below `folder` at which the trees do not all have the same, but for the folders
    /// that are the `same`. `revision` is whose the first tree is. A tree that cannot be read is a skip; if it is the
    /// first, nothing is said of what is below it, and any other counts as empty.
    pub(super) fn walk(
        &mut self,
        paths: &mut Paths,
        (folder, depth): (PathId, usize),
        trees: &[Option<ObjectId>],
        revision: &ObjectId,
        same: &mut Same<'_>,
        differs: &mut Differs<'_>,
    ) {
        if same(folder, trees) || self.exhausted {
            return;
        }
        if depth > DEEPEST || self.trees_left == 0 || paths.len() >= self.most_paths {
            let reason = if depth > DEEPEST {
                format!("folders inside folders, more than {DEEPEST} deep, which is the limit")
            } else {
                self.exhausted = true;
                format!("more than {} paths, the limit for one tree; the rest is left out", self.most_paths)
            };
            self.skips.push((format!("{revision}:{}", paths.text(folder)), reason));
            return;
        }
        let mut buffers = Vec::with_capacity(trees.len());
        let mut bad = Vec::new();
        for tree in trees {
            let mut buffer = self.spare.pop().unwrap_or_default();
            buffer.clear();
            if let Some(tree) = tree {
                self.trees_left = self.trees_left.saturating_sub(1);
                if let Err(error) = self.repository.read(tree, Kind::Tree, &mut buffer) {
                    buffer.clear();
                    bad.push((*tree, error));
                }
            }
            buffers.push(buffer);
        }
        let mut lists = Vec::with_capacity(trees.len());
        for (buffer, tree) in buffers.iter().zip(trees) {
            lists.push(entries(buffer).unwrap_or_else(|| {
                bad.extend(tree.map(|id| (id, ObjectError::Malformed { id, kind: Kind::Tree })));
                Vec::new()
            }));
        }
        let whole = bad.iter().all(|(tree, _)| trees[0] != Some(*tree));
        for (tree, error) in bad {
            if self.bad.insert(tree) {
                self.lost.extend(self.repository.lost(&error));
                self.skips.push((format!("{revision}:{}", paths.text(folder)), error.to_string()));
            }
        }
        if whole {
            self.compare(paths, (folder, depth), &lists, revision, same, differs);
        }
        drop(lists);
        self.spare.append(&mut buffers);
    }

    fn compare(
        &mut self,
        paths: &mut Paths,
        (folder, depth): (PathId, usize),
        lists: &[Vec<Entry<'_>>],
        revision: &ObjectId,
        same: &mut Same<'_>,
        differs: &mut Differs<'_>,
    ) {
        let mut at = vec![0; lists.len()];
        let mut there = vec![There::Nothing; lists.len()];
        let mut trees = vec![None; lists.len()];
        loop {
            let heads = lists.iter().zip(&at).filter_map(|(list, &at)| list.get(at));
            let Some(least) = heads.min_by(|a, b| a.order(b)) else { return };
            let mut equal = true;
            for (number, list) in lists.iter().enumerate() {
                let entry = list.get(at[number]).filter(|entry| entry.order(least) == Ordering::Equal);
                at[number] += usize::from(entry.is_some());
                there[number] = entry.map_or(There::Nothing, |entry| entry.there);
                trees[number] = entry.filter(|entry| entry.is_tree).map(|entry| entry.id);
                equal &= entry.is_some_and(|entry| entry.id == least.id && entry.there == least.there);
            }
            let is_equal = equal && lists.len() > 1;
            if is_equal || self.exclude.leaves_out(paths, folder, least.name, least.is_tree) {
                continue;
            }
            if least.is_tree {
                let inner = paths.of(folder, least.name);
                self.walk(paths, (inner, depth + 1), &trees, revision, same, differs);
            } else {
                differs(paths, folder, least.name, &there);
            }
        }
    }
}

impl Entry<'_> {
    /// The order of entries in a tree: that of their names, as if a folder's ended with `/`.
    fn order(&self, other: &Self) -> Ordering {
        let shared = self.name.len().min(other.name.len());
        let ahead = self.name[..shared].cmp(&other.name[..shared]);
        let next = |entry: &Self| match entry.name.get(shared) {
            Some(&byte) => Some(byte),
            None => entry.is_tree.then_some(b'/'),
        };
        ahead
            .then_with(|| next(self).cmp(&next(other)))
            .then_with(|| self.name.len().cmp(&other.name.len()))
            .then_with(|| self.is_tree.cmp(&other.is_tree))
    }
}

/// The tree at the end of a way of `folders` below another one, if there is one; or why it cannot be told.
pub(super) fn below(
    repository: &Repository,
    mut tree: ObjectId,
    folders: &[Vec<u8>],
) -> Result<Option<ObjectId>, ObjectError> {
    let mut buffer = Vec::new();
    for folder in folders {
        repository.read(&tree, Kind::Tree, &mut buffer)?;
        let entries = entries(&buffer).ok_or(ObjectError::Malformed { id: tree, kind: Kind::Tree })?;
        match entries.iter().find(|entry| entry.is_tree && entry.name == folder) {
            Some(entry) => tree = entry.id,
            None => return Ok(None),
        }
    }
    Ok(Some(tree))
}

/// The entries of a tree in their order, each name once; `None` if it is not well formed to its end.
fn entries(bytes: &[u8]) -> Option<Vec<Entry<'_>>> {
    let mut entries: Vec<Entry<'_>> = Vec::with_capacity(bytes.len() / 32);
    for entry in TreeRefIter::from_bytes(bytes, gix::hash::Kind::Sha1) {
        let entry = entry.ok()?;
        let is_tree = entry.mode.is_tree();
        let there = match entry.mode {
            _ if is_tree => There::Nothing,
            mode if mode.is_link() => There::Link,
            mode if mode.is_commit() => There::Submodule,
            _ => There::File(BlobId(entry.oid.as_bytes().try_into().ok()?)),
        };
        entries.push(Entry { name: entry.filename, is_tree, there, id: entry.oid.to_owned() });
    }
    if !entries.is_sorted_by(|a, b| a.order(b) == Ordering::Less) {
        entries.sort_by(Entry::order);
        entries.dedup_by(|later, first| later.order(first) == Ordering::Equal);
    }
    Some(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(entries: &[(&str, &str)]) -> Vec<u8> {
        let entry = |(mode, name): &(&str, &str)| [format!("{mode} {name}\0").as_bytes(), &[7; 20]].concat();
        entries.iter().flat_map(entry).collect()
    }

    #[test]
    fn entries_are_in_gits_order_whatever_the_tree_says() {
        let expected = [("a", false), ("a-b", false), ("a", true), ("a0", false)];
        let given = [("100644", "a0"), ("40000", "a"), ("100755", "a-b"), ("100644", "a"), ("100644", "a")];
        let bytes = tree(&given);
        let seen: Vec<_> =
            entries(&bytes).expect("sound").iter().map(|entry| (entry.name, entry.is_tree)).collect();
        assert_eq!(seen, expected.map(|(name, is_tree)| (name.as_bytes(), is_tree)));
    }

    #[test]
    fn a_tree_that_ends_early_is_none() {
        let bytes = tree(&[("100644", "a")]);
        assert!(entries(&bytes).is_some() && entries(b"").is_some());
        assert!(entries(&bytes[..bytes.len() - 1]).is_none());
    }
}
