//! A folder, or a single file, as a source of code.
//!
//! The files are those that [`dir::each`] lists. They are read one at a time, and each is one item. What is as it was when it was
//! last read is not read again.

use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use familiar_license::infer::declares;
use familiar_source::{BlobId, Occurrence, words};

use crate::content::{file, name_of};
use crate::unchanged::Unchanged;
use crate::{Before, Found, Kept, Limits, Sink, Source, SourceError};
use familiar_files::bounded::{read_within, too_large};
use familiar_files::dir::{self, WalkOptions};
use familiar_files::{Document, Skip};

/// A folder or a file. The project is its name, the time of an item when the file was last changed; a time that tools set
/// for the sake of reproducible archives counts as none.
#[derive(Clone, Debug)]
pub struct Tree {
    pub root: PathBuf,
    pub walk: WalkOptions,
}

impl Source for Tree {
    fn read(&self, limits: &Limits, sink: &mut Sink<'_>) -> Result<(), SourceError> {
        self.read_since(&Before::NONE, limits, sink)
    }

    fn read_since(
        &self,
        before: &Before<'_>,
        limits: &Limits,
        sink: &mut Sink<'_>,
    ) -> Result<(), SourceError> {
        let project = name_of(&self.root);
        let mut unchanged = Unchanged::open(before);
        // None where two files have one path as text: bytes that are not UTF-8 stand there percent-encoded.
        let mut last: HashMap<String, Option<(BlobId, Occurrence)>> = HashMap::new();
        if before.state.is_some() {
            let each = &mut |blob, occurrence: Occurrence, kept| {
                if kept == Kept::Code {
                    let path = occurrence.path.clone();
                    let row = Some((blob, occurrence));
                    last.entry(path).and_modify(|known| *known = None).or_insert(row);
                }
            };
            let failed = |source| SourceError::Read { path: self.root.clone(), source };
            (before.occurrences)(each).map_err(failed)?;
        }
        let mut whole = true;
        for_each_file(&self.root, &self.walk, sink, |document, metadata, sink| {
            let path = document.path.as_str().to_owned();
            let is_unchanged = unchanged.has(&path, metadata);
            let row = last.get_mut(&path).and_then(Option::take);
            let known = row.filter(|(blob, _)| is_unchanged && !declares(&path) && (before.holds)(blob));
            let goes_on = if let Some((blob, occurrence)) = known {
                sink(Found::Known { blob, occurrence, kept: Kept::Code })
            } else {
                sink(match read_file(&document.file, limits) {
                    Ok((Some(bytes), time)) => file(&project, path, bytes, time),
                    Ok((None, _)) => Found::Skip { path, reason: too_large(limits.item_bytes) },
                    Err(error) => Found::Skip { path, reason: words::unread(&error) },
                })
            };
            whole &= goes_on.is_continue();
            goes_on
        })?;
        // Without it everything is read again.
        if let Ok(Some(state)) = unchanged.keep(before)
            && whole
        {
            let _ends_anyway = sink(Found::State(state));
        }
        Ok(())
    }

    fn exclude(&self) -> &[String] {
        &self.walk.exclude
    }

    fn no_ignore(&self) -> bool {
        self.walk.no_ignore
    }
}

/// Passes on what a listing leaves out, and calls `each` with every file of it, until the sink ends the reading.
pub(crate) fn for_each_file(
    root: &Path,
    walk: &WalkOptions,
    sink: &mut Sink<'_>,
    mut each: impl FnMut(&Document, &Metadata, &mut Sink<'_>) -> ControlFlow<()>,
) -> Result<(), SourceError> {
    let found = |found| match found {
        Ok((document, metadata)) => each(&document, &metadata, sink),
        Err(Skip { path, reason, .. }) => sink(Found::Skip { path: path.as_str().to_owned(), reason }),
    };
    Ok(dir::each(root, walk, found)?)
}

/// The content of a file if it is within the limits, and when it was last changed.
pub(crate) fn read_file(path: &Path, limits: &Limits) -> io::Result<(Option<Vec<u8>>, Option<i64>)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let time = metadata.modified().ok().and_then(seconds);
    if metadata.len() > limits.item_bytes {
        return Ok((None, time));
    }
    Ok((read_within(file, limits.item_bytes)?, time))
}

