//! One generation of a corpus, open for questions.

use std::collections::BTreeSet;
use std::path::Path;

use familiar_index::places::Places;
use familiar_index::project_history::ProjectHistory;
use familiar_index::segment::{BlobRecord, Segment};
use familiar_index::vectors::VectorIndex;
use familiar_search::find::fingerprint;
use familiar_source::{BlobId, Project};
use familiar_store::{Corpus, SegmentKind};

use crate::license_cache::Cache;
use crate::witnesses::{Witness, Witnesses};
use crate::{CorpusError, detected};

/// What the manifest and the tables have of a segment of code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InTables {
    /// The number of its part.
    pub(crate) part: u64,
    /// Where in the tables of that its first blob stands.
    pub(crate) first: u64,
    /// Whether the licenses count that it keeps: those that would be found today, and those of texts that nobody has any more.
    pub(crate) knows_licenses: bool,
}

/// One generation of a corpus, open for questions. Any number of threads may ask.
#[derive(Debug)]
pub struct Library {
    pub(crate) code: Vec<Segment>,
    /// What the manifest and the tables have of each segment of code.
    pub(crate) tables: Vec<InTables>,
    pub(crate) witnesses: Witnesses,
    /// Where they were opened.
    pub(crate) vectors: Vec<VectorIndex>,
    /// Keeps the files where they are.
    pub(crate) corpus: Corpus,
    pub(crate) cache: Cache,
}

impl Library {
    /// Opens the corpus in `folder` as it is now.
    pub fn open(folder: &Path) -> Result<Self, CorpusError> {
        let corpus = Corpus::open(folder)?;
        let (mut code, mut tables, mut witnesses) = (Vec::new(), Vec::new(), Witnesses::default());
        let keeps_text = corpus.manifest().text;
        let finder = keeps_text.then(detected::finder);
        let sources = &corpus.manifest().sources;
        let base: BTreeSet<&str> =
            sources.iter().filter(|entry| entry.base).map(|entry| entry.source.as_str()).collect();
        for part in &corpus.manifest().parts {
            let is_base = base.contains(part.source.as_str());
            let mut first = 0;
            for file in &part.segments {
                let path = folder.join(&file.file);
                match file.kind {
                    SegmentKind::Code => {
                        let segment = Segment::open(&path, fingerprint::VERSION)?;
                        let knows_licenses = finder.is_none() || file.licenses_by == finder;
                        tables.push(InTables { part: part.number, first, knows_licenses });
                        first += u64::from(segment.blobs());
                        code.push(segment);
                    }
                    SegmentKind::Places => witnesses.add(&part.source, is_base, Places::open(&path)?),
                    SegmentKind::Vectors => {}
                }
            }
        }
        witnesses.find_families()?;
        Ok(Self { code, tables, witnesses, vectors: Vec::new(), corpus, cache: Cache::default() })
    }

    /// Number of blobs that questions are answered from.
    pub fn blobs(&self) -> u64 {
        self.code.iter().map(|segment| u64::from(segment.blobs())).sum()
    }

    /// Whether it keeps what blobs say of their own license, so that their texts need not be read for it.
    pub fn knows_licenses(&self) -> bool {
        self.tables.iter().all(|segment| segment.knows_licenses)
    }

    /// Where a blob stands: by project, path and time.
    pub fn witnesses(&self, blob: &BlobId) -> Result<Vec<Witness>, CorpusError> {
        Ok(self.witnesses.of(blob)?)
    }

    /// The projects that have a history of their own, as far as forks are known by it.
    pub(crate) fn histories(&self) -> Result<Vec<Project>, CorpusError> {
        let project = |(_, root): (usize, ProjectHistory)| Project {
            project: root.project,
            roots: root.roots,
            commits: root.commits,
            first_commit: root.first_commit,
            ..Project::default()
        };
        Ok(self.witnesses.roots()?.into_iter().map(project).collect())
    }

    /// The corpus as it was when it was opened.
    pub fn corpus(&self) -> &Corpus {
        &self.corpus
    }

    /// The blob with this name: its segment and its record.
    pub(crate) fn blob(&self, id: &[u8; 20]) -> Result<Option<(usize, BlobRecord)>, CorpusError> {
        for (number, segment) in self.code.iter().enumerate() {
            if let Some(blob) = segment.find_blob(id)? {
                return Ok(Some((number, segment.blob(blob)?)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Occurrence;
    use familiar_store::Writer;
    use familiar_store::tables::OccurrenceRow;

    use super::*;

    #[test]
    fn files_stay_while_a_library_is_open() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        let mut writer = Writer::open(dir.path(), true).expect("an empty folder");
        let mut part = writer.part("dir:/a").expect("it can be written");
        let row = OccurrenceRow { blob: BlobId([1; 20]), occurrence: Occurrence::default() };
        part.occurrence(&row).expect("it can be written");
        writer.add(part.finish().expect("it can be written"), 1);
        writer.commit().expect("it can be written");
        drop(writer);
        let library = Library::open(dir.path()).expect("just made");
        let files = || std::fs::read_dir(dir.path().join("tables")).expect("a folder").count();
        crate::remove(dir.path(), "dir:/a").expect("it is there");
        assert_eq!(files(), 1);
        drop(library);
        drop(Writer::open(dir.path(), true).expect("it is there"));
        assert_eq!(files(), 0);
    }
}
