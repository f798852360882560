//! Writing: one part after another, and then all of them at once.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use crate::manifest::{self, FOLDERS, Manifest, Part, SEGMENTS, SegmentKind, SourceEntry, TABLES};
use crate::part::{PartWriter, SegmentFiles};
use crate::tables::{
    Blobs, Fragments, LicenseFiles, LicenseTexts, Licenses, Lineages, Occurrences, Projects, ROW_GROUP,
    Skips, Table, Texts,
};
use crate::{StoreError, readers};

const LOCK: &str = "lock";
const CACHES: &str = "sources";

/// The tables that say where things stand in a source, which go when it is read anew.
const OF_PLACES: [&str; 6] =
    [Occurrences::NAME, LicenseFiles::NAME, LicenseTexts::NAME, Lineages::NAME, Projects::NAME, Skips::NAME];

/// The tables that say what blobs hold, wherever they stand.
const OF_BLOBS: [&str; 4] = [Blobs::NAME, Fragments::NAME, Licenses::NAME, Texts::NAME];

/// The one process that may change a corpus, while it lives.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    manifest: Manifest,
    /// Numbers of parts, those that were never committed too.
    next_part: u64,
    row_group: usize,
    /// Whether a crash may bring the manifest before back, whose files stay therefore.
    is_unsure: bool,
    _lock: File,
}

impl Writer {
    /// Opens the corpus in `folder` for writing, and makes it where the folder is empty or missing; `text` says whether a
    /// new corpus keeps source text. What an earlier writer left unfinished is taken away.
    pub fn open(folder: &Path, text: bool) -> Result<Self, StoreError> {
        let write = StoreError::write;
        fs::create_dir_all(folder).map_err(write(folder))?;
        let manifest = Manifest::read(folder)?;
        if manifest.is_none() && !holds_nothing_else(folder).map_err(StoreError::read(folder))? {
            return Err(StoreError::NotACorpus { path: folder.to_owned() });
        }
        let path = folder.join(LOCK);
        let lock = File::options().create(true).append(true).open(&path).map_err(write(&path))?;
        match try_lock(&lock) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(write(&path)(error)),
        }
        for inner in FOLDERS.map(|name| folder.join(name)) {
            fs::create_dir_all(&inner).map_err(write(&inner))?;
        }
        // Another writer may have ended between the two.
        let manifest = Manifest::read(folder)?.unwrap_or_else(|| Manifest::new(text));
        let mut writer = Self {
            folder: folder.to_owned(),
            manifest,
            next_part: 1,
            row_group: ROW_GROUP,
            is_unsure: false,
            _lock: lock,
        };
        writer.remove_what_is_not_named(&writer.manifest)?;
        let named = writer.manifest.parts.iter().map(|part| part.number);
        // What somebody reads is still there.
        let left = writer.files()?.into_iter().filter_map(|path| numbers(&path)).map(|(part, _)| part);
        let next = named.chain(left).max().map_or(1, |last| last.saturating_add(1));
        writer.next_part = next.max(writer.manifest.next_part);
        Ok(writer)
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Sets how many bytes of rows a table collects before it writes them as one row group.
    pub fn set_row_group(&mut self, bytes: usize) {
        self.row_group = bytes;
    }

    /// Starts the tables of one source.
    pub fn part(&mut self, source: &str) -> Result<PartWriter, StoreError> {
        let number = self.next_part;
        // Only a manifest that somebody made up comes so far.
        self.next_part = number.checked_add(1).ok_or_else(|| StoreError::Manifest {
            path: self.folder.clone(),
            reason: "the corpus has as many parts as it can number; make a new corpus".to_owned(),
        })?;
        PartWriter::create(&self.folder, number, source, self.manifest.text, self.row_group)
    }

    /// Adds a part to what the next commit makes valid, in the place of what the same source gave before. Blobs that were
    /// stored for it stay, for others may stand on them.
    pub fn add(&mut self, part: Part, read: i64) {
        self.forget(&part.source);
        self.extend(part, read, None);
    }

