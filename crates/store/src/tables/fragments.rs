//! `fragments`: one row for each fragment of a blob that a front end found.

use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use familiar_source::{BlobId, FragmentKind, Lines};

use super::Table;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FragmentRow {
    pub blob: BlobId,
    pub kind: FragmentKind,
    /// Empty for what has no name.
    pub name: String,
    pub lines: Lines,
    /// First byte, and the end.
    pub bytes: (u32, u32),
    pub tokens: u32,
    /// Hashes of the Type-1 and the Type-2 form (blind renaming).
    pub exact_hash: u64,
    pub renamed_hash: u64,
}

#[derive(Debug, Default)]
pub struct Fragments {
    text: [StringBuilder; 3],
    numbers: [UInt32Builder; 5],
    hashes: [UInt64Builder; 2],
}

const TEXT: [&str; 3] = ["blob", "kind", "name"];
const NUMBERS: [&str; 5] = ["start_line", "end_line", "start_byte", "end_byte", "tokens"];
const HASHES: [&str; 2] = ["exact_hash", "renamed_hash"];

impl Table for Fragments {
    const NAME: &'static str = "fragments";
    type Row = FragmentRow;

    fn fields() -> Vec<Field> {
        let of = |names: &'static [&'static str], kind: DataType| {
            names.iter().map(move |&name| Field::new(name, kind.clone(), false))
        };
        of(&TEXT, DataType::Utf8)
            .chain(of(&NUMBERS, DataType::UInt32))
            .chain(of(&HASHES, DataType::UInt64))
            .collect()
    }

    fn push(&mut self, row: &FragmentRow) {
        let text = [&row.blob.to_string(), row.kind.name(), &row.name];
        let numbers = [row.lines.start, row.lines.end, row.bytes.0, row.bytes.1, row.tokens];
        let hashes = [row.exact_hash, row.renamed_hash];
        self.text.iter_mut().zip(text).for_each(|(column, value)| column.append_value(value));
        self.numbers.iter_mut().zip(numbers).for_each(|(column, value)| column.append_value(value));
        self.hashes.iter_mut().zip(hashes).for_each(|(column, value)| column.append_value(value));
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        let text = self.text.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let numbers = self.numbers.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let hashes = self.hashes.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        text.chain(numbers).chain(hashes).collect()
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(FragmentRow)) -> Option<()> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let number = |name| batch.column_by_name(name)?.as_primitive_opt::<UInt32Type>();
        let hash = |name| batch.column_by_name(name)?.as_primitive_opt::<UInt64Type>();
        let (blob, kind, name) = (text("blob")?, text("kind")?, text("name")?);
        let (start_line, end_line) = (number("start_line")?, number("end_line")?);
        let (start_byte, end_byte, tokens) = (number("start_byte")?, number("end_byte")?, number("tokens")?);
        let (exact, renamed) = (hash("exact_hash")?, hash("renamed_hash")?);
        for at in 0..batch.num_rows() {
            let lines = (start_line.value(at), end_line.value(at));
            if lines.0 < 1 || lines.1 < lines.0 {
                return None;
            }
            row(FragmentRow {
                blob: blob.value(at).parse().ok()?,
                kind: FragmentKind::from_name(kind.value(at))?,
                name: name.value(at).to_owned(),
                lines: Lines::new(lines.0, lines.1),
                bytes: (start_byte.value(at), end_byte.value(at)),
                tokens: tokens.value(at),
                exact_hash: exact.value(at),
                renamed_hash: renamed.value(at),
            });
        }
        Some(())
    }

    fn bytes(row: &FragmentRow) -> usize {
        96 + row.name.len()
    }
}
