//! Rows that are packed already as a Parquet file that grows by row groups.

use std::fs::File;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use familiar_represent::columns::{self, Column};
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter as _};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedPageWriter, TrackedWrite};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnDescPtr;

pub use familiar_represent::columns::RowGroup as Rows;

/// Writes a table. Its pages are not compressed: they are packed, and take about as many bytes as the source.
pub struct Table {
    writer: SerializedFileWriter<File>,
}

impl Table {
    /// Writes to an empty file. `schema` is a message type, as Parquet's documentation writes it.
    pub fn new(file: File, schema: &str) -> io::Result<Self> {
        let schema = parse_message_type(schema).map_err(of_parquet)?;
        let program = format!("familiar {}", env!("CARGO_PKG_VERSION"));
        let properties = WriterProperties::builder().set_created_by(program).build();
        let writer = SerializedFileWriter::new(file, Arc::new(schema), Arc::new(properties));
        Ok(Self { writer: writer.map_err(of_parquet)? })
    }

    /// Appends rows; each call makes a row group.
    pub fn write(&mut self, rows: Rows) -> io::Result<()> {
        if rows.rows == 0 {
            return Ok(());
        }
        self.append(rows).map_err(of_parquet)
    }

    fn append(&mut self, rows: Rows) -> Result<()> {
        let descriptors = self.writer.schema_descr().columns().to_vec();
        let mut group = self.writer.next_row_group()?;
        for (descriptor, column) in descriptors.into_iter().zip(rows.columns) {
            let (chunk, close) = chunk(descriptor, column, rows.rows)?;
            group.append_column(&chunk, close)?;
        }
        group.close().map(drop)
    }

    /// Completes the file.
    pub fn finish(self) -> io::Result<()> {
        self.writer.close().map(drop).map_err(of_parquet)
    }
}

/// Bytes that the headers of two pages take at most.
const HEADERS: usize = 256;

/// A column as it stands in a file, and what the file's end says of it.
fn chunk(descriptor: ColumnDescPtr, column: Column, rows: u32) -> Result<(Bytes, ColumnCloseResult)> {
    let size = column.page.len() + column.dictionary.as_ref().map_or(0, |(texts, _)| texts.len());
    let mut bytes = TrackedWrite::new(Vec::with_capacity(size + HEADERS));
    let mut pages = SerializedPageWriter::new(&mut bytes);
    let mut encodings = vec![Encoding::RLE];
    let mut dictionary_offset = None;
    if let Some((texts, count)) = column.dictionary {
        let length = texts.len();
        let page = Page::DictionaryPage {
            buf: texts.into(),
            num_values: count,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        pages.write_page(CompressedPage::new(page, length))?;
        encodings.push(Encoding::PLAIN);
        dictionary_offset = Some(0);
    }
    let encoding = match column.encoding {
        columns::Encoding::Plain => Encoding::PLAIN,
        columns::Encoding::Packed => Encoding::DELTA_BINARY_PACKED,
        columns::Encoding::Dictionary => Encoding::RLE_DICTIONARY,
    };
    encodings.push(encoding);
    let length = column.page.len();
    let page = Page::DataPage {
        buf: column.page.into(),
        num_values: column.values,
        encoding,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    };
    let written = pages.write_page(CompressedPage::new(page, length))?;
    pages.close()?;
    let bytes = bytes.into_inner()?;
    let length = i64::try_from(bytes.len())?;
    let metadata = ColumnChunkMetaData::builder(descriptor)
        .set_encodings(encodings)
        .set_compression(Compression::UNCOMPRESSED)
        .set_num_values(i64::from(column.values))
        .set_total_compressed_size(length)
        .set_total_uncompressed_size(length)
        .set_dictionary_page_offset(dictionary_offset)
        .set_data_page_offset(written.offset.cast_signed())
        .build()?;
    let close = ColumnCloseResult {
        bytes_written: length.cast_unsigned(),
        rows_written: u64::from(rows),
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    Ok((bytes.into(), close))
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
