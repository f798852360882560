//! `skips`: one row for each thing that was not read, and why.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};

use super::Table;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkipRow {
    /// Path in the source.
    pub path: String,
    pub reason: String,
}

#[derive(Debug, Default)]
pub struct Skips {
    path: StringBuilder,
    reason: StringBuilder,
}

impl Table for Skips {
    const NAME: &'static str = "skips";
    type Row = SkipRow;

    fn fields() -> Vec<Field> {
        vec![Field::new("path", DataType::Utf8, false), Field::new("reason", DataType::Utf8, false)]
    }

    fn push(&mut self, row: &SkipRow) {
        self.path.append_value(&row.path);
        self.reason.append_value(&row.reason);
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        vec![Arc::new(self.path.finish()), Arc::new(self.reason.finish())]
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(SkipRow)) -> Option<()> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let (path, reason) = (text("path")?, text("reason")?);
        for at in 0..batch.num_rows() {
            row(SkipRow { path: path.value(at).to_owned(), reason: reason.value(at).to_owned() });
        }
        Some(())
    }

    fn bytes(row: &SkipRow) -> usize {
        row.path.len() + row.reason.len() + 8
    }
}
