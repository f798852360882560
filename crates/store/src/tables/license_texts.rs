//! `license_texts`: the content of each blob of `license_files`, whether or not the corpus keeps text.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Field;

use super::{Table, TextRow, Texts};

#[derive(Debug, Default)]
pub struct LicenseTexts(Texts);

impl Table for LicenseTexts {
    const NAME: &'static str = "license_texts";
    type Row = TextRow;
    const ROWS: usize = Texts::ROWS;

    fn fields() -> Vec<Field> {
        Texts::fields()
    }

    fn push(&mut self, row: &TextRow) {
        self.0.push(row);
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        self.0.columns()
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(TextRow)) -> Option<()> {
        Texts::rows(batch, row)
    }

    fn bytes(row: &TextRow) -> usize {
        Texts::bytes(row)
    }
}
