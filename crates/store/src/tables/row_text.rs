//! Rows of any table as text: a JSON object or a CSV record a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, TimestampMillisecondType, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, Field};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use familiar_source::time;
use serde_json::Value;

use super::Table;
use crate::StoreError;

/// Bytes of rows that are collected before they are written.
const BATCH: usize = 1 << 20;

/// Beside a column of bytes stands one of this name: what is not UTF-8, in base64.
const BASE64: &str = "base64";

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lines {
    Json,
    /// RFC 4180, with the names of the columns on the first line. What is null is empty, an empty text `""`.
    Csv,
}

/// Appends rows to a file of lines.
pub(crate) struct LinesWriter<T> {
    path: PathBuf,
    out: BufWriter<File>,
    lines: Lines,
    names: Vec<String>,
    table: T,
    waiting: usize,
}

impl<T: Table> LinesWriter<T> {
    pub(crate) fn create(path: &Path, lines: Lines) -> Result<Self, StoreError> {
        let file = File::create_new(path).map_err(StoreError::write(path))?;
        let mut out = BufWriter::new(file);
        let names: Vec<String> = T::fields().iter().flat_map(names).collect();
        if lines == Lines::Csv {
            writeln!(out, "{}", names.join(",")).map_err(StoreError::write(path))?;
        }
        Ok(Self { path: path.to_owned(), out, lines, names, table: T::default(), waiting: 0 })
    }

    pub(crate) fn push(&mut self, row: &T::Row) -> Result<(), StoreError> {
        self.table.push(row);
        self.waiting += T::bytes(row);
        if self.waiting >= BATCH { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), StoreError> {
        self.waiting = 0;
        let columns = self.table.columns();
        let rows = columns.first().map_or(0, Array::len);
        for row in 0..rows {
            let values = columns.iter().flat_map(|column| values(column, row));
            let written = match self.lines {
                Lines::Json => json(&mut self.out, self.names.iter().map(String::as_str).zip(values)),
                Lines::Csv => csv(&mut self.out, values),
            };
            written.map_err(StoreError::write(&self.path))?;
        }
        Ok(())
    }

    /// Brings everything to the disk.
    pub(crate) fn finish(mut self) -> Result<(), StoreError> {
        self.write()?;
        let synced = self.out.flush().and_then(|()| self.out.get_ref().sync_all());
        synced.map_err(StoreError::write(&self.path))
    }
}

/// The names that a column has in lines.
fn names(field: &Field) -> Vec<String> {
    let name = field.name().clone();
    if *field.data_type() == DataType::Binary { vec![name, BASE64.to_owned()] } else { vec![name] }
}

/// What stands in a column, in as many values as it has [`names`].
fn values(column: &ArrayRef, row: usize) -> Vec<Value> {
    if column.is_null(row) {
        return vec![Value::Null];
    }
    vec![match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
        DataType::UInt32 => column.as_primitive::<UInt32Type>().value(row).into(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into(),
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).into(),
        DataType::Timestamp(..) => {
            let time = column.as_primitive::<TimestampMillisecondType>().value(row);
            time::utc(time.div_euclid(1000)).into()
        }
        DataType::Binary => {
            let bytes = column.as_binary::<i32>().value(row);
            return match std::str::from_utf8(bytes) {
                Ok(text) => vec![text.into(), Value::Null],
                Err(_) => vec![Value::Null, STANDARD.encode(bytes).into()],
            };
        }
        other => unreachable!("no table has a column of {other}"),
    }]
}

fn json<'n>(out: &mut impl Write, fields: impl Iterator<Item = (&'n str, Value)>) -> io::Result<()> {
    for (number, (name, value)) in fields.enumerate() {
        write!(out, "{}\"{name}\":", if number == 0 { '{' } else { ',' })?;
        serde_json::to_writer(&mut *out, &value)?;
    }
    out.write_all(b"}\n")
}

fn csv(out: &mut impl Write, values: impl Iterator<Item = Value>) -> io::Result<()> {
    for (number, value) in values.enumerate() {
        if number > 0 {
            out.write_all(b",")?;
        }
        match value {
            Value::Null => {}
            Value::String(text) if text.is_empty() || text.contains(['"', ',', '\n', '\r']) => {
                write!(out, "\"{}\"", text.replace('"', "\"\""))?;
            }
            Value::String(text) => out.write_all(text.as_bytes())?,
            other => write!(out, "{other}")?,
        }
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use familiar_source::BlobId;

    use super::*;
    use crate::tables::{TextRow, Texts};

    fn written(lines: Lines) -> String {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("texts");
        let mut writer = LinesWriter::<Texts>::create(&path, lines).expect("it can be written");
        for text in [&b"a,\"b\"\n"[..], b"", b"\xff"] {
            writer
                .push(&TextRow { blob: BlobId([0x11; 20]), text: text.to_vec() })
                .expect("it can be written");
        }
        writer.finish().expect("it can be written");
        std::fs::read_to_string(path).expect("just written").replace(&"1".repeat(40), "ID")
    }

    #[test]
    fn text_is_quoted_and_bytes_that_are_none_are_in_base64() {
        let json = "{\"blob\":\"ID\",\"text\":\"a,\\\"b\\\"\\n\",\"base64\":null}\n\
                    {\"blob\":\"ID\",\"text\":\"\",\"base64\":null}\n\
                    {\"blob\":\"ID\",\"text\":null,\"base64\":\"/w==\"}\n";
        assert_eq!(written(Lines::Json), json);
        assert_eq!(written(Lines::Csv), "blob,text,base64\nID,\"a,\"\"b\"\"\n\",\nID,\"\",\nID,,/w==\n");
    }
}
