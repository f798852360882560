//! Paths of a history, each with a number.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// The number of a path; [`ROOT`] is that of the project.
pub(super) type PathId = u32;

pub(super) const ROOT: PathId = 0;
const NONE: u32 = u32::MAX;

/// Folders and files by their numbers. A path takes about 50 bytes and its last part.
pub(super) struct Paths {
    nodes: Vec<Node>,
    names: Vec<u8>,
    /// By the hash of folder and name: the newest such path.
    index: FxHashMap<u64, PathId>,
}

struct Node {
    folder: PathId,
    name: u64,
    length: u32,
    /// Another path with the same hash.
    next: PathId,
}

impl Paths {
    pub(super) fn new() -> Self {
        let root = Node { folder: NONE, name: 0, length: 0, next: NONE };
        Self { nodes: vec![root], names: Vec::new(), index: FxHashMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of `name` in a folder, if it has one.
    pub(super) fn find(&self, folder: PathId, name: &[u8]) -> Option<PathId> {
        let mut at = *self.index.get(&hash(folder, name))?;
        while at != NONE {
            if self.folder(at) == folder && self.name(at) == name {
                return Some(at);
            }
            at = self.nodes[at as usize].next;
        }
        None
    }

    /// The number of `name` in a folder, which is a new one if need be.
    pub(super) fn of(&mut self, folder: PathId, name: &[u8]) -> PathId {
        if let Some(known) = self.find(folder, name) {
            return known;
        }
        let id = self.nodes.len() as u32;
        let next = self.index.insert(hash(folder, name), id).unwrap_or(NONE);
        self.nodes.push(Node { folder, name: self.names.len() as u64, length: name.len() as u32, next });
        self.names.extend_from_slice(name);
        id
    }

    /// The folder that a path lies in.
    pub(super) fn folder(&self, path: PathId) -> PathId {
        self.nodes[path as usize].folder
    }

    /// The last part of a path.
    pub(super) fn name(&self, path: PathId) -> &[u8] {
        let node = &self.nodes[path as usize];
        &self.names[node.name as usize..][..node.length as usize]
    }

    /// The whole path, with `/` between its parts.
    pub(super) fn bytes(&self, path: PathId) -> Vec<u8> {
        let mut parts = Vec::new();
        let mut at = path;
        while at != ROOT {
            parts.push(self.name(at));
            at = self.folder(at);
        }
        parts.reverse();
        parts.join(&b'/')
    }

    /// The whole path; bytes that are not UTF-8 are percent-encoded.
    pub(super) fn text(&self, path: PathId) -> String {
        familiar_files::percent_encoded(&self.bytes(path))
    }
}

fn hash(folder: PathId, name: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(folder);
    hasher.write(name);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_number_and_its_text() {
        let mut paths = Paths::new();
        let a = paths.of(ROOT, b"a");
        let inner = paths.of(a, b"b\xff.py");
        assert_eq!((paths.of(ROOT, b"a"), paths.find(a, b"b\xff.py")), (a, Some(inner)));
        assert_eq!(paths.text(inner), "a/b%FF.py");
        assert_eq!(paths.find(inner, b"a"), None);
        assert_eq!(paths.bytes(ROOT), b"");
    }
}
