//! The manifest: which files make up the corpus, generation by generation.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::StoreError;

/// The format that this version writes, and the newest that it reads.
pub(crate) const FORMAT: u32 = 1;

const FILE: &str = "manifest.json";
pub(crate) const NEXT: &str = "manifest.json.next";

/// Everything that a reader needs to know. Replaced as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Version of the format of the whole folder.
    pub format: u32,
    /// Counts the changes of the corpus.
    pub generation: u64,
    /// Whether the source text is kept.
    pub text: bool,
    /// What was added, in the order in which it came.
    pub sources: Vec<SourceEntry>,
    /// The tables, in the order in which they came.
    pub parts: Vec<Part>,
}

/// A source that is part of the corpus.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceEntry {
    /// Its name: prefix and place. A source that is added again replaces what it gave before.
    pub source: String,
    /// Seconds since 1970 when it was last read.
    pub read: i64,
    /// What the source wants to know when it is read again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Whether it was handed out, as an exercise's template is: code that stands there too says nothing about who copied.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub base: bool,
    /// Projects that were taken out of it, in order: they stay out when it is updated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// What one reading of one source gave.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Stands in the names of its files; never used again.
    pub number: u64,
    /// The name of the source.
    pub source: String,
    pub tables: Vec<TableFile>,
    /// What was derived from the tables, for look-ups.
    #[serde(default)]
    pub segments: Vec<SegmentFile>,
}

/// One file that is derived from tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SegmentFile {
    pub kind: SegmentKind,
    /// Path below the corpus.
    pub file: String,
    pub bytes: u64,
    /// XXH3 (128 bits) of the whole file, in hex digits.
    pub checksum: String,
}

/// What a derived file answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentKind {
    /// Which blobs hold some code.
    Code,
    /// Where a blob stands.
    Places,
}

/// One Parquet file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableFile {
    /// Name of the table.
    pub table: String,
    /// Path below the corpus.
    pub file: String,
    pub rows: u64,
    pub bytes: u64,
    /// XXH3 (128 bits) of the whole file, in hex digits.
    pub checksum: String,
}

/// What every format has.
#[derive(Deserialize)]
struct Version {
    format: u32,
}

impl Manifest {
    pub(crate) fn new(text: bool) -> Self {
        Self { format: FORMAT, generation: 0, text, sources: Vec::new(), parts: Vec::new() }
    }

    /// The manifest of the corpus in `folder`; `None` where there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(FILE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(StoreError::read(&path)(error)),
        };
        let damaged = |error: serde_json::Error| StoreError::damaged(&path, &error);
        let version: Version = serde_json::from_slice(&bytes).map_err(damaged)?;
        if version.format > FORMAT {
            return Err(StoreError::Newer { path, found: version.format, known: FORMAT });
        }
        serde_json::from_slice(&bytes).map(Some).map_err(damaged)
    }

    /// Makes this the manifest of `folder`: wholly, or not at all. The files that it names must be on the disk already.
    pub(crate) fn replace(&self, folder: &Path) -> Result<(), StoreError> {
        let (path, next) = (folder.join(FILE), folder.join(NEXT));
        let text = serde_json::to_vec_pretty(self).expect("plain data is written to memory");
        let write = || {
            let mut file = File::create(&next)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&next, &path)?;
            sync(folder)
        };
        write().map_err(StoreError::write(&path))
    }

    /// Every table file of every part.
    pub fn files(&self) -> impl Iterator<Item = &TableFile> {
        self.parts.iter().flat_map(|part| &part.tables)
    }

    /// Every derived file of every part.
    pub fn segments(&self) -> impl Iterator<Item = &SegmentFile> {
        self.parts.iter().flat_map(|part| &part.segments)
    }

    /// Path, length and checksum of every file.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&str, u64, &str)> {
        let tables = self.files().map(|file| (file.file.as_str(), file.bytes, file.checksum.as_str()));
        tables.chain(self.segments().map(|file| (file.file.as_str(), file.bytes, file.checksum.as_str())))
    }
}

/// Brings the names of a folder's files to the disk.
pub(crate) fn sync(folder: &Path) -> std::io::Result<()> {
    // Only there can a folder be opened, and only there does it need it.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}
