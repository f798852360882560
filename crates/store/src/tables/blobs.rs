//! `blobs`: one row for each distinct content.

use std::sync::Arc;

use arrow_array::builder::{StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use familiar_source::{BlobId, Language};

use super::Table;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlobRow {
    pub blob: BlobId,
    /// Bytes.
    pub size: u64,
    /// The language as which it was read.
    pub language: &'static str,
    pub lines: u32,
    pub tokens: u32,
    /// `generated` or `minified`, where it is that.
    pub artifact: Option<&'static str>,
    /// Lines that count for nothing, because comments say so.
    pub ignored_lines: u32,
    /// The memory, in bytes, with which parsing gave up on its functions; none where they were found.
    pub gave_up: Option<u64>,
}

#[derive(Debug, Default)]
pub struct Blobs {
    blob: StringBuilder,
    size: UInt64Builder,
    language: StringBuilder,
    lines: UInt32Builder,
    tokens: UInt32Builder,
    artifact: StringBuilder,
    ignored_lines: UInt32Builder,
    gave_up: UInt64Builder,
}

impl Table for Blobs {
    const NAME: &'static str = "blobs";
    type Row = BlobRow;

    fn fields() -> Vec<Field> {
        vec![
            Field::new("blob", DataType::Utf8, false),
            Field::new("size", DataType::UInt64, false),
            Field::new("language", DataType::Utf8, false),
            Field::new("lines", DataType::UInt32, false),
            Field::new("tokens", DataType::UInt32, false),
            Field::new("artifact", DataType::Utf8, true),
            Field::new("ignored_lines", DataType::UInt32, true),
            Field::new("gave_up", DataType::UInt64, true),
        ]
    }

    fn push(&mut self, row: &BlobRow) {
        self.blob.append_value(row.blob.to_string());
        self.size.append_value(row.size);
        self.language.append_value(row.language);
        self.lines.append_value(row.lines);
        self.tokens.append_value(row.tokens);
        self.artifact.append_option(row.artifact);
        self.ignored_lines.append_value(row.ignored_lines);
        self.gave_up.append_option(row.gave_up);
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        vec![
            Arc::new(self.blob.finish()),
            Arc::new(self.size.finish()),
            Arc::new(self.language.finish()),
            Arc::new(self.lines.finish()),
            Arc::new(self.tokens.finish()),
            Arc::new(self.artifact.finish()),
            Arc::new(self.ignored_lines.finish()),
            Arc::new(self.gave_up.finish()),
        ]
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(BlobRow)) -> Option<()> {
        let column = |name| batch.column_by_name(name);
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let (blob, language, artifact) = (text("blob")?, text("language")?, text("artifact")?);
        let size = column("size")?.as_primitive_opt::<UInt64Type>()?;
        let lines = column("lines")?.as_primitive_opt::<UInt32Type>()?;
        let tokens = column("tokens")?.as_primitive_opt::<UInt32Type>()?;
        // Older corpora do not have these.
        let ignored = column("ignored_lines").and_then(|column| column.as_primitive_opt::<UInt32Type>());
        let gave_up = column("gave_up").and_then(|column| column.as_primitive_opt::<UInt64Type>());
        for at in 0..batch.num_rows() {
            row(BlobRow {
                blob: blob.value(at).parse().ok()?,
                size: size.value(at),
                language: Language::from_name(language.value(at))?.name(),
                lines: lines.value(at),
                tokens: tokens.value(at),
                artifact: match artifact.value(at) {
                    _ if artifact.is_null(at) => None,
                    "generated" => Some("generated"),
                    "minified" => Some("minified"),
                    _ => return None,
                },
                ignored_lines: ignored.map_or(0, |lines| lines.value(at)),
                gave_up: gave_up.filter(|memory| memory.is_valid(at)).map(|memory| memory.value(at)),
            });
        }
        Some(())
    }

    fn bytes(_: &BlobRow) -> usize {
        85
    }
}
