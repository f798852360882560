//! `corpus export`: the tables of a corpus as they count, for others.

use std::path::Path;

use familiar_source::BlobId;
use familiar_store::tables::{
    BlobRow, Blobs, FragmentRow, Fragments, LicenseFiles, LicenseRow, LicenseTexts, Licenses, Lineages,
    Occurrences, Projects, Skips, Table, TextRow, Texts,
};
use familiar_store::{Corpus, Export, ExportFormat, Keyed, StoreError};
use rustc_hash::FxHashSet;

use crate::CorpusError;

/// The tables that can be written, in the order in which they are.
pub const TABLES: [&str; 10] = [
    Occurrences::NAME,
    Blobs::NAME,
    Fragments::NAME,
    Lineages::NAME,
    Projects::NAME,
    Skips::NAME,
    Licenses::NAME,
    LicenseFiles::NAME,
    LicenseTexts::NAME,
    Texts::NAME,
];

/// A table that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Name of the file.
    pub file: String,
    pub rows: u64,
}

/// Writes tables of the corpus in `folder` into the folder `output`, a file for each: of the rows about the same place those that
/// count, of blobs those that stand anywhere. Takes about 30 bytes of memory for each blob, and 48 for each row of places that
/// an update gave.
pub fn export(
    folder: &Path,
    output: &Path,
    format: ExportFormat,
    tables: &[&str],
) -> Result<Vec<Exported>, CorpusError> {
    let corpus = Corpus::open(folder)?;
    let wants = |table: &str| tables.contains(&table);
    if wants(Texts::NAME) && !corpus.manifest().text {
        return Err(CorpusError::NoText { folder: folder.to_owned() });
    }
    let mut exporting =
        Exporting { corpus: &corpus, output, format, live: FxHashSet::default(), done: Vec::new() };
    if wants(Occurrences::NAME) {
        exporting.occurrences()?;
    } else if [Blobs::NAME, Fragments::NAME, Licenses::NAME, Texts::NAME].into_iter().any(wants) {
        corpus.read_latest::<Occurrences>(|_, row| {
            exporting.live.insert(row.blob);
        })?;
    }
    for table in TABLES.into_iter().filter(|table| wants(table)) {
        match table {
            Blobs::NAME => exporting.of_blobs::<Blobs>(|row: &BlobRow| row.blob)?,
            Fragments::NAME => exporting.of_blobs::<Fragments>(|row: &FragmentRow| row.blob)?,
            Texts::NAME => exporting.of_blobs::<Texts>(|row: &TextRow| row.blob)?,
            Lineages::NAME => exporting.of_places::<Lineages>()?,
            Projects::NAME => exporting.of_places::<Projects>()?,
            Skips::NAME => exporting.of_places::<Skips>()?,
            Licenses::NAME => exporting.of_blobs::<Licenses>(|row: &LicenseRow| row.blob)?,
            LicenseFiles::NAME => exporting.of_places::<LicenseFiles>()?,
            LicenseTexts::NAME => exporting.license_texts()?,
            // Written already.
            _ => {}
        }
    }
    Ok(exporting.done)
}

struct Exporting<'e> {
    corpus: &'e Corpus,
    output: &'e Path,
    format: ExportFormat,
    /// The blobs that stand anywhere.
    live: FxHashSet<BlobId>,
    done: Vec<Exported>,
}

impl Exporting<'_> {
    /// The occurrences, of which the blobs are noted.
    fn occurrences(&mut self) -> Result<(), StoreError> {
        let mut out = Export::<Occurrences>::create(self.output, self.format)?;
        let live = &mut self.live;
        self.corpus.try_read_latest_of::<Occurrences, StoreError>(
            |_| true,
            |_, row| {
                live.insert(row.blob);
                out.push(&row)
            },
        )?;
        self.finish(out)
    }

    /// A table that says where things stand.
    fn of_places<T: Keyed>(&mut self) -> Result<(), StoreError> {
        let mut out = Export::<T>::create(self.output, self.format)?;
        self.corpus.try_read_latest_of::<T, StoreError>(|_| true, |_, row| out.push(&row))?;
        self.finish(out)
    }

    /// The content of license files, once where several sources have it.
    fn license_texts(&mut self) -> Result<(), StoreError> {
        let mut out = Export::<LicenseTexts>::create(self.output, self.format)?;
        let mut live = FxHashSet::default();
        self.corpus.read_latest::<LicenseFiles>(|_, row| {
            live.insert(row.blob);
        })?;
        for part in &self.corpus.manifest().parts {
            self.corpus.try_read::<LicenseTexts, StoreError>(part.number, |row| {
                if live.remove(&row.blob) { out.push(&row) } else { Ok(()) }
            })?;
        }
        self.finish(out)
    }

    /// A table that says what blobs hold.
    fn of_blobs<T: Table>(&mut self, blob: impl Fn(&T::Row) -> BlobId) -> Result<(), StoreError> {
        let mut out = Export::<T>::create(self.output, self.format)?;
        for part in &self.corpus.manifest().parts {
            self.corpus.try_read::<T, StoreError>(part.number, |row| {
                if self.live.contains(&blob(&row)) { out.push(&row) } else { Ok(()) }
            })?;
        }
        self.finish(out)
    }

    fn finish<T: Table>(&mut self, out: Export<T>) -> Result<(), StoreError> {
        let rows = out.finish()?;
        self.done.push(Exported { file: format!("{}.{}", T::NAME, self.format.name()), rows });
        Ok(())
    }
}