    /// Adds a part to what the next commit makes valid, beside what the same source gave before (`read_latest` tells which
    /// rows count then). `state` is what the source wants to know when it is read again.
    pub fn extend(&mut self, part: Part, read: i64, state: Option<String>) {
        let entry = SourceEntry { source: part.source.clone(), read, state, ..SourceEntry::default() };
        match self.manifest.sources.iter_mut().find(|known| known.source == entry.source) {
            Some(known) => *known = entry,
            None => self.manifest.sources.push(entry),
        }
        if !part.tables.is_empty() {
            self.manifest.parts.push(part);
        }
    }

    /// Keeps what a source wants to know when it is read again.
    pub fn keep(&mut self, source: &str, state: Option<String>) {
        if let Some(known) = self.entry(source) {
            known.state = state;
        }
    }

    /// The folder of the corpus for what a source needs again: not there until the source makes it, and part of no table.
    pub fn cache(&self, source: &str) -> PathBuf {
        self.folder.join(CACHES).join(format!("{:016x}", xxh3_64(source.as_bytes())))
    }

    /// What is said of a source of the corpus.
    pub fn entry(&mut self, source: &str) -> Option<&mut SourceEntry> {
        self.manifest.sources.iter_mut().find(|entry| entry.source == source)
    }

    /// Says of a source that was added which projects stay out when it is updated.
    pub fn leave_out(&mut self, source: &str, projects: &[String]) {
        if let Some(entry) = self.entry(source) {
            projects.clone_into(&mut entry.without);
        }
    }

    /// Puts a part that says where things stand in a source in the place of all that did. When it was read, and what it wants
    /// to know then, stays.
    pub fn replace_places(&mut self, part: Part) {
        self.forget(&part.source);
        if !part.tables.is_empty() {
            self.manifest.parts.push(part);
        }
    }

    /// Takes a source out: its occurrences and skips. Whether there was such a source.
    pub fn remove(&mut self, source: &str) -> bool {
        let before = self.manifest.sources.len();
        self.manifest.sources.retain(|known| known.source != source);
        self.forget(source);
        self.manifest.sources.len() < before
    }

    /// Takes out where things stand in a source.
    fn forget(&mut self, source: &str) {
        for part in self.manifest.parts.iter_mut().filter(|part| part.source == source) {
            part.tables.retain(|file| !OF_PLACES.contains(&file.table.as_str()));
            part.segments.retain(|file| file.kind != SegmentKind::Places);
            self.manifest.all_stand = false;
        }
        self.manifest.parts.retain(|part| !part.tables.is_empty());
    }

    /// Puts the blobs of a part in the place of those of other parts, which keep what they say of places.
    pub fn merge(&mut self, part: Part, others: &[u64]) {
        for known in self.manifest.parts.iter_mut().filter(|known| others.contains(&known.number)) {
            known.tables.retain(|file| !OF_BLOBS.contains(&file.table.as_str()));
            known.segments.retain(|file| file.kind == SegmentKind::Places);
            known.gave_up = None;
        }
        self.manifest.parts.retain(|part| !part.tables.is_empty());
        if !part.tables.is_empty() {
            self.manifest.parts.push(part);
        }
    }

    /// Says that every blob stands somewhere.
    pub fn all_stand(&mut self) {
        self.manifest.all_stand = true;
    }

    /// Starts the derived files of a part anew: beside those that count until [`Writer::replace_segments`].
    pub fn new_segments(&self, part: u64) -> Result<SegmentFiles, StoreError> {
        let there = self.files()?.into_iter().filter_map(|path| numbers(&path));
        let last = there.filter(|(of, _)| *of == part).filter_map(|(_, number)| number).max();
        let next = last.map_or(0, |last| last + 1);
        Ok(SegmentFiles::new(&self.folder, part, next))
    }

    /// Says what makes the vectors of the corpus from now on; those of another encoder go.
    pub fn set_vectors(&mut self, encoder: &str) {
        self.manifest.set_vectors(encoder);
    }

    /// Adds derived files to those that their part has.
    pub fn add_segments(&mut self, files: SegmentFiles) {
        if let Some(part) = self.manifest.parts.iter_mut().find(|part| part.number == files.part) {
            part.segments.extend(files.files);
        }
    }

