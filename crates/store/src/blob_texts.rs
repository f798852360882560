//! The content of chosen blobs, without that of all others.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use familiar_source::BlobId;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection};
use parquet::errors::ParquetError;
use parquet::file::metadata::PageIndexPolicy;
use sha1::{Digest, Sha1};

use crate::tables::{self, Table, TextRow, Texts};
use crate::{Corpus, StoreError};

impl Corpus {
    /// Calls `row` with the content of those of `wanted` that the corpus keeps, part after part.
    ///
    /// The files are not compared with their checksums, which would read them whole: each content is compared with its name.
    pub fn texts_of_blobs(
        &self,
        wanted: &BTreeSet<BlobId>,
        mut row: impl FnMut(TextRow) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut missing = wanted.clone();
        let files = self.manifest().parts.iter().flat_map(|part| &part.tables);
        for table in files.filter(|table| table.table == Texts::NAME) {
            if missing.is_empty() {
                break;
            }
            let path = self.folder().join(&table.file);
            for text in read(&path, &missing)? {
                let text = text?;
                if id(&text.text) != text.blob {
                    return Err(StoreError::damaged(&path, &"its content has changed"));
                }
                missing.remove(&text.blob);
                row(text)?;
            }
        }
        Ok(())
    }
}

/// The name that git gives a content.
fn id(text: &[u8]) -> BlobId {
    let mut hash = Sha1::new();
    hash.update(format!("blob {}\0", text.len()));
    hash.update(text);
    BlobId(hash.finalize().into())
}

/// The rows of the file at `path` that are wanted.
fn read(
    path: &Path,
    wanted: &BTreeSet<BlobId>,
) -> Result<impl Iterator<Item = Result<TextRow, StoreError>> + use<>, StoreError> {
    let damaged = |error: ParquetError| StoreError::damaged(path, &error);
    let (rows, total) = tables::catch_panics(|| rows_of(open(path)?, wanted)).map_err(damaged)?;
    let reader = tables::catch_panics(|| {
        let selection = RowSelection::from_consecutive_ranges(rows.into_iter(), total);
        tables::batches::<Texts>(open(path)?.with_row_selection(selection))
    });
    Ok(tables::rows_from::<Texts>(path, reader.map_err(damaged)?))
}

fn open(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, ParquetError> {
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
    ParquetRecordBatchReaderBuilder::try_new_with_options(File::open(path)?, options)
}

/// In which rows blobs stand that are wanted, each by itself, and how many rows there are.
fn rows_of(
    file: ParquetRecordBatchReaderBuilder<File>,
    wanted: &BTreeSet<BlobId>,
) -> Result<(Vec<std::ops::Range<usize>>, usize), ParquetError> {
    let mask = ProjectionMask::columns(file.parquet_schema(), ["blob"]);
    let (mut rows, mut at) = (Vec::new(), 0);
    for batch in file.with_projection(mask).with_batch_size(1 << 14).build()? {
        let batch = batch?;
        let blobs = batch.column_by_name("blob").and_then(|column| column.as_string_opt::<i32>());
        let blobs = blobs.ok_or_else(|| ParquetError::General("it has no column `blob`".to_owned()))?;
        for blob in blobs {
            if blob.and_then(|blob| blob.parse().ok()).is_some_and(|blob: BlobId| wanted.contains(&blob)) {
                rows.push(at..at + 1);
            }
            at += 1;
        }
    }
    Ok((rows, at))
}
