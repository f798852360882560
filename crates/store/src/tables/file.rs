//! Writing one table to one file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use xxhash_rust::xxh3::Xxh3;

use super::{Table, schema};
use crate::{StoreError, TableFile};

/// Bytes of encoded rows that make a row group where nothing else is asked for.
pub(crate) const ROW_GROUP: usize = 4 << 20;

/// Appends rows to a table file.
pub(crate) struct TableWriter<T> {
    path: PathBuf,
    /// Path below the corpus.
    file: String,
    writer: ArrowWriter<Checked>,
    table: T,
    waiting: usize,
    rows: u64,
    row_group: usize,
}

impl<T: Table> TableWriter<T> {
    /// Holds about `row_group` bytes of encoded rows, and a quarter of that of others.
    pub(crate) fn create(folder: &Path, file: String, row_group: usize) -> Result<Self, StoreError> {
        let path = folder.join(&file);
        let out = File::create_new(&path).map_err(StoreError::write(&path))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("familiar {}", env!("CARGO_PKG_VERSION")))
            .build();
        let out = Checked { file: out, hash: Box::new(Xxh3::new()), bytes: 0 };
        let writer = ArrowWriter::try_new(out, schema::<T>(), Some(properties))
            .map_err(|error| StoreError::of_writing(&path, error))?;
        Ok(Self { path, file, writer, table: T::default(), waiting: 0, rows: 0, row_group })
    }

    pub(crate) fn push(&mut self, row: &T::Row) -> Result<(), StoreError> {
        self.table.push(row);
        self.rows += 1;
        self.waiting += T::bytes(row);
        if self.waiting >= self.row_group / 4 { self.encode() } else { Ok(()) }
    }

    fn encode(&mut self) -> Result<(), StoreError> {
        self.waiting = 0;
        let of_writing = |error| StoreError::of_writing(&self.path, error);
        let batch = RecordBatch::try_new(schema::<T>(), self.table.columns());
        let batch = batch.expect("columns are made as the fields say");
        self.writer.write(&batch).map_err(of_writing)?;
        if self.writer.memory_size() >= self.row_group {
            self.writer.flush().map_err(of_writing)?;
        }
        Ok(())
    }

    /// Completes the file; one without rows is taken away again.
    pub(crate) fn finish(self) -> Result<Option<TableFile>, StoreError> {
        if self.rows == 0 {
            drop(self.writer);
            return std::fs::remove_file(&self.path).map(|()| None).map_err(StoreError::write(&self.path));
        }
        self.close().map(Some)
    }

    /// Completes the file, whether or not it has rows.
    pub(crate) fn close(mut self) -> Result<TableFile, StoreError> {
        self.encode()?;
        let out = self.writer.into_inner().map_err(|error| StoreError::of_writing(&self.path, error))?;
        out.file.sync_all().map_err(StoreError::write(&self.path))?;
        Ok(TableFile {
            table: T::NAME.to_owned(),
            file: self.file,
            rows: self.rows,
            bytes: out.bytes,
            checksum: format!("{:032x}", out.hash.digest128()),
        })
    }
}

/// A file whose length and checksum are known once it is written.
struct Checked {
    file: File,
    hash: Box<Xxh3>,
    bytes: u64,
}

impl Write for Checked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
