//! Vectors as a Parquet table: path, name, start_line, end_line, language, vector.

use std::fs::File;
use std::io;
use std::sync::Arc;

use arrow_array::{ArrayRef, FixedSizeListArray, Float32Array, RecordBatch, StringArray, UInt32Array};
use arrow_schema::{DataType, Field, Schema};
use familiar_model::Vectors;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::{EmbeddedRow, VectorWriter};

/// Bytes of encoded rows that make a row group.
const ROW_GROUP: usize = 16 << 20;

/// Writes a table, compressed by zstd.
pub struct Parquet {
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    item: Arc<Field>,
    dimensions: i32,
}

impl Parquet {
    /// Writes to an empty file; `encoder` is named in the table's metadata.
    pub fn new(file: File, encoder: &str, dimensions: usize) -> io::Result<Self> {
        let dimensions = i32::try_from(dimensions).map_err(io::Error::other)?;
        let item = Arc::new(Field::new("item", DataType::Float32, false));
        let fields = vec![
            Field::new("path", DataType::Utf8, false),
            Field::new("name", DataType::Utf8, true),
            Field::new("start_line", DataType::UInt32, false),
            Field::new("end_line", DataType::UInt32, false),
            Field::new("language", DataType::Utf8, false),
            Field::new("vector", DataType::FixedSizeList(item.clone(), dimensions), false),
        ];
        let metadata = [("familiar.encoder".to_owned(), encoder.to_owned())].into();
        let schema = Arc::new(Schema::new(fields).with_metadata(metadata));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("familiar {}", env!("CARGO_PKG_VERSION")))
            .build();
        let writer = ArrowWriter::try_new(file, schema.clone(), Some(properties)).map_err(of_parquet)?;
        Ok(Self { writer, schema, item, dimensions })
    }
}

impl VectorWriter for Parquet {
    fn write(&mut self, rows: &[EmbeddedRow], vectors: &Vectors) -> io::Result<()> {
        let values: ArrayRef = Arc::new(Float32Array::from(vectors.values().to_vec()));
        let vectors = FixedSizeListArray::try_new(self.item.clone(), self.dimensions, values, None)
            .map_err(io::Error::other)?;
        let texts = |text: fn(&EmbeddedRow) -> &str| -> ArrayRef {
            Arc::new(StringArray::from_iter_values(rows.iter().map(text)))
        };
        let numbers = |number: fn(&EmbeddedRow) -> u32| -> ArrayRef {
            Arc::new(UInt32Array::from_iter_values(rows.iter().map(number)))
        };
        let names: StringArray = rows.iter().map(|row| row.name.as_deref()).collect();
        let columns = vec![
            texts(|row| &row.path),
            Arc::new(names) as ArrayRef,
            numbers(|row| row.start_line),
            numbers(|row| row.end_line),
            texts(|row| row.language),
            Arc::new(vectors),
        ];
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(of_parquet)?;
        if self.writer.memory_size() >= ROW_GROUP {
            self.writer.flush().map_err(of_parquet)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
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
