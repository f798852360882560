//! Which files have not changed since they were last read. As in the index of git, metadata of the file system decide.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use crate::Before;

/// Stands before the name of what is kept; another version may read files as something else, or keep other places.
const PREFIX: &str = concat!("files 2 ", env!("CARGO_PKG_VERSION"), " ");

/// A file that changed so late before reading began may change again within the same tick of the clock.
const TICK: u64 = 2;

/// The files of one reading, beside those of the last that counts.
pub(crate) struct Unchanged {
    before: HashSet<u128>,
    now: Vec<u128>,
    /// Seconds since 1970.
    started: u64,
}

impl Unchanged {
    /// What the reading left whose state the corpus has.
    pub(crate) fn open(before: &Before<'_>) -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Self::open_at(before, now.map_or(0, |since| since.as_secs()))
    }

    fn open_at(before: &Before<'_>, started: u64) -> Self {
        let kept = before.cache.zip(before.state.and_then(|state| state.strip_prefix(PREFIX)));
        let bytes = kept.and_then(|(folder, name)| {
            let bytes = std::fs::read(file_of(folder, name)).ok()?;
            (hex(&bytes) == name).then_some(bytes)
        });
        let (files, _) = bytes.as_deref().unwrap_or_default().as_chunks();
        Self {
            before: files.iter().map(|file| u128::from_le_bytes(*file)).collect(),
            now: Vec::new(),
            started,
        }
    }

    /// Whether the file at `path` is as it was. To be asked before the file is read.
    pub(crate) fn has(&mut self, path: &str, metadata: &Metadata) -> bool {
        let mut hash = Xxh3::new();
        for number in [
            metadata.size().cast_signed(),
            metadata.mtime(),
            metadata.mtime_nsec(),
            metadata.ctime(),
            metadata.ctime_nsec(),
            metadata.ino().cast_signed(),
            metadata.dev().cast_signed(),
        ] {
            hash.update(&number.to_le_bytes());
        }
        hash.update(path.as_bytes());
        let file = hash.digest128();
        if metadata.ctime().saturating_add_unsigned(TICK) < self.started.cast_signed() {
            self.now.push(file);
        }
        self.before.contains(&file)
    }

    /// Keeps the files of this reading in the source's folder, and gives the state to keep with it. What readings left that do
    /// not count goes.
    pub(crate) fn keep(mut self, before: &Before<'_>) -> io::Result<Option<String>> {
        let Some(folder) = before.cache else { return Ok(None) };
        self.now.sort_unstable();
        let bytes: Vec<u8> = self.now.iter().flat_map(|file| file.to_le_bytes()).collect();
        let name = hex(&bytes);
        std::fs::create_dir_all(folder)?;
        let counts = before.state.and_then(|state| state.strip_prefix(PREFIX));
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if counts.is_none_or(|counts| path != file_of(folder, counts)) {
                std::fs::remove_file(path)?;
            }
        }
        std::fs::write(file_of(folder, &name), bytes)?;
        Ok(Some(format!("{PREFIX}{name}")))
    }
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.files"))
}

fn hex(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_unchanged_until_it_is_written_whatever_its_time_says() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let (file, cache) = (dir.path().join("a.py"), dir.path().join("cache"));
        let write = |text: &str| {
            std::fs::write(&file, text).expect("it can be written");
            let time = UNIX_EPOCH + std::time::Duration::from_secs(1 << 30);
            let open = std::fs::File::options().write(true).open(&file).expect("just made");
            open.set_modified(time).expect("its time can be set");
        };
        let read = |state: Option<&str>, started: u64| {
            let before = Before { state, cache: Some(&cache), ..Before::NONE };
            let mut files = Unchanged::open_at(&before, started);
            let metadata = file.symlink_metadata().expect("just made");
            let has = files.has("a.py", &metadata);
            (has, files.keep(&before).expect("it can be written").expect("there is a folder"))
        };
        let (now, later) = (0, 1 << 40);
        write("one");
        let (has, state) = read(None, later);
        assert!(!has);
        let (has, state) = read(Some(&state), later);
        assert!(has, "nothing changed");
        assert!(!read(Some("another version"), later).0);
        std::thread::sleep(std::time::Duration::from_millis(20));
        write("two");
        let (has, state) = read(Some(&state), now);
        assert!(!has, "it was written");
        assert!(!read(Some(&state), later).0, "it may have changed after it was read");
    }
}
