//! Reading: one generation of a corpus.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use xxhash_rust::xxh3::Xxh3;

use crate::manifest::Manifest;
use crate::tables::{self, Table};
use crate::{Part, StoreError, TableFile, readers};

/// A corpus as it was when it was opened. Its files stay until this is dropped, whatever a writer does.
#[derive(Debug)]
pub struct Corpus {
    folder: PathBuf,
    manifest: Manifest,
    /// The files whose checksums were compared.
    verified: Mutex<BTreeSet<String>>,
    _reading: Option<File>,
}

/// A file of a corpus that is not as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Path below the corpus.
    pub file: String,
    pub reason: String,
}

impl Corpus {
    /// Opens the corpus in `folder`.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let reading = readers::enter(folder);
        let manifest = Manifest::read(folder)?.ok_or_else(|| StoreError::None { path: folder.to_owned() })?;
        let verified = Mutex::default();
        Ok(Self { folder: folder.to_owned(), manifest, verified, _reading: reading })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Calls `row` with every row of a table, part after part.
    pub fn read<T: Table>(&self, mut row: impl FnMut(&Part, T::Row)) -> Result<(), StoreError> {
        self.manifest.parts.iter().try_for_each(|part| {
            self.read_part::<T, StoreError>(part, |read| {
                row(part, read);
                Ok(())
            })
        })
    }

    /// Calls `row` with every row of a table of one part, until it fails.
    pub(crate) fn read_part<T: Table, E: From<StoreError>>(
        &self,
        part: &Part,
        mut row: impl FnMut(T::Row) -> Result<(), E>,
    ) -> Result<(), E> {
        self.rows_of::<T>(part).try_for_each(|read| row(read?))
    }

    /// The rows of a table of one part, one after another.
    pub fn rows<T: Table>(&self, part: u64) -> impl Iterator<Item = Result<T::Row, StoreError>> {
        let parts = self.manifest.parts.iter().filter(move |known| known.number == part);
        parts.flat_map(|part| self.rows_of::<T>(part))
    }

    fn rows_of<'c, T: Table>(
        &'c self,
        part: &'c Part,
    ) -> impl Iterator<Item = Result<T::Row, StoreError>> + use<'c, T> {
        let files = part.tables.iter().filter(|file| file.table == T::NAME);
        files.flat_map(|file| tables::rows_or_error(self.rows_in::<T>(file)))
    }

    /// The rows of a table in one file, once the file is known to be as it was written.
    fn rows_in<T: Table>(
        &self,
        table: &TableFile,
    ) -> Result<impl Iterator<Item = Result<T::Row, StoreError>> + use<T>, StoreError> {
        let path = self.folder.join(&table.file);
        let mut file = File::open(&path).map_err(StoreError::read(&path))?;
        let verified = || self.verified.lock().unwrap_or_else(PoisonError::into_inner);
        if !verified().contains(&table.file) {
            let found = checksum_of(&mut file).map_err(StoreError::read(&path))?;
            if let Some(reason) = difference(&found, table.bytes, &table.checksum) {
                return Err(StoreError::damaged(&path, &reason));
            }
            file.rewind().map_err(StoreError::read(&path))?;
            verified().insert(table.file.clone());
        }
        tables::read::<T>(&path, file)
    }

    /// Calls `row` with every row of a table in one part, until it fails.
    pub fn try_read<T: Table, E: From<StoreError>>(
        &self,
        part: u64,
        mut row: impl FnMut(T::Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut parts = self.manifest.parts.iter().filter(|known| known.number == part);
        parts.try_for_each(|part| self.read_part::<T, E>(part, &mut row))
    }

    /// Compares every file with what was written. A file that cannot be read is damaged too.
    pub fn verify(&self) -> Vec<Damage> {
        self.manifest.named().filter_map(|file| self.damage(file)).collect()
    }

    fn damage(&self, (file, bytes, checksum): (&str, u64, &str)) -> Option<Damage> {
        let found = File::open(self.folder.join(file)).and_then(|mut file| checksum_of(&mut file));
        let reason = match found {
            Ok(found) => difference(&found, bytes, checksum)?,
            Err(error) => error.to_string(),
        };
        Some(Damage { file: file.to_owned(), reason })
    }
}

/// What is wrong with a file of this length and checksum.
fn difference((found, found_checksum): &(u64, String), bytes: u64, checksum: &str) -> Option<String> {
    match () {
        () if *found != bytes => Some(format!("{found} bytes instead of {bytes}")),
        () if found_checksum != checksum => Some("its content has changed".to_owned()),
        () => None,
    }
}

/// The length of a file and the checksum of its content.
fn checksum_of(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, format!("{:032x}", hash.digest128())));
        }
        hash.update(&buffer[..read]);
        bytes += read as u64;
    }
}