/// Seconds since 1970, where they can be counted.
pub(crate) fn seconds(time: SystemTime) -> Option<i64> {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_secs()).ok(),
        Err(before) => i64::try_from(before.duration().as_secs()).ok().map(|seconds| -seconds),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use familiar_source::Evidence;

    use super::*;

    /// Everything that a source yields.
    pub(crate) fn all(source: &dyn Source, limits: &Limits) -> Vec<Found> {
        let mut found = Vec::new();
        source
            .read(limits, &mut |one| {
                found.push(one);
                ControlFlow::Continue(())
            })
            .expect("a readable source");
        found
    }

    /// `path=content` of every item, `path!reason` of every skip.
    pub(crate) fn summaries(found: &[Found]) -> Vec<String> {
        let one = |found: &Found| match found {
            Found::Item(item) => {
                format!("{}={}", item.occurrence.path, String::from_utf8_lossy(&item.bytes))
            }
            Found::Skip { path, reason } => format!("{path}!{reason}"),
            other => format!("{other:?}"),
        };
        found.iter().map(one).collect()
    }

    fn small_tree() -> (tempfile::TempDir, Tree) {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let root = dir.path().join("project");
        std::fs::create_dir_all(root.join("b")).expect("just made");
        std::fs::write(root.join("b/x.py"), "xx").expect("just made");
        std::fs::write(root.join("a.py"), "a").expect("just made");
        (dir, Tree { root, walk: WalkOptions::default() })
    }

    #[test]
    fn every_file_is_an_item_of_the_folders_project() {
        let (_dir, tree) = small_tree();
        let found = all(&tree, &Limits::default());
        assert_eq!(summaries(&found), ["a.py=a", "b/x.py=xx"]);
        let Found::Item(item) = &found[0] else { panic!("an item") };
        assert_eq!(item.occurrence.project, "project");
        assert_eq!(item.occurrence.evidence, Evidence::FileTime);
        assert_eq!(item.occurrence.first_line, 1);
        assert!(item.occurrence.first_seen > Some(1_600_000_000));
        assert_eq!(item.occurrence.first_seen, item.occurrence.last_seen);
    }

    #[test]
    fn a_single_file_is_a_project_of_its_own() {
        let (_dir, tree) = small_tree();
        let one = Tree { root: tree.root.join("b/x.py"), ..tree };
        assert_eq!(summaries(&all(&one, &Limits::default())), ["x.py=xx"]);
    }

    #[test]
    fn what_is_too_large_is_a_skip_and_a_break_ends_the_reading() {
        let (_dir, tree) = small_tree();
        let limits = Limits { item_bytes: 1, ..Limits::default() };
        assert_eq!(
            summaries(&all(&tree, &limits)),
            ["a.py=a", "b/x.py!larger than 1 byte, the limit for one file"]
        );
        let mut seen = 0;
        let mut once = |_: Found| {
            seen += 1;
            ControlFlow::Break(())
        };
        tree.read(&limits, &mut once).expect("readable");
        assert_eq!(seen, 1);
    }

    #[test]
    fn files_whose_paths_are_one_text_are_read_again() {
        use std::os::unix::ffi::OsStrExt as _;
        let (_dir, tree) = small_tree();
        std::fs::remove_dir_all(&tree.root).expect("it is ours");
        std::fs::create_dir(&tree.root).expect("just made");
        for (name, text) in [(&b"n%E9.py"[..], "a"), (b"n\xe9.py", "b")] {
            let file = tree.root.join(std::ffi::OsStr::from_bytes(name));
            std::fs::write(file, text).expect("just made");
        }
        let cache = tempfile::tempdir().expect("the temporary folder can be written");
        // A file that was just written is read again for that alone.
        std::thread::sleep(std::time::Duration::from_millis(3100));
        let mut state = None;
        for _ in 0..2 {
            let rows = |each: &mut dyn FnMut(BlobId, Occurrence, Kept)| {
                for blob in [1, 2] {
                    let row = Occurrence { path: "n%E9.py".to_owned(), ..Occurrence::default() };
                    each(BlobId([blob; 20]), row, Kept::Code);
                }
                Ok(())
            };
            let before = Before {
                state: state.as_deref(),
                holds: &|_| true,
                occurrences: &rows,
                cache: Some(cache.path()),
                ..Before::NONE
            };
            let (mut items, mut next) = (0, None);
            let mut sink = |found| {
                match found {
                    Found::Item(_) => items += 1,
                    Found::State(state) => next = Some(state),
                    other => panic!("{other:?}"),
                }
                ControlFlow::Continue(())
            };
            tree.read_since(&before, &Limits::default(), &mut sink).expect("readable");
            assert_eq!(items, 2);
            state = next;
        }
    }

    #[test]
    fn a_missing_root_is_an_error() {
        let tree = Tree { root: PathBuf::from("no/such"), walk: WalkOptions::default() };
        let error = tree.read(&Limits::default(), &mut |_| ControlFlow::Continue(())).expect_err("none");
        assert!(error.to_string().contains("no/such"));
    }
}
