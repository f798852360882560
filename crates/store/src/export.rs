//! A table for others: one file in one of three formats, with the columns that the table has in a corpus.

use std::path::Path;

use crate::StoreError;
use crate::tables::{Lines, LinesWriter, ROW_GROUP, Table, TableWriter};

/// How tables are written for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExportFormat {
    #[default]
    Parquet,
    Ndjson,
    Csv,
}

impl ExportFormat {
    pub const ALL: [Self; 3] = [Self::Parquet, Self::Ndjson, Self::Csv];

    /// Its name, which files end with.
    pub fn name(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Ndjson => "ndjson",
            Self::Csv => "csv",
        }
    }
}

/// Writes one table into one file, which is there without rows too.
pub struct Export<T: Table> {
    out: Out<T>,
    rows: u64,
}

enum Out<T: Table> {
    Parquet(Box<TableWriter<T>>),
    Lines(LinesWriter<T>),
}

impl<T: Table> Export<T> {
    /// Starts the file in `folder`, with the name of the table.
    pub fn create(folder: &Path, format: ExportFormat) -> Result<Self, StoreError> {
        let file = format!("{}.{}", T::NAME, format.name());
        let lines = |lines| LinesWriter::create(&folder.join(&file), lines).map(Out::Lines);
        let out = match format {
            ExportFormat::Ndjson => lines(Lines::Json)?,
            ExportFormat::Csv => lines(Lines::Csv)?,
            ExportFormat::Parquet => Out::Parquet(Box::new(TableWriter::create(folder, file, ROW_GROUP)?)),
        };
        Ok(Self { out, rows: 0 })
    }

    pub fn push(&mut self, row: &T::Row) -> Result<(), StoreError> {
        self.rows += 1;
        match &mut self.out {
            Out::Parquet(writer) => writer.push(row),
            Out::Lines(writer) => writer.push(row),
        }
    }

    /// Brings everything to the disk; the number of rows.
    pub fn finish(self) -> Result<u64, StoreError> {
        match self.out {
            Out::Parquet(writer) => writer.close().map(drop)?,
            Out::Lines(writer) => writer.finish()?,
        }
        Ok(self.rows)
    }
}

#[cfg(test)]
mod tests {
    use familiar_source::Project;

    use super::*;
    use crate::tables::{self, Projects};

    #[test]
    fn a_table_has_the_columns_that_it_has_in_a_corpus_and_is_there_without_rows() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let project = Project { project: "a".to_owned(), commits: 7, ..Project::default() };
        let written = |rows: &[Project], name: &str| {
            let folder = folder.path().join(name);
            std::fs::create_dir(&folder).expect("it can be made");
            let mut out =
                Export::<Projects>::create(&folder, ExportFormat::Parquet).expect("it can be written");
            for row in rows {
                out.push(row).expect("it can be written");
            }
            assert_eq!(out.finish().expect("it can be written"), rows.len() as u64);
            let path = folder.join("projects.parquet");
            let file = std::fs::File::open(&path).expect("just made");
            let rows = tables::read::<Projects>(&path, file).expect("a table");
            rows.collect::<Result<Vec<_>, _>>().expect("a table")
        };
        assert_eq!(written(&[], "none"), []);
        assert_eq!(written(std::slice::from_ref(&project), "one"), [project]);
    }
}
