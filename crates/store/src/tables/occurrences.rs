//! `occurrences`: one row for each place at which a blob stands.

use std::sync::Arc;

use arrow_array::builder::{StringBuilder, TimestampMillisecondBuilder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMillisecondType, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, TimeUnit};
use familiar_source::{BlobId, Occurrence};

use super::Table;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OccurrenceRow {
    pub blob: BlobId,
    pub occurrence: Occurrence,
}

#[derive(Debug, Default)]
pub struct Occurrences {
    text: [StringBuilder; TEXT.len()],
    first_line: UInt32Builder,
    times: [TimestampMillisecondBuilder; TIMES.len()],
}

/// Names of the columns of text, and whether each may be empty.
const TEXT: [(&str, bool); 10] = [
    ("blob", false),
    ("project", false),
    ("path", false),
    ("purl", true),
    ("introduced_by", true),
    ("removed_by", true),
    ("author", true),
    ("evidence", false),
    ("link", true),
    ("license", true),
];
const UTC: &str = "UTC";
const TIMES: [&str; 2] = ["first_seen", "last_seen"];

impl Table for Occurrences {
    const NAME: &'static str = "occurrences";
    type Row = OccurrenceRow;

    fn fields() -> Vec<Field> {
        let text = TEXT.iter().map(|&(name, empty)| Field::new(name, DataType::Utf8, empty));
        let first_line = Field::new("first_line", DataType::UInt32, false);
        let time = DataType::Timestamp(TimeUnit::Millisecond, Some(UTC.into()));
        let times = TIMES.iter().map(|&name| Field::new(name, time.clone(), true));
        text.chain([first_line]).chain(times).collect()
    }

    fn push(&mut self, row: &OccurrenceRow) {
        let o = &row.occurrence;
        let blob = row.blob.to_string();
        let text = [
            Some(blob.as_str()),
            Some(&o.project),
            Some(&o.path),
            o.purl.as_deref(),
            o.introduced_by.as_deref(),
            o.removed_by.as_deref(),
            o.author.as_deref(),
            Some(o.evidence.name()),
            o.link.as_deref(),
            o.license.as_deref(),
        ];
        self.text.iter_mut().zip(text).for_each(|(column, value)| column.append_option(value));
        self.first_line.append_value(o.first_line);
        let times = [o.first_seen, o.last_seen];
        self.times.iter_mut().zip(times).for_each(|(column, time)| {
            column.append_option(time.map(|seconds| seconds.saturating_mul(1000)));
        });
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        let text = self.text.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let mut columns: Vec<ArrayRef> = text.collect();
        columns.push(Arc::new(self.first_line.finish()));
        let times = self.times.iter_mut().map(|column| column.finish().with_timezone(UTC));
        columns.extend(times.map(|column| Arc::new(column) as ArrayRef));
        columns
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(OccurrenceRow)) -> Option<()> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let time = |name| batch.column_by_name(name)?.as_primitive_opt::<TimestampMillisecondType>();
        let [blob, project, path, evidence] =
            [text("blob")?, text("project")?, text("path")?, text("evidence")?];
        let [purl, introduced, removed] = [text("purl")?, text("introduced_by")?, text("removed_by")?];
        let [author, link] = [text("author")?, text("link")?];
        // Corpora that are older than the column have none.
        let license = text("license");
        let first_line = batch.column_by_name("first_line")?.as_primitive_opt::<UInt32Type>()?;
        let [first_seen, last_seen] = [time("first_seen")?, time("last_seen")?];
        for at in 0..batch.num_rows() {
            let optional = |column: &StringArray| (!column.is_null(at)).then(|| column.value(at).to_owned());
            let seen = |column: &arrow_array::PrimitiveArray<TimestampMillisecondType>| {
                (!column.is_null(at)).then(|| column.value(at).div_euclid(1000))
            };
            let occurrence = Occurrence {
                project: project.value(at).to_owned(),
                purl: optional(purl),
                path: path.value(at).to_owned(),
                first_line: first_line.value(at),
                introduced_by: optional(introduced),
                removed_by: optional(removed),
                author: optional(author),
                first_seen: seen(first_seen),
                last_seen: seen(last_seen),
                evidence: evidence.value(at).parse().ok()?,
                link: optional(link),
                license: license.and_then(optional),
            };
            row(OccurrenceRow { blob: blob.value(at).parse().ok()?, occurrence });
        }
        Some(())
    }

    fn bytes(row: &OccurrenceRow) -> usize {
        let o = &row.occurrence;
        let optional = [&o.purl, &o.introduced_by, &o.removed_by, &o.author, &o.link, &o.license];
        120 + o.project.len() + o.path.len() + optional.into_iter().flatten().map(String::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_older_than_a_column_is_read() {
        let occurrence = Occurrence { license: Some("CC BY-SA 4.0".to_owned()), ..Occurrence::default() };
        let mut table = Occurrences::default();
        table.push(&OccurrenceRow { blob: BlobId([7; 20]), occurrence });
        let schema = Arc::new(arrow_schema::Schema::new(Occurrences::fields()));
        let mut batch = RecordBatch::try_new(schema, table.columns()).expect("columns of the fields");
        let license = |batch: &RecordBatch| {
            let mut read = None;
            Occurrences::rows(batch, &mut |row| read = row.occurrence.license).expect("all columns");
            read
        };
        assert_eq!(license(&batch).as_deref(), Some("CC BY-SA 4.0"));
        batch.remove_column(batch.schema().index_of("license").expect("it is there"));
        assert_eq!(license(&batch), None);
    }
}
