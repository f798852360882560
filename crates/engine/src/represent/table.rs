//! Rows as a Parquet file that grows by row groups.

use std::fs::File;
use std::io;
use std::sync::Arc;

use arrow_schema::Schema;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};

pub use arrow_array::RecordBatch as Rows;

/// Bytes of encoded rows that make a row group.
const ROW_GROUP: usize = 16 << 20;

/// Writes a table.
pub struct Table {
    writer: ArrowWriter<File>,
}

impl Table {
    /// Writes to an empty file. `properties` say how columns are encoded.
    pub fn new(file: File, schema: Arc<Schema>, properties: WriterPropertiesBuilder) -> io::Result<Self> {
        let properties = properties.set_created_by(format!("familiar {}", env!("CARGO_PKG_VERSION"))).build();
        let writer = ArrowWriter::try_new(file, schema, Some(properties)).map_err(of_parquet)?;
        Ok(Self { writer })
    }

    /// How columns are encoded where nothing else is said: by zstd, and without statistics of values that nobody looks for.
    pub fn properties() -> WriterPropertiesBuilder {
        WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::None)
    }

    pub fn write(&mut self, rows: &Rows) -> io::Result<()> {
        self.writer.write(rows).map_err(of_parquet)?;
        if self.writer.memory_size() >= ROW_GROUP {
            self.writer.flush().map_err(of_parquet)?;
        }
        Ok(())
    }

    /// Completes the file.
    pub fn finish(self) -> io::Result<()> {
        self.writer.close().map(drop).map_err(of_parquet)
    }
}

fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    }
}
