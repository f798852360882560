//! Writing: one part after another, and then all of them at once.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::StoreError;
use crate::manifest::{self, Manifest, Part, SourceEntry};
use crate::tables::{
    BlobRow, Blobs, FragmentRow, Fragments, OccurrenceRow, Occurrences, SkipRow, Skips, Table, TableWriter,
    TextRow, Texts,
};

const LOCK: &str = "lock";
const TABLES: &str = "tables";

/// The one process that may change a corpus, while it lives.
#[derive(Debug)]
pub struct Writer {
    folder: PathBuf,
    manifest: Manifest,
    /// Numbers of parts, those that were never committed too.
    next_part: u64,
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
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(StoreError::Locked { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(write(&path)(error)),
        }
        let tables = folder.join(TABLES);
        fs::create_dir_all(&tables).map_err(write(&tables))?;
        // Another writer may have ended between the two.
        let manifest = Manifest::read(folder)?.unwrap_or_else(|| Manifest::new(text));
        let next_part = manifest.parts.iter().map(|part| part.number + 1).max().unwrap_or(1);
        let mut writer = Self { folder: folder.to_owned(), manifest, next_part, _lock: lock };
        writer.remove_what_is_not_named()?;
        Ok(writer)
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Starts the tables of one source.
    pub fn part(&mut self, source: &str) -> Result<PartWriter, StoreError> {
        let number = self.next_part;
        self.next_part += 1;
        PartWriter::create(&self.folder, number, source, self.manifest.text)
    }

    /// Adds a part to what the next commit makes valid, in the place of what the same source gave before. Blobs that were
    /// stored for it stay, for others may stand on them.
    pub fn add(&mut self, part: Part, read: i64) {
        self.forget(&part.source);
        let entry = SourceEntry { source: part.source.clone(), read, base: false };
        match self.manifest.sources.iter_mut().find(|known| known.source == entry.source) {
            Some(known) => *known = entry,
            None => self.manifest.sources.push(entry),
        }
        self.manifest.parts.push(part);
    }

    /// Says of a source that was added that it was handed out.
    pub fn mark_as_base(&mut self, source: &str) {
        for entry in self.manifest.sources.iter_mut().filter(|entry| entry.source == source) {
            entry.base = true;
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
            part.tables.retain(|file| ![Occurrences::NAME, Skips::NAME].contains(&file.table.as_str()));
        }
        self.manifest.parts.retain(|part| !part.tables.is_empty());
    }

    /// Makes everything added and removed valid at once; then takes away the files that do not count any more.
    pub fn commit(&mut self) -> Result<(), StoreError> {
        let tables = self.folder.join(TABLES);
        manifest::sync(&tables).map_err(StoreError::write(&tables))?;
        self.manifest.generation += 1;
        self.manifest.replace(&self.folder)?;
        self.remove_what_is_not_named()
    }

    /// Removes table files that the manifest does not name: of a writer that did not come to its end, or replaced.
    fn remove_what_is_not_named(&mut self) -> Result<(), StoreError> {
        let named: BTreeSet<PathBuf> =
            self.manifest.files().map(|file| self.folder.join(&file.file)).collect();
        let tables = self.folder.join(TABLES);
        for entry in fs::read_dir(&tables).map_err(StoreError::read(&tables))? {
            let path = entry.map_err(StoreError::read(&tables))?.path();
            if !named.contains(&path) {
                fs::remove_file(&path).map_err(StoreError::write(&path))?;
            }
        }
        Ok(())
    }
}

/// Whether a folder holds nothing but what an unfinished writer may have left.
fn holds_nothing_else(folder: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if ![LOCK, TABLES, manifest::NEXT].iter().any(|known| name == *known) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The tables of one source, being written.
pub struct PartWriter {
    number: u64,
    source: String,
    blobs: TableWriter<Blobs>,
    occurrences: TableWriter<Occurrences>,
    fragments: TableWriter<Fragments>,
    skips: TableWriter<Skips>,
    texts: Option<TableWriter<Texts>>,
}

impl PartWriter {
    fn create(folder: &Path, number: u64, source: &str, text: bool) -> Result<Self, StoreError> {
        let file = |table: &str| format!("{TABLES}/{table}-{number:08}.parquet");
        Ok(Self {
            number,
            source: source.to_owned(),
            blobs: TableWriter::create(folder, file(Blobs::NAME))?,
            occurrences: TableWriter::create(folder, file(Occurrences::NAME))?,
            fragments: TableWriter::create(folder, file(Fragments::NAME))?,
            skips: TableWriter::create(folder, file(Skips::NAME))?,
            texts: if text { Some(TableWriter::create(folder, file(Texts::NAME))?) } else { None },
        })
    }

    /// Adds a blob that the corpus does not hold yet, with its fragments and, where it is kept, its text.
    pub fn blob(
        &mut self,
        blob: &BlobRow,
        fragments: &[FragmentRow],
        text: Vec<u8>,
    ) -> Result<(), StoreError> {
        self.blobs.push(blob)?;
        fragments.iter().try_for_each(|fragment| self.fragments.push(fragment))?;
        match &mut self.texts {
            Some(texts) => texts.push(&TextRow { blob: blob.blob, text }),
            None => Ok(()),
        }
    }

    pub fn occurrence(&mut self, row: &OccurrenceRow) -> Result<(), StoreError> {
        self.occurrences.push(row)
    }

    pub fn skip(&mut self, row: &SkipRow) -> Result<(), StoreError> {
        self.skips.push(row)
    }

    /// Brings everything to the disk. It does not count before [`Writer::add`] and [`Writer::commit`].
    pub fn finish(self) -> Result<Part, StoreError> {
        let files = [
            self.blobs.finish()?,
            self.occurrences.finish()?,
            self.fragments.finish()?,
            self.skips.finish()?,
            self.texts.map(TableWriter::finish).transpose()?.flatten(),
        ];
        Ok(Part { number: self.number, source: self.source, tables: files.into_iter().flatten().collect() })
    }
}
