//! One row for each place, where several parts of a source speak of it.
//!
//! A source that adds to what it gave before ([`crate::Writer::extend`]) says again what has changed. Rows of the same source
//! that agree in their key are about the same thing, and those of the last part that has the key count:
//!
//! | table | key |
//! |---|---|
//! | `occurrences`, `license_files` | `blob`, `project`, `path`, `first_line` |
//! | `lineage` | `blob`, `project`, `path` |
//! | `projects` | `project` |
//! | `skips` | `path`, `reason` |

use std::collections::{HashMap, HashSet};
use std::hash::Hasher;

use familiar_source::{Lineage, Project};
use xxhash_rust::xxh3::Xxh3;

use crate::tables::{LicenseFiles, Lineages, OccurrenceRow, Occurrences, Projects, SkipRow, Skips, Table};
use crate::{Corpus, Part, StoreError};

/// A table in which later parts of a source speak of the same things as earlier ones.
pub trait Keyed: Table {
    /// What a row is about.
    fn key(row: &Self::Row, hash: &mut Xxh3);

    /// Whether a row says something, rather than taking back what an earlier part said.
    fn says(_row: &Self::Row) -> bool {
        true
    }
}

impl Keyed for Occurrences {
    fn key(row: &OccurrenceRow, hash: &mut Xxh3) {
        let o = &row.occurrence;
        hash.update(&row.blob.0);
        text(hash, [&o.project, &o.path]);
        hash.write_u32(o.first_line);
    }
}

impl Keyed for LicenseFiles {
    fn key(row: &OccurrenceRow, hash: &mut Xxh3) {
        Occurrences::key(row, hash);
    }
}

impl Keyed for Lineages {
    fn key(row: &Lineage, hash: &mut Xxh3) {
        hash.update(&row.blob.0);
        text(hash, [&row.project, &row.path]);
    }

    fn says(row: &Lineage) -> bool {
        row.parent.is_some()
    }
}

impl Keyed for Projects {
    fn key(row: &Project, hash: &mut Xxh3) {
        text(hash, [&row.project]);
    }
}

impl Keyed for Skips {
    fn key(row: &SkipRow, hash: &mut Xxh3) {
        text(hash, [&row.path, &row.reason]);
    }
}

/// Fields with an end to each.
fn text<'t>(hash: &mut Xxh3, fields: impl IntoIterator<Item = &'t String>) {
    for field in fields {
        hash.update(field.as_bytes());
        hash.update(&[0xff]);
    }
}

fn digest<T: Keyed>(row: &T::Row) -> u128 {
    let mut hash = Xxh3::new();
    T::key(row, &mut hash);
    hash.digest128()
}

impl Corpus {
    /// Calls `row` with every row of a table that counts: of rows about the same thing, those of the source's last part
    /// that has some. Keeps 48 bytes for each row of all parts but the first of a source.
    pub fn read_latest<T: Keyed>(&self, row: impl FnMut(&Part, T::Row)) -> Result<(), StoreError> {
        self.read_latest_of::<T>(|_| true, row)
    }

    /// [`Corpus::read_latest`] for those sources alone that are `wanted`.
    pub fn read_latest_of<T: Keyed>(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut row: impl FnMut(&Part, T::Row),
    ) -> Result<(), StoreError> {
        self.try_read_latest_of::<T, StoreError>(wanted, |part, read| {
            row(part, read);
            Ok(())
        })
    }

    /// [`Corpus::read_latest_of`], until `row` fails.
    pub fn try_read_latest_of<T: Keyed, E: From<StoreError>>(
        &self,
        wanted: impl Fn(&str) -> bool,
        mut row: impl FnMut(&Part, T::Row) -> Result<(), E>,
    ) -> Result<(), E> {
        let has = |part: &&Part| wanted(&part.source) && part.tables.iter().any(|file| file.table == T::NAME);
        let mut first: HashSet<&str> = HashSet::new();
        let mut repeated: HashSet<&str> = HashSet::new();
        let mut later: HashMap<u128, u64> = HashMap::new();
        for part in self.manifest().parts.iter().filter(has) {
            if !first.insert(&part.source) {
                repeated.insert(&part.source);
                self.read_part::<T, E>(part, |read| {
                    later.insert(key::<T>(part, &read), part.number);
                    Ok(())
                })?;
            }
        }
        for part in self.manifest().parts.iter().filter(has) {
            let is_repeated = repeated.contains(part.source.as_str());
            self.read_part::<T, E>(part, |read| {
                let last = is_repeated.then(|| later.get(&key::<T>(part, &read))).flatten();
                let counts = last.is_none_or(|&last| last == part.number) && T::says(&read);
                if counts { row(part, read) } else { Ok(()) }
            })?;
        }
        Ok(())
    }
}

/// The key of a row, with its source.
fn key<T: Keyed>(part: &Part, row: &T::Row) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(part.source.as_bytes());
    hash.update(&digest::<T>(row).to_le_bytes());
    hash.digest128()
}
