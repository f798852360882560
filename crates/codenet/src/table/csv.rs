//! Rows of CSV with a header.

use std::io::BufRead;
use std::path::Path;

use csv::{ByteRecord, Reader, ReaderBuilder};
use familiar_corpus::SourceError;
use familiar_source::words::size;
use serde_json::{Map, Value};

use super::row::{Content, RawRow};

pub(super) struct CsvRows {
    reader: Reader<Box<dyn BufRead>>,
    columns: Vec<String>,
    record: ByteRecord,
    number: u64,
    /// Most bytes of a row.
    row_bytes: u64,
}

impl CsvRows {
    pub(super) fn open(path: &Path, separator: u8, row_bytes: u64) -> Result<Self, SourceError> {
        let text = familiar_corpus::lines::open(path)?;
        let mut reader = ReaderBuilder::new().delimiter(separator).flexible(true).from_reader(text);
        let format =
            |source: csv::Error| SourceError::Format { path: path.to_owned(), source: source.into() };
        let header = reader.byte_headers().map_err(format)?;
        let columns = header.iter().enumerate().map(|(at, name)| column(at, name)).collect();
        Ok(Self { reader, columns, record: ByteRecord::new(), number: 0, row_bytes })
    }

    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    pub(super) fn batch(&mut self, rows: usize, bytes: usize) -> Result<Vec<RawRow>, csv::Error> {
        let (mut batch, mut taken) = (Vec::new(), 0);
        while batch.len() < rows && taken < bytes && self.reader.read_byte_record(&mut self.record)? {
            self.number += 1;
            taken += self.record.as_slice().len();
            batch.push(RawRow { number: self.number, content: self.content() });
        }
        Ok(batch)
    }

    fn content(&self) -> Content {
        if self.record.len() > self.columns.len() {
            let (fields, columns) = (self.record.len(), self.columns.len());
            return Content::Unreadable(format!("{fields} fields, but the header names {columns} columns"));
        }
        if self.record.as_slice().len() as u64 > self.row_bytes {
            return Content::Unreadable(format!("a row that is larger than {}", size(self.row_bytes)));
        }
        let value = |field: &[u8]| Value::String(String::from_utf8_lossy(field).into_owned());
        let fields: Map<_, _> = self.columns.iter().cloned().zip(self.record.iter().map(value)).collect();
        Content::Fields(fields)
    }
}

/// The name of a column; the first one may begin with a byte order mark.
fn column(at: usize, name: &[u8]) -> String {
    let name = if at == 0 { name.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(name) } else { name };
    String::from_utf8_lossy(name.trim_ascii()).into_owned()
}
