//! The rows of Parquet that stay, in a table with the same columns.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReaderBuilder, RowSelection};
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::properties::WriterProperties;

use super::found::Duplicates;
use crate::table::{TableError, TableKind, catch_panics};

/// Rows that are copied together.
const BATCH_ROWS: usize = 512;
/// Bytes of a row group, which stands in memory until it is whole.
const ROW_GROUP_BYTES: usize = 64 << 20;

/// Why the rows that stay cannot become a table.
#[derive(Debug, thiserror::Error)]
pub enum KeptTableError {
    #[error("{} is no Parquet file, so its rows have no columns to write; give --format kept for JSON lines", .0.display())]
    NotParquet(PathBuf),
    #[error("{} and {} have different columns; take them one at a time, or give --format kept for JSON lines", .0.display(), .1.display())]
    Columns(PathBuf, PathBuf),
    #[error(transparent)]
    Read(#[from] TableError),
    #[error("the table cannot be written: {0}")]
    Write(ParquetError),
}

/// A file of Parquet that is about to be copied.
struct Source {
    path: PathBuf,
    builder: ParquetRecordBatchReaderBuilder<File>,
}

impl Duplicates {
    /// Writes the rows that stay as Parquet, with every column as it stands in the data, and says how many. Rows that were not
    /// compared stay. The data have to be Parquet with the same columns; they are read a second time for it. Memory is
    /// bounded by a row group.
    pub fn write_kept_table(&self, file: File) -> Result<u64, KeptTableError> {
        let sources: Vec<Source> =
            self.data.iter().map(|path| Source::open(path)).collect::<Result<_, _>>()?;
        let Some((first, others)) = sources.split_first() else { return Ok(0) };
        if let Some(other) = others.iter().find(|it| it.schema().fields() != first.schema().fields()) {
            return Err(KeptTableError::Columns(first.path.clone(), other.path.clone()));
        }
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_max_row_group_bytes(Some(ROW_GROUP_BYTES))
            .set_created_by(format!("familiar {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = ArrowWriter::try_new(file, first.schema(), Some(properties));
        let mut writer = writer.map_err(KeptTableError::Write)?;
        let kept = self.kept();
        let mut dropped =
            self.rows.iter().zip(kept).filter(|(_, kept)| !kept).map(|(&row, _)| row).peekable();
        let (mut before, mut written) = (0, 0);
        for source in sources {
            let rows = source.rows();
            let mut goes = Vec::new();
            while let Some(row) = dropped.next_if(|&row| row < before + rows as u64) {
                goes.push((row - before) as usize);
            }
            before += rows as u64;
            written += (rows - goes.len()) as u64;
            source.copy(stretches(&goes, rows), &mut writer)?;
        }
        writer.close().map_err(KeptTableError::Write)?;
        Ok(written)
    }
}

impl Source {
    fn open(path: &Path) -> Result<Self, KeptTableError> {
        if TableKind::of(path) != Some(TableKind::Parquet) || path.is_dir() {
            return Err(KeptTableError::NotParquet(path.to_owned()));
        }
        let unreadable = |source| familiar_corpus::SourceError::Read { path: path.to_owned(), source };
        let file = familiar_files::named::open(path).map_err(|error| TableError::from(unreadable(error)))?;
        let builder = of_file(path, || ParquetRecordBatchReaderBuilder::try_new(file))?;
        Ok(Self { path: path.to_owned(), builder })
    }

    fn schema(&self) -> SchemaRef {
        self.builder.schema().clone()
    }

    fn rows(&self) -> usize {
        usize::try_from(self.builder.metadata().file_metadata().num_rows()).unwrap_or(0)
    }

    /// Writes the rows of some stretches.
    fn copy(
        self,
        stretches: Vec<Range<usize>>,
        writer: &mut ArrowWriter<File>,
    ) -> Result<(), KeptTableError> {
        let selection = RowSelection::from_consecutive_ranges(stretches.into_iter(), self.rows());
        let Self { path, builder } = self;
        let builder = builder.with_row_selection(selection).with_batch_size(BATCH_ROWS);
        let mut reader = of_file(&path, || builder.build())?;
        while let Some(batch) = of_file(&path, || Ok(reader.next().transpose()?))? {
            writer.write(&batch).map_err(KeptTableError::Write)?;
        }
        Ok(())
    }
}

/// What Parquet reads from a file.
fn of_file<T>(path: &Path, read: impl FnOnce() -> ParquetResult<T>) -> Result<T, TableError> {
    catch_panics(read).map_err(|source| TableError::Parquet { path: path.to_owned(), source })
}

/// What is left of so many rows without some, which ascend.
fn stretches(without: &[usize], rows: usize) -> Vec<Range<usize>> {
    let starts = std::iter::once(0).chain(without.iter().map(|row| row + 1));
    let ends = without.iter().copied().chain([rows]);
    starts.zip(ends).map(|(start, end)| start..end).filter(|it| !it.is_empty()).collect()
}
