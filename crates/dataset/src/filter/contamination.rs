//! Implementations that somebody else has: a model may have learnt them by heart.

use std::path::Path;

use familiar_library::{FindOptions, Library, QueryReader};
use familiar_source::Language;

use crate::error::DatasetError;
use crate::pair::{Contamination, Pair};

/// So much of an implementation has to stand in the corpus.
const COVERAGE: f64 = 0.8;

/// A corpus that is asked.
pub(super) struct Corpus {
    library: Library,
    options: FindOptions,
}

impl Corpus {
    pub(super) fn open(folder: &Path) -> Result<Self, DatasetError> {
        let options =
            FindOptions { types: vec![1, 2], limit: 1, min_coverage: COVERAGE, ..FindOptions::default() };
        Ok(Self { library: Library::open(folder)?, options })
    }

    /// Who has the implementation of a pair, if somebody has it.
    pub(super) fn who_has(
        &self,
        reader: &mut QueryReader,
        pair: &Pair,
    ) -> Result<Option<Contamination>, DatasetError> {
        let language = Language::from_name(&pair.lang2);
        let Ok(asked) = reader.read("implementation", pair.code2.as_bytes(), language, None) else {
            return Ok(None);
        };
        let report = self.library.find(&asked, &self.options)?;
        let Some(blob) = report.blobs.into_iter().next() else { return Ok(None) };
        let license = blob.found.licenses.first().and_then(|row| row.expression.clone());
        let place = blob.found.occurrences.into_iter().next();
        Ok(place.map(|place| Contamination {
            project: place.project,
            path: place.path,
            coverage: blob.found.coverage,
            license,
        }))
    }
}
