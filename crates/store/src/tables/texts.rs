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
    /// One, since each may be as large as a file.
    const ROWS: usize = 1;

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

#[cfg(test)]
mod tests {
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::*;
    use crate::tables::{ROW_GROUP, TableWriter, batches};

    #[test]
    fn large_texts_are_read_one_by_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut out = TableWriter::<Texts>::create(folder.path(), "texts".to_owned(), ROW_GROUP)
            .expect("it can be written");
        for number in 0..3 {
            let row = TextRow { blob: BlobId([number; 20]), text: vec![number; 10] };
            out.push(&row).expect("it can be written");
        }
        out.finish().expect("it can be written");
        let file = std::fs::File::open(folder.path().join("texts")).expect("just made");
        let reader = batches::<Texts>(ParquetRecordBatchReaderBuilder::try_new(file).expect("a table"));
        let rows = reader.expect("a table").map(|batch| batch.expect("sound").num_rows());
        assert_eq!(rows.collect::<Vec<_>>(), [1, 1, 1]);
    }
}
