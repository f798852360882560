//! `texts`: the content of each blob.

use std::sync::Arc;

use arrow_array::builder::{BinaryBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use familiar_source::BlobId;

use super::Table;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRow {
    pub blob: BlobId,
    pub text: Vec<u8>,
}

#[derive(Debug, Default)]
pub struct Texts {
    blob: StringBuilder,
    text: BinaryBuilder,
}

impl Table for Texts {
    const NAME: &'static str = "texts";
    type Row = TextRow;

    fn fields() -> Vec<Field> {
        vec![Field::new("blob", DataType::Utf8, false), Field::new("text", DataType::Binary, false)]
    }

    fn push(&mut self, row: &TextRow) {
        self.blob.append_value(row.blob.to_string());
        self.text.append_value(&row.text);
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        vec![Arc::new(self.blob.finish()), Arc::new(self.text.finish())]
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(TextRow)) -> Option<()> {
        let blob = batch.column_by_name("blob")?.as_string_opt::<i32>()?;
        let text = batch.column_by_name("text")?.as_binary_opt::<i32>()?;
        for at in 0..batch.num_rows() {
            row(TextRow { blob: blob.value(at).parse().ok()?, text: text.value(at).to_vec() });
        }
        Some(())
    }

    fn bytes(row: &TextRow) -> usize {
        row.text.len() + 44
    }
}
