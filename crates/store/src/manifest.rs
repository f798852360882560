//! The manifest: which files make up the corpus, generation by generation.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use xxhash_rust::xxh3::xxh3_128;

use crate::StoreError;

/// The newest format that this version reads. What has no vectors is written in the first, which older versions read too.
pub(crate) const FORMAT: u32 = 2;
const WITHOUT_VECTORS: u32 = 1;

const FILE: &str = "manifest.json";
pub(crate) const NEXT: &str = "manifest.json.next";

/// The folders of the files that a manifest names.
pub(crate) const TABLES: &str = "tables";
pub(crate) const SEGMENTS: &str = "segments";
pub(crate) const FOLDERS: [&str; 2] = [TABLES, SEGMENTS];

/// What stands between everything else and the checksum of that, and what ends the file.
const BEFORE_CHECKSUM: &str = ",\n  \"checksum\": \"";
const END: &str = "\n}";

/// The keys that stand before the checksum.
const KEYS: [&str; 7] = ["format", "generation", "text", "sources", "parts", "all_stand", "next_part"];

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
    /// The name of what made the vectors of the corpus, where there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<String>,
    /// Whether every blob stands somewhere. Where this is not said, some may not, since their places were taken out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub all_stand: bool,
    /// The least number that no part ever had; 0 in a manifest that does not say.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub next_part: u64,
}

/// A source that is part of the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Globs of paths that are left out of it (`--exclude`), when it is updated too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// Whether it is read with what `.gitignore` files leave out (`--no-ignore`), when it is updated too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_ignore: bool,
    /// Limits that are not the usual ones, which count when it is updated too: most bytes of a file, most bytes that an archive
    /// unpacks to, and how deep archives stand in archives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_file: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_archive: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_depth: Option<u32>,
    /// The least memory, in bytes, for which something of it was left out: with more, everything is to be read again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_of_memory: Option<u64>,
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
    /// The least memory, in bytes, with which parsing gave up on the functions of a blob of this part, if there are such blobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<u64>,
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
    /// What found the licenses that a segment of code keeps although their texts are kept, too: another may find others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licenses_by: Option<String>,
}

/// What a derived file answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SegmentKind {
    /// Which blobs hold some code.
    Code,
    /// Where a blob stands.
    Places,
    /// Which functions do the same as some code.
    Vectors,
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

impl Manifest {
    pub(crate) fn new(text: bool) -> Self {
        Self {
            format: WITHOUT_VECTORS,
            generation: 0,
            text,
            sources: Vec::new(),
            parts: Vec::new(),
            vectors: None,
            all_stand: true,
            next_part: 0,
        }
    }

    /// Says whose vectors the corpus has; those of another encoder count no more.
    pub(crate) fn set_vectors(&mut self, encoder: &str) {
        if self.vectors.as_deref() != Some(encoder) {
            for part in &mut self.parts {
                part.segments.retain(|file| file.kind != SegmentKind::Vectors);
            }
        }
        self.format = FORMAT;
        self.vectors = Some(encoder.to_owned());
    }

    /// The manifest of the corpus in `folder`; `None` where there is none.
    pub(crate) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        let path = folder.join(FILE);
        match fs::read(&path) {
            Ok(bytes) => Self::parse(&path, &bytes).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::read(&path)(error)),
        }
    }

    /// The manifest that the file at `path` holds.
    fn parse(path: &Path, bytes: &[u8]) -> Result<Self, StoreError> {
        let damaged = |reason: String| StoreError::Manifest { path: path.to_owned(), reason };
        let keys: Map<String, Value> =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        // First, for a newer format may have other keys, and another checksum.
        let found = keys.get("format").and_then(Value::as_u64).unwrap_or(0);
        if found > u64::from(FORMAT) {
            return Err(StoreError::Newer { path: path.to_owned(), found, known: FORMAT });
        }
        if !is_as_written(bytes, &keys) {
            return Err(damaged("it has changed since it was written".to_owned()));
        }
        let manifest: Self =
            serde_json::from_value(Value::Object(keys)).map_err(|error| damaged(error.to_string()))?;
        let outside = manifest.named().map(|(file, ..)| file).find(|file| !is_inside(file));
        match outside {
            Some(file) => Err(damaged(format!("it names {file:?}, which is not a file of a corpus"))),
            None => Ok(manifest),
        }
    }

    /// Makes this the manifest of `folder`: wholly, or not at all. The files that it names must be on the disk already. Where it
    /// is the manifest and may not be on the disk yet, that is [`StoreError::NotSynced`].
    pub(crate) fn replace(&self, folder: &Path) -> Result<(), StoreError> {
        let (path, next) = (folder.join(FILE), folder.join(NEXT));
        let mut text = serde_json::to_string_pretty(self).expect("plain data is written to memory");
        text.truncate(text.len() - END.len());
        text = format!("{text}{BEFORE_CHECKSUM}{}\"{END}", checksum(text.as_bytes()));
        let write = || {
            let mut file = File::create(&next)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&next, &path)
        };
        write().map_err(StoreError::write(&path))?;
        sync(folder).map_err(|source| StoreError::NotSynced { path: folder.to_owned(), source })
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

