//! `lineage`: one row for each blob that came in the place of another.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field};
use familiar_source::Lineage;

use super::Table;

#[derive(Debug, Default)]
pub struct Lineages {
    text: [StringBuilder; TEXT.len()],
}

/// Names of the columns, and whether each may be empty.
const TEXT: [(&str, bool); 6] = [
    ("blob", false),
    ("parent", true),
    ("project", false),
    ("path", false),
    ("parent_path", true),
    ("revision", false),
];

impl Table for Lineages {
    const NAME: &'static str = "lineage";
    type Row = Lineage;

    fn fields() -> Vec<Field> {
        TEXT.iter().map(|&(name, empty)| Field::new(name, DataType::Utf8, empty)).collect()
    }

    fn push(&mut self, row: &Lineage) {
        let (blob, parent) = (row.blob.to_string(), row.parent.map(|parent| parent.to_string()));
        let text = [
            Some(blob.as_str()),
            parent.as_deref(),
            Some(&row.project),
            Some(&row.path),
            row.parent_path.as_deref(),
            Some(&row.revision),
        ];
        self.text.iter_mut().zip(text).for_each(|(column, value)| column.append_option(value));
    }

    fn columns(&mut self) -> Vec<ArrayRef> {
        self.text.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef).collect()
    }

    fn rows(batch: &RecordBatch, row: &mut dyn FnMut(Lineage)) -> Option<()> {
        let text = |name| batch.column_by_name(name)?.as_string_opt::<i32>();
        let [blob, parent, revision] = [text("blob")?, text("parent")?, text("revision")?];
        let [project, path, from] = [text("project")?, text("path")?, text("parent_path")?];
        for at in 0..batch.num_rows() {
            row(Lineage {
                blob: blob.value(at).parse().ok()?,
                parent: if parent.is_null(at) { None } else { Some(parent.value(at).parse().ok()?) },
                project: project.value(at).to_owned(),
                path: path.value(at).to_owned(),
                parent_path: (!from.is_null(at)).then(|| from.value(at).to_owned()),
                revision: revision.value(at).to_owned(),
            });
        }
        Some(())
    }

    fn bytes(row: &Lineage) -> usize {
        160 + row.project.len() + row.path.len() + row.parent_path.as_ref().map_or(0, String::len)
    }
}
