//! Renames of files and roots of projects' histories: what belongs together though names differ.

use familiar_source::{Lineage, Project};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// Names a file of a project, or a block in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileKey(u64);

impl FileKey {
    /// The file at `path` of a project, or the block in it that starts on `first_line`. Stands in files.
    pub fn new(project: &str, path: &str, first_line: u32) -> Self {
        let mut place = Xxh3::new();
        place.update(&first_line.to_le_bytes());
        place.update(path.as_bytes());
        Self(place.digest() ^ xxh3_64(project.as_bytes()))
    }

    /// The same file of another project.
    #[must_use]
    pub fn of_other(self, project: &str, other: &str) -> Self {
        Self(self.0 ^ xxh3_64(project.as_bytes()) ^ xxh3_64(other.as_bytes()))
    }
}

/// What tells whether two projects have their history in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectHistory {
    pub project: String,
    /// The commits without parents.
    pub roots: Vec<String>,
    pub commits: u64,
    /// Seconds since 1970.
    pub first_commit: Option<i64>,
}

/// Collects renames and roots.
#[derive(Debug, Default)]
pub(crate) struct HistoryBuilder {
    renames: Vec<(FileKey, FileKey)>,
    roots: Vec<u8>,
}

/// A rename: the file, and what it was before.
const RENAME: usize = 16;

/// Stands for a time that is not known.
const NO_TIME: i64 = i64::MIN;

impl HistoryBuilder {
    pub(crate) fn is_empty(&self) -> bool {
        self.renames.is_empty() && self.roots.is_empty()
    }

    /// About the bytes that are held.
    pub(crate) fn bytes(&self) -> usize {
        self.renames.len() * RENAME + self.roots.len()
    }

    /// Takes what is a rename.
    pub(crate) fn lineage(&mut self, row: &Lineage) {
        if let Some(from) = &row.parent_path {
            let key = |path: &str| FileKey::new(&row.project, path, 1);
            self.renames.push((key(&row.path), key(from)));
        }
    }

    /// Takes what has roots.
    pub(crate) fn project(&mut self, row: &Project) {
        if row.roots.is_empty() {
            return;
        }
        for field in [&row.project, &row.roots.join(" ")] {
            self.roots.extend((field.len() as u32).to_le_bytes());
            self.roots.extend(field.as_bytes());
        }
        self.roots.extend(row.commits.to_le_bytes());
        self.roots.extend(row.first_commit.unwrap_or(NO_TIME).to_le_bytes());
    }

    /// The two sections.
    pub(crate) fn sections(mut self) -> [Vec<u8>; 2] {
        self.renames.sort_unstable();
        self.renames.dedup();
        let bytes = |(file, from): &(FileKey, FileKey)| [file.0.to_le_bytes(), from.0.to_le_bytes()];
        [self.renames.iter().flat_map(bytes).flatten().collect(), self.roots]
    }
}

/// Calls `each` with what a file was before, as `entry` gives the renames, of which there are `bytes`.
pub(crate) fn renamed_from<E>(
    file: FileKey,
    bytes: usize,
    entry: impl Fn(std::ops::Range<usize>) -> Result<[u8; RENAME], E>,
    mut each: impl FnMut(FileKey),
) -> Result<(), E> {
    let read = |at: usize| {
        let bytes = entry(at * RENAME..(at + 1) * RENAME)?;
        let (file, from) = bytes.split_at(RENAME / 2);
        let key = |bytes: &[u8]| FileKey(bytes.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)));
        Ok((key(file), key(from)))
    };
    let count = bytes / RENAME;
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if read(middle)?.0 < file {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for at in low..count {
        let (known, from) = read(at)?;
        if known != file {
            break;
        }
        each(from);
    }
    Ok(())
}

/// The roots of projects; `None` where they are not as they were written.
pub(crate) fn roots(mut bytes: &[u8]) -> Option<Vec<ProjectHistory>> {
    let mut roots = Vec::new();
    while !bytes.is_empty() {
        let (project, names) = (text(&mut bytes)?.to_owned(), text(&mut bytes)?);
        let names = names.split_whitespace().map(ToOwned::to_owned).collect();
        let (commits, rest) = bytes.split_first_chunk()?;
        let (time, rest) = rest.split_first_chunk()?;
        bytes = rest;
        let time = Some(i64::from_le_bytes(*time)).filter(|&time| time != NO_TIME);
        roots.push(ProjectHistory {
            project,
            roots: names,
            commits: u64::from_le_bytes(*commits),
            first_commit: time,
        });
    }
    Some(roots)
}

fn text<'b>(bytes: &mut &'b [u8]) -> Option<&'b str> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    *bytes = rest;
    std::str::from_utf8(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_fork_is_that_of_its_family() {
        let key = |project| FileKey::new(project, "src/a.py", 1);
        assert_eq!(key("fork").of_other("fork", "main"), key("main"));
        assert_ne!(key("fork"), key("main"));
        assert_ne!(key("main"), FileKey::new("main", "src/a.py", 2));
    }

    #[test]
    fn roots_that_end_early_are_none() {
        let mut builder = HistoryBuilder::default();
        let roots = vec!["1".to_owned()];
        builder.project(&Project { project: "a".to_owned(), roots, ..Project::default() });
        let [_, bytes] = builder.sections();
        assert_eq!(roots_of(&bytes), Some(1));
        for end in 1..bytes.len() {
            assert_eq!(roots_of(&bytes[..end]), None, "{end}");
        }
    }

    fn roots_of(bytes: &[u8]) -> Option<usize> {
        roots(bytes).map(|roots| roots.len())
    }
}
