//! What is looked up in a corpus, made while its tables are filled.

use std::path::PathBuf;

use familiar_index::places::PlacesBuilder;
use familiar_index::segment::{BlobParts, SegmentBuilder};
use familiar_search::find::fingerprint;
use familiar_source::{BlobId, Lineage, Occurrence, Project};
use familiar_store::{SegmentFiles, SegmentKind};

use crate::{CorpusError, detected, license_text};

/// The segments of a part: one at a time in memory.
#[derive(Debug)]
pub(crate) struct Segments {
    code: SegmentBuilder,
    places: PlacesBuilder,
    /// Bytes that the segment being made takes, and the most that it may.
    bytes: usize,
    most: usize,
    /// Where segments were written, until that is asked for.
    written: Vec<PathBuf>,
    /// Whether the corpus keeps the texts, which can be asked for licenses anew.
    keeps_text: bool,
}

impl Segments {
    /// `most` is for the segment that is being made; writing it takes about as much again.
    pub(crate) fn new(most: usize, keeps_text: bool) -> Self {
        Self {
            code: SegmentBuilder::default(),
            places: PlacesBuilder::default(),
            bytes: 0,
            most,
            written: Vec::new(),
            keeps_text,
        }
    }

    pub(crate) fn blob(&mut self, parts: &BlobParts, files: &mut SegmentFiles) -> Result<(), CorpusError> {
        let bytes = parts.bytes();
        if !self.code.is_empty() && (self.bytes + bytes > self.most || !self.code.has_room_for(parts)) {
            self.write_code(files)?;
        }
        self.bytes += bytes;
        self.code.push(parts);
        Ok(())
    }

    pub(crate) fn place(
        &mut self,
        blob: BlobId,
        occurrence: &Occurrence,
        files: &mut SegmentFiles,
    ) -> Result<(), CorpusError> {
        self.make_room(files)?;
        self.places.push(blob, occurrence);
        Ok(())
    }

    /// Writes the places where they are as many as may be held.
    fn make_room(&mut self, files: &mut SegmentFiles) -> Result<(), CorpusError> {
        if self.places.bytes() > self.most / 2 || !self.places.has_room() {
            self.write_places(files)?;
        }
        Ok(())
    }

    /// Takes where a file stands that speaks for the license of others.
    pub(crate) fn license_file(
        &mut self,
        blob: BlobId,
        occurrence: &Occurrence,
        files: &mut SegmentFiles,
    ) -> Result<(), CorpusError> {
        self.make_room(files)?;
        self.places.license_file(blob, occurrence);
        Ok(())
    }

    /// Takes the content of such a file, once for each blob of a source, with a path at which it stands.
    pub(crate) fn license_text(
        &mut self,
        blob: BlobId,
        path: &str,
        content: &[u8],
        files: &mut SegmentFiles,
    ) -> Result<(), CorpusError> {
        self.make_room(files)?;
        self.places.license_text(blob, &license_text::pack(path, content));
        Ok(())
    }

    /// The segments of code that were written since this was last asked.
    pub(crate) fn written(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.written)
    }

    /// Takes what a file was renamed from.
    pub(crate) fn lineage(&mut self, row: &Lineage) {
        self.places.lineage(row);
    }

    /// Takes the roots of a project.
    pub(crate) fn project(&mut self, row: &Project) {
        self.places.project(row);
    }

    /// Writes what is left.
    pub(crate) fn finish(mut self, files: &mut SegmentFiles) -> Result<(), CorpusError> {
        self.write_code(files)?;
        self.write_places(files)
    }

    fn write_code(&mut self, files: &mut SegmentFiles) -> Result<(), CorpusError> {
        self.bytes = 0;
        let code = std::mem::take(&mut self.code);
        if !code.is_empty() {
            let path = files.next();
            let written = code.write(&path, fingerprint::VERSION, fingerprint::counts)?;
            let by = self.keeps_text.then(detected::finder);
            files.add(SegmentKind::Code, written.bytes, written.checksum, by);
            self.written.push(path);
        }
        Ok(())
    }

    fn write_places(&mut self, files: &mut SegmentFiles) -> Result<(), CorpusError> {
        let places = std::mem::take(&mut self.places);
        if !places.is_empty() {
            let written = places.write(&files.next())?;
            files.add(SegmentKind::Places, written.bytes, written.checksum, None);
        }
        Ok(())
    }
}
