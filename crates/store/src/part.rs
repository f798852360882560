//! The files of one part, as they are written.

use std::path::{Path, PathBuf};

use familiar_source::{Lineage, Project};

use crate::StoreError;
use crate::manifest::{Part, SEGMENTS, SegmentFile, SegmentKind, TABLES};
use crate::tables::{
    BlobRow, Blobs, FragmentRow, Fragments, LicenseFiles, LicenseRow, LicenseTexts, Licenses, Lineages,
    OccurrenceRow, Occurrences, Projects, SkipRow, Skips, Table, TableWriter, TextRow, Texts,
};

/// The tables of one source, being written.
pub struct PartWriter {
    number: u64,
    source: String,
    blobs: TableWriter<Blobs>,
    occurrences: TableWriter<Occurrences>,
    fragments: TableWriter<Fragments>,
    lineage: TableWriter<Lineages>,
    projects: TableWriter<Projects>,
    skips: TableWriter<Skips>,
    license_files: TableWriter<LicenseFiles>,
    license_texts: TableWriter<LicenseTexts>,
    licenses: TableWriter<Licenses>,
    texts: Option<TableWriter<Texts>>,
    segments: SegmentFiles,
    /// See [`Part::gave_up`].
    gave_up: Option<u64>,
}

/// The derived files of one part, as they are written.
#[derive(Debug)]
pub struct SegmentFiles {
    folder: PathBuf,
    pub(crate) part: u64,
    /// Stands in the name of the next file.
    next: u32,
    pub(crate) files: Vec<SegmentFile>,
}

impl SegmentFiles {
    /// The files of a part that come from the number `next` on.
    pub(crate) fn new(folder: &Path, part: u64, next: u32) -> Self {
        Self { folder: folder.to_owned(), part, next, files: Vec::new() }
    }

    /// Where the next file is to be written.
    pub fn next(&self) -> PathBuf {
        self.folder.join(self.name())
    }

    fn name(&self) -> String {
        format!("{SEGMENTS}/{:08}-{:04}.segment", self.part, self.next)
    }

    /// Adds the file that was written at [`SegmentFiles::next`], with its length and checksum, and with what found the licenses in
    /// it where that matters.
    pub fn add(&mut self, kind: SegmentKind, bytes: u64, checksum: u128, licenses_by: Option<String>) {
        let (file, checksum) = (self.name(), format!("{checksum:032x}"));
        self.files.push(SegmentFile { kind, file, bytes, checksum, licenses_by });
        self.next += 1;
    }
}

impl PartWriter {
    pub(crate) fn create(
        folder: &Path,
        number: u64,
        source: &str,
        text: bool,
        row_group: usize,
    ) -> Result<Self, StoreError> {
        let file = |table: &str| format!("{TABLES}/{table}-{number:08}.parquet");
        Ok(Self {
            number,
            source: source.to_owned(),
            blobs: TableWriter::create(folder, file(Blobs::NAME), row_group)?,
            occurrences: TableWriter::create(folder, file(Occurrences::NAME), row_group)?,
            fragments: TableWriter::create(folder, file(Fragments::NAME), row_group)?,
            lineage: TableWriter::create(folder, file(Lineages::NAME), row_group)?,
            projects: TableWriter::create(folder, file(Projects::NAME), row_group)?,
            skips: TableWriter::create(folder, file(Skips::NAME), row_group)?,
            license_files: TableWriter::create(folder, file(LicenseFiles::NAME), row_group)?,
            license_texts: TableWriter::create(folder, file(LicenseTexts::NAME), row_group)?,
            licenses: TableWriter::create(folder, file(Licenses::NAME), row_group)?,
            texts: if text { Some(TableWriter::create(folder, file(Texts::NAME), row_group)?) } else { None },
            segments: SegmentFiles::new(folder, number, 0),
            gave_up: None,
        })
    }

    /// Adds a blob that the corpus does not hold yet, with its fragments and, where that is kept, its text.
    pub fn blob(
        &mut self,
        blob: &BlobRow,
        fragments: &[FragmentRow],
        text: Vec<u8>,
    ) -> Result<(), StoreError> {
        self.gave_up = self.gave_up.into_iter().chain(blob.gave_up).min();
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

    pub fn lineage(&mut self, row: &Lineage) -> Result<(), StoreError> {
        self.lineage.push(row)
    }

    pub fn project(&mut self, row: &Project) -> Result<(), StoreError> {
        self.projects.push(row)
    }

    pub fn skip(&mut self, row: &SkipRow) -> Result<(), StoreError> {
        self.skips.push(row)
    }

    /// Adds a place at which a file stands that speaks for the license of others.
    pub fn license_file(&mut self, row: &OccurrenceRow) -> Result<(), StoreError> {
        self.license_files.push(row)
    }

    /// Adds the content of such a file, once for each blob of this source.
    pub fn license_text(&mut self, row: &TextRow) -> Result<(), StoreError> {
        self.license_texts.push(row)
    }

    /// Adds what a blob says of its own license. To be called right after the blob is added.
    pub fn license(&mut self, row: &LicenseRow) -> Result<(), StoreError> {
        self.licenses.push(row)
    }

    /// The derived files of this part.
    pub fn segments(&mut self) -> &mut SegmentFiles {
        &mut self.segments
    }

    /// Brings everything to the disk. It does not count before [`Writer::add`] and [`Writer::commit`].
    pub fn finish(self) -> Result<Part, StoreError> {
        let files = [
            self.blobs.finish()?,
            self.occurrences.finish()?,
            self.fragments.finish()?,
            self.lineage.finish()?,
            self.projects.finish()?,
            self.skips.finish()?,
            self.license_files.finish()?,
            self.license_texts.finish()?,
            self.licenses.finish()?,
            self.texts.map(TableWriter::finish).transpose()?.flatten(),
        ];
        let tables = files.into_iter().flatten().collect();
        let (segments, gave_up) = (self.segments.files, self.gave_up);
        Ok(Part { number: self.number, source: self.source, tables, segments, gave_up })
    }
}
