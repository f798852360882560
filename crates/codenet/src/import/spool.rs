//! What an import keeps while it runs, so that it can go on after it was ended at any moment.
//!
//! Rows go to files that only grow. A checkpoint says how long each file is, and how much of the source it has. What was
//! written after it counts for nothing, and is cut off by whoever goes on.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// How far an import is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    /// What is imported and how; only the same import can go on.
    pub(super) import: String,
    /// How many entries of the source are done.
    pub(super) entries: u64,
    /// A hash of those, by which a source that has changed is known; older imports have none.
    #[serde(default)]
    pub(super) hash: Option<u64>,
    /// How many submissions the set has.
    pub(super) submissions: u64,
    /// Whether the ids of problems, users and submissions are kept.
    pub(super) kept: [Option<bool>; 3],
    /// The length of each file in bytes.
    lengths: BTreeMap<String, u64>,
}

/// The files of an import that runs.
pub(super) struct Spool {
    folder: PathBuf,
    pub(super) checkpoint: Checkpoint,
    /// What is not written yet.
    waiting: BTreeMap<String, Vec<u8>>,
}

const STATE: &str = "state.json";

impl Spool {
    /// Begins an import, or goes on with the one that was ended. `None` where another one was.
    pub(super) fn open(folder: &Path, import: &str) -> io::Result<Option<Self>> {
        fs::create_dir_all(folder)?;
        let checkpoint = match fs::read(folder.join(STATE)) {
            Ok(state) => serde_json::from_slice(&state)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Checkpoint { import: import.to_owned(), ..Checkpoint::default() }
            }
            Err(error) => return Err(error),
        };
        if checkpoint.import != import {
            return Ok(None);
        }
        let spool = Self { folder: folder.to_owned(), checkpoint, waiting: BTreeMap::new() };
        spool.cut()?;
        Ok(Some(spool))
    }

    /// Takes away what was written after the checkpoint.
    fn cut(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            match self.checkpoint.lengths.get(&name) {
                _ if name == STATE => {}
                _ if entry.file_type()?.is_dir() => fs::remove_dir_all(entry.path())?,
                Some(&length) => OpenOptions::new().write(true).open(entry.path())?.set_len(length)?,
                None => fs::remove_file(entry.path())?,
            }
        }
        Ok(())
    }

    /// Adds a line to a file.
    pub(super) fn add(&mut self, file: &str, line: &impl Serialize) -> io::Result<()> {
        let waiting = self.waiting.entry(file.to_owned()).or_default();
        serde_json::to_writer(&mut *waiting, line)?;
        waiting.push(b'\n');
        Ok(())
    }

    /// Writes all that waits, and says that it counts.
    pub(super) fn check(&mut self) -> io::Result<()> {
        for (name, bytes) in std::mem::take(&mut self.waiting) {
            let mut file = OpenOptions::new().append(true).create(true).open(self.folder.join(&name))?;
            file.write_all(&bytes)?;
            *self.checkpoint.lengths.entry(name).or_default() += bytes.len() as u64;
        }
        let state = self.folder.join(format!("{STATE}.new"));
        let mut file = File::create(&state)?;
        file.write_all(&serde_json::to_vec(&self.checkpoint)?)?;
        drop(file);
        fs::rename(state, self.folder.join(STATE))
    }

    /// The names of the files that begin with `prefix`, sorted.
    pub(super) fn files(&self, prefix: &str) -> Vec<String> {
        self.checkpoint.lengths.keys().filter(|name| name.starts_with(prefix)).cloned().collect()
    }

    /// The lines of a file up to the checkpoint; none where there is no such file.
    pub(super) fn lines<T: serde::de::DeserializeOwned>(&self, file: &str) -> io::Result<Vec<T>> {
        if !self.checkpoint.lengths.contains_key(file) {
            return Ok(Vec::new());
        }
        let text = fs::read(self.folder.join(file))?;
        let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| serde_json::from_slice(line).map_err(io::Error::from)).collect()
    }

    /// The first line of a file.
    pub(super) fn first<T: serde::de::DeserializeOwned>(&self, file: &str) -> Option<T> {
        let mut line = String::new();
        BufReader::new(File::open(self.folder.join(file)).ok()?).read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    /// Copies a file to `path`, and counts its lines.
    pub(super) fn hand_over(&self, file: &str, path: &Path) -> io::Result<u64> {
        let mut out = BufWriter::new(File::create(path)?);
        let mut lines = 0;
        if self.checkpoint.lengths.contains_key(file) {
            let mut reader = BufReader::new(File::open(self.folder.join(file))?);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line)? > 0 {
                out.write_all(&line)?;
                line.clear();
                lines += 1;
            }
        }
        out.flush()?;
        Ok(lines)
    }

    /// Lets nobody go on with this import.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(self.folder.join(STATE));
    }

    /// Takes all files away.
    pub(super) fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)
    }
}