    /// Puts derived files in the place of those that their part had.
    pub fn replace_segments(&mut self, files: SegmentFiles) {
        if let Some(part) = self.manifest.parts.iter_mut().find(|part| part.number == files.part) {
            part.segments = files.files;
        }
    }

    /// Makes everything added and removed valid at once; then takes away the files that do not count any more, where it can.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        for inner in FOLDERS.map(|name| self.folder.join(name)) {
            manifest::sync(&inner).map_err(StoreError::write(&inner))?;
        }
        self.manifest.generation += 1;
        self.manifest.next_part = self.next_part;
        let replaced = self.manifest.replace(&self.folder);
        self.is_unsure = matches!(replaced, Err(StoreError::NotSynced { .. }));
        replaced?;
        // The change counts by now; what stays goes with a later commit.
        let _ = self.remove_what_is_not_named(&self.manifest);
        self.remove_caches();
        Ok(())
    }

    /// Removes what was kept for sources that are none any more. What cannot be removed goes with a later commit.
    fn remove_caches(&self) {
        let named: BTreeSet<PathBuf> =
            self.manifest.sources.iter().map(|known| self.cache(&known.source)).collect();
        let there = fs::read_dir(self.folder.join(CACHES)).into_iter().flatten().flatten();
        for path in there.map(|entry| entry.path()).filter(|path| !named.contains(path)) {
            let _ = fs::remove_dir_all(path);
        }
    }

    /// Removes files that the manifest does not name: of a writer that did not come to its end, or replaced. What somebody
    /// reads, and what cannot be removed, goes with a later commit.
    fn remove_what_is_not_named(&self, manifest: &Manifest) -> Result<(), StoreError> {
        let named: BTreeSet<PathBuf> = manifest.named().map(|(file, ..)| self.folder.join(file)).collect();
        let mut files = self.files()?;
        files.retain(|path| !named.contains(path));
        let take_away = || {
            for path in &files {
                let _ = fs::remove_file(path);
            }
        };
        let path = self.folder.join(readers::FILE);
        readers::unless_read(&self.folder, take_away).map_err(StoreError::write(&path))
    }

    /// The files of all tables and segments, those that do not count too.
    fn files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut files = Vec::new();
        for inner in FOLDERS.map(|name| self.folder.join(name)) {
            for entry in fs::read_dir(&inner).map_err(StoreError::read(&inner))? {
                files.push(entry.map_err(StoreError::read(&inner))?.path());
            }
        }
        Ok(files)
    }
}

impl Drop for Writer {
    /// Gives back the space of what was not committed.
    fn drop(&mut self) {
        if self.is_unsure {
            return;
        }
        // Whatever is wrong here was told before, or will be to the next writer.
        if let Ok(manifest) = Manifest::read(&self.folder) {
            let _ = self.remove_what_is_not_named(&manifest.unwrap_or_else(|| Manifest::new(true)));
        }
    }
}

/// The number of the part whose file has this name; of a segment also its number in the part.
fn numbers(path: &Path) -> Option<(u64, Option<u32>)> {
    let name = path.file_name()?.to_str()?;
    let (before, after) = name.rsplit_once('-')?;
    match after.strip_suffix(".segment") {
        Some(number) => Some((before.parse().ok()?, Some(number.parse().ok()?))),
        None => Some((after.strip_suffix(".parquet")?.parse().ok()?, None)),
    }
}

/// Whether a folder holds nothing but what an unfinished writer may have left.
fn holds_nothing_else(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if ![LOCK, readers::FILE, TABLES, SEGMENTS, CACHES, manifest::NEXT].iter().any(|known| name == *known)
        {
            return Ok(false);
        }
    }
    Ok(true)
}
/// How often a lock is tried, and how long is waited in between.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(20);

/// Takes the lock. A process that is being started holds a copy of every lock of the one that starts it until it runs its own
/// program, so one that was just given up may still be held for a moment.
fn try_lock(lock: &File) -> Result<(), TryLockError> {
    for _ in 1..TRIES {
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
            other => return other,
        }
    }
    lock.try_lock()
}
