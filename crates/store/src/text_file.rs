//! The text of one blob, without a look at the others.

use std::fs::File;
use std::path::PathBuf;

use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::PageIndexPolicy;

use crate::tables::{self, Table, TextRow, Texts};
use crate::{Corpus, StoreError};

/// The texts of one part. The checksum of the file is not compared, which takes too long for one text: whoever asks compares
/// the text with the blob's name.
#[derive(Debug)]
pub struct TextFile {
    path: PathBuf,
    metadata: ArrowReaderMetadata,
}

impl Corpus {
    /// The texts of a part, where it has some.
    pub fn text_file(&self, part: u64) -> Result<Option<TextFile>, StoreError> {
        let mut parts = self.manifest().parts.iter().filter(|known| known.number == part);
        let table = parts.find_map(|part| part.tables.iter().find(|file| file.table == Texts::NAME));
        let Some(table) = table else { return Ok(None) };
        let path = self.folder().join(&table.file);
        let file = File::open(&path).map_err(StoreError::read(&path))?;
        // With the places of pages, those before a row need not be unpacked to get to it.
        let options = ArrowReaderOptions::new().with_offset_index_policy(PageIndexPolicy::Optional);
        let metadata = tables::catch_panics(|| ArrowReaderMetadata::load(&file, options));
        let metadata = metadata.map_err(|error| StoreError::damaged(&path, &error))?;
        Ok(Some(TextFile { path, metadata }))
    }
}

impl TextFile {
    /// The row of this number, where there are so many.
    pub fn row(&self, number: u64) -> Result<Option<TextRow>, StoreError> {
        let mut before = number;
        for (group, about) in self.metadata.metadata().row_groups().iter().enumerate() {
            let rows = u64::try_from(about.num_rows()).unwrap_or(0);
            if before < rows {
                return self.row_of(group, before as usize);
            }
            before -= rows;
        }
        Ok(None)
    }

    fn row_of(&self, group: usize, number: usize) -> Result<Option<TextRow>, StoreError> {
        let damaged = |error: &dyn std::fmt::Display| StoreError::damaged(&self.path, error);
        // One of its own: threads that share a file share the place at which it is read.
        let file = File::open(&self.path).map_err(StoreError::read(&self.path))?;
        let batch = tables::catch_panics(|| {
            let all = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
            let mut one = all.with_row_groups(vec![group]).with_offset(number).with_limit(1).build()?;
            Ok(one.next().transpose()?)
        });
        let Some(batch) = batch.map_err(|error| damaged(&error))? else { return Ok(None) };
        let mut row = None;
        let whole = Texts::rows(&batch, &mut |read| row = Some(read));
        whole.map(|()| row).ok_or_else(|| damaged(&"its columns are not those of this table"))
    }
}
