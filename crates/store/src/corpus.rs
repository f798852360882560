//! Reading: one generation of a corpus.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use crate::manifest::Manifest;
use crate::tables::{self, Table};
use crate::{Part, StoreError};

/// A corpus as it was when it was opened.
#[derive(Debug)]
pub struct Corpus {
    folder: PathBuf,
    manifest: Manifest,
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
        match Manifest::read(folder)? {
            Some(manifest) => Ok(Self { folder: folder.to_owned(), manifest }),
            None => Err(StoreError::None { path: folder.to_owned() }),
        }
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
        let files = part.tables.iter().filter(|file| file.table == T::NAME);
        files
            .map(|file| self.folder.join(&file.file))
            .try_for_each(|file| tables::try_read::<T, E>(&file, &mut row))
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

    fn damage(&self, (file, length, checksum): (&str, u64, &str)) -> Option<Damage> {
        let reason = match checksum_of(&self.folder.join(file)) {
            Ok((bytes, _)) if bytes != length => format!("{bytes} bytes instead of {length}"),
            Ok((_, found)) if found != checksum => "its content has changed".to_owned(),
            Ok(_) => return None,
            Err(error) => error.to_string(),
        };
        Some(Damage { file: file.to_owned(), reason })
    }
}

/// The length of a file and the checksum of its content.
fn checksum_of(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
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
