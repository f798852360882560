//! Rows of CSV with a header.

use std::io::{self, BufRead};
use std::path::Path;

use csv_core::{ReadRecordResult, Reader, ReaderBuilder};
use familiar_corpus::SourceError;
use familiar_source::words::size;
use serde_json::{Map, Value};

use super::row::{Content, RawRow, RawTexts};
use crate::clean;

/// Most fields of a row.
const MOST_FIELDS: usize = 1 << 16;
/// Bytes that a field takes beside its text.
const FIELD_BYTES: usize = 64;

pub(super) struct CsvRows {
    records: Records,
    columns: Vec<String>,
    number: u64,
}

impl CsvRows {
    pub(super) fn open(path: &Path, separator: u8, row_bytes: u64) -> Result<Self, SourceError> {
        let text = familiar_corpus::lines::open(path)?;
        let mut records = Records::new(text, separator, row_bytes);
        let format = |source: io::Error| SourceError::Format { path: path.to_owned(), source: source.into() };
        let columns = match records.next().map_err(format)? {
            Record::Whole => records.fields().enumerate().map(|(at, name)| column(at, name)).collect(),
            Record::TooLarge(reason) => {
                return Err(format(io::Error::other(format!("its header is {reason}"))));
            }
            Record::End => Vec::new(),
        };
        Ok(Self { records, columns, number: 0 })
    }

    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    pub(super) fn batch(&mut self, rows: usize, bytes: usize) -> io::Result<Vec<RawRow>> {
        let (mut batch, mut taken) = (Vec::new(), 0);
        while batch.len() < rows && taken < bytes {
            let content = match self.records.next()? {
                Record::Whole => self.content(),
                Record::TooLarge(reason) => Content::Unreadable(reason),
                Record::End => break,
            };
            self.number += 1;
            taken += self.records.length + FIELD_BYTES * self.records.count;
            batch.push(RawRow { number: self.number, content });
        }
        Ok(batch)
    }

    fn content(&self) -> Content {
        let (fields, columns) = (self.records.count, self.columns.len());
        if fields > columns {
            return Content::Unreadable(format!("{fields} fields, but the header names {columns} columns"));
        }
        let (mut texts, mut bytes) = (Map::new(), RawTexts::new());
        for (column, field) in self.columns.iter().zip(self.records.fields()) {
            let text = std::str::from_utf8(field).map_or_else(
                |_| {
                    bytes.insert(column.clone(), field.to_vec());
                    clean::in_its_encoding(field)
                },
                str::to_owned,
            );
            texts.insert(column.clone(), Value::String(text));
        }
        Content::Fields(texts, bytes)
    }
}

/// The name of a column; the first one may begin with a byte order mark.
fn column(at: usize, name: &[u8]) -> String {
    let name = if at == 0 { name.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(name) } else { name };
    String::from_utf8_lossy(name.trim_ascii()).into_owned()
}

/// The records of a file, each within a limit: a quote that nothing closes would make all that follows one record.
struct Records {
    text: Box<dyn BufRead>,
    reader: Reader,
    /// The fields of the record that was read last, one behind the other.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// How much of both counts.
    length: usize,
    count: usize,
    /// Most bytes of a record.
    most: usize,
}

/// What was read.
enum Record {
    Whole,
    /// It was passed over, for this reason.
    TooLarge(String),
    End,
}

impl Records {
    fn new(text: Box<dyn BufRead>, separator: u8, most: u64) -> Self {
        Self {
            text,
            reader: ReaderBuilder::new().delimiter(separator).build(),
            bytes: vec![0; 1 << 10],
            ends: vec![0; 1 << 5],
            length: 0,
            count: 0,
            most: usize::try_from(most).unwrap_or(usize::MAX),
        }
    }

    fn next(&mut self) -> io::Result<Record> {
        (self.length, self.count) = (0, 0);
        let mut too_large = None;
        loop {
            let input = self.text.fill_buf()?;
            let (bytes, ends) = (&mut self.bytes[self.length..], &mut self.ends[self.count..]);
            let (result, read, written, ended) = self.reader.read_record(input, bytes, ends);
            self.text.consume(read);
            self.length += written;
            self.count += ended;
            if self.length > self.most {
                too_large = Some(format!("a row that is larger than {}", size(self.most as u64)));
            }
            match result {
                ReadRecordResult::InputEmpty => {}
                // What is passed over need not be kept.
                ReadRecordResult::OutputFull if too_large.is_some() => self.length = 0,
                ReadRecordResult::OutputFull => self.bytes.resize(2 * self.bytes.len(), 0),
                ReadRecordResult::OutputEndsFull if self.ends.len() >= MOST_FIELDS => {
                    self.count = 0;
                    too_large = Some(format!("a row of more than {MOST_FIELDS} fields"));
                }
                ReadRecordResult::OutputEndsFull => self.ends.resize(2 * self.ends.len(), 0),
                ReadRecordResult::Record => return Ok(too_large.map_or(Record::Whole, Record::TooLarge)),
                ReadRecordResult::End => return Ok(Record::End),
            }
        }
    }

    /// The fields of a whole record.
    fn fields(&self) -> impl Iterator<Item = &[u8]> {
        let ends = &self.ends[..self.count];
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(ends).map(|(start, &end)| &self.bytes[start..end])
    }
}
