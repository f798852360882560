//! `projects`: one row for each project with a history of its own.

use std::sync::Arc;

use arrow_array::builder::{StringBuilder, TimestampMillisecondBuilder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMillisecondType, UInt64Type};
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, TimeUnit};
use familiar_source::Project;

use super::Table;

#[derive(Debug, Default)]
pub struct Projects {
    text: [StringBuilder; TEXT.len()],
    commits: UInt64Builder,
    times: [TimestampMillisecondBuilder; TIMES.len()],
}

/// Names of the columns of text, and whether each may be empty.
const TEXT: [(&str, bool); 4] = [("project", false), ("url", true), ("kind", false), ("roots", false)];
const UTC: &str = "UTC";
const TIMES: [&str; 2] = ["first_commit", "last_commit"];

impl Table for Projects {
    const NAME: &'static str = "projects";
    type Row = Project;

    fn fields() -> Vec<Field> {
        let text = TEXT.iter().map(|&(name, empty)| Field::new(name, DataType::Utf8, empty));
        let time = DataType::Timestamp(TimeUnit::Millisecond, Some(UTC.into()));
        let times = TIMES.iter().map(|&name| Field::new(name, time.clone(), true));
        text.chain([Field::new("commits", DataType::UInt64, false)]).chain(times).collect()
    }

    fn push(&mut self, row: &Project) {
        let roots = row.roots.join(" ");
        let text = [Some(row.project.as_str()), row.url.as_deref(), Some(&row.kind), Some(&roots)];
        self.text.iter_mut().zip(text).for_each(|(column, value)| column.append_option(value));
        self.commits.append_value(row.commits);
        let times = [row.first_commit, row.last_commit];
        self.times.iter_mut().zip(times).for_each(|(column, time)| {
            column.append_option(time.map(|seconds| seconds.saturating_mul(1000)));
        });
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        let text = self.text.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let mut columns: Vec<ArrayRef> = text.collect();
        columns.push(Arc::new(self.commits.finish()));
        let times = self.times.iter_mut().map(|column| column.finish().with_timezone(UTC));
        columns.extend(times.map(|column| Arc::new(column) as ArrayRef));
        columns
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(Project)) -> Option<()> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let time = |name| batch.column_by_name(name)?.as_primitive_opt::<TimestampMillisecondType>();
        let [project, url, kind, roots] = [text("project")?, text("url")?, text("kind")?, text("roots")?];
        let commits = batch.column_by_name("commits")?.as_primitive_opt::<UInt64Type>()?;
        let [first, last] = [time("first_commit")?, time("last_commit")?];
        for at in 0..batch.num_rows() {
            let seen = |column: &arrow_array::PrimitiveArray<TimestampMillisecondType>| {
                (!column.is_null(at)).then(|| column.value(at).div_euclid(1000))
            };
            row(Project {
                project: project.value(at).to_owned(),
                url: (!url.is_null(at)).then(|| url.value(at).to_owned()),
                kind: kind.value(at).to_owned(),
                roots: roots.value(at).split_whitespace().map(ToOwned::to_owned).collect(),
                commits: commits.value(at),
                first_commit: seen(first),
                last_commit: seen(last),
            });
        }
        Some(())
    }

    fn bytes(row: &Project) -> usize {
        100 + row.project.len() + row.roots.len() * 41
    }
}