/// Whether a path below the corpus is one of a table or a segment; whoever wrote a manifest, nothing else is read.
fn is_inside(file: &str) -> bool {
    let name = FOLDERS.iter().find_map(|folder| file.strip_prefix(folder)?.strip_prefix('/'));
    name.is_some_and(|name| !name.starts_with('.') && !name.contains(['/', '\\', ':']))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:032x}", xxh3_128(bytes))
}

/// Whether the manifest of these keys has the checksum that it gives. In one without a checksum, an unknown key is a checksum
/// whose name was damaged.
fn is_as_written(bytes: &[u8], keys: &Map<String, Value>) -> bool {
    let Some(given) = keys.get("checksum") else {
        return keys.keys().all(|key| KEYS.contains(&key.as_str()));
    };
    let end = given.as_str().map(|given| format!("{BEFORE_CHECKSUM}{given}\"{END}"));
    let body = end.and_then(|end| bytes.strip_suffix(end.as_bytes()));
    body.is_some_and(|body| Some(checksum(body).as_str()) == given.as_str())
}

/// Brings the names of a folder's files to the disk.
pub(crate) fn sync(folder: &Path) -> std::io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        let source = |source: &str, base| SourceEntry {
            source: source.to_owned(),
            read: 7,
            base,
            ..SourceEntry::default()
        };
        let file = "tables/blobs-00000001.parquet".to_owned();
        let table =
            TableFile { table: "blobs".to_owned(), file, rows: 3, bytes: 9, checksum: "a0".repeat(16) };
        let source_of_part = "dir:/a".to_owned();
        let segments = Vec::new();
        let part = Part { number: 1, source: source_of_part, tables: vec![table], segments, gave_up: None };
        let sources = vec![source("dir:/a", true), source("dir:/größe", false)];
        Manifest { sources, parts: vec![part], generation: 2, ..Manifest::new(true) }
    }

    #[test]
    fn any_flipped_bit_of_a_manifest_is_found() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        manifest().replace(folder.path()).expect("it can be written");
        let bytes = fs::read(folder.path().join(FILE)).expect("just made");
        assert_eq!(Manifest::parse(folder.path(), &bytes).expect("whole"), manifest());
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let found = Manifest::parse(folder.path(), &flipped);
            // A flipped digit of the format looks like a newer one.
            let is_told = matches!(found, Err(StoreError::Manifest { .. } | StoreError::Newer { .. }));
            assert!(is_told, "bit {bit}: {found:?}");
        }
    }

    #[test]
    fn a_newer_format_is_told_whatever_its_keys_and_checksum() {
        for text in [r#"{"format": 3, "tables": []}"#, r#"{"format": 3, "checksum": 7, "parts": {}}"#] {
            let error =
                Manifest::parse(Path::new(FILE), text.as_bytes()).expect_err("it is newer").to_string();
            assert!(error.contains("a newer Familiar (format 3") && error.contains("damaged"), "{error}");
        }
    }

    #[test]
    fn files_outside_the_corpus_are_none_of_it() {
        for file in ["/etc/passwd", "../tables/a", "tables/../../a", "tables/..", "a", ""] {
            let mut manifest = manifest();
            file.clone_into(&mut manifest.parts[0].tables[0].file);
            let text = serde_json::to_vec(&manifest).expect("plain data");
            let found = Manifest::parse(Path::new(FILE), &text);
            assert!(matches!(found, Err(StoreError::Manifest { .. })), "{file}: {found:?}");
        }
    }

    #[test]
    fn a_manifest_that_is_older_than_checksums_is_read() {
        let old = serde_json::to_vec_pretty(&manifest()).expect("plain data");
        assert_eq!(Manifest::parse(Path::new(FILE), &old).expect("whole"), manifest());
    }
}
