//! `license_files`: one row for each place at which a file stands that speaks for the license of others, with the columns of
//! `occurrences`.

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::Field;

use super::{OccurrenceRow, Occurrences, Table};

#[derive(Debug, Default)]
pub struct LicenseFiles(Occurrences);

impl Table for LicenseFiles {
    const NAME: &'static str = "license_files";
    type Row = OccurrenceRow;

    fn fields() -> Vec<Field> {
        Occurrences::fields()
    }

    fn push(&mut self, row: &OccurrenceRow) {
        self.0.push(row);
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        self.0.columns()
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(OccurrenceRow)) -> Option<()> {
        Occurrences::rows(batch, row)
    }

    fn bytes(row: &OccurrenceRow) -> usize {
        Occurrences::bytes(row)
    }
}
