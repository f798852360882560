//! `familiar corpus export`: the tables of a corpus for other tools.

use std::process::ExitCode;

use anyhow::Context;
use familiar_library::{self as corpus, ExportFormat, Exported, TABLES};
use familiar_report::counted;

use crate::common::{Formats, Watching, Writing};
use crate::corpora::existing;
use crate::output::{self, Target};
use crate::values;

/// Write the tables of a corpus, for other tools.
///
/// Each table becomes one file, with the columns that docs/formats/corpus.md describes. If a source was read several times, only the
/// newest reading is written. Removed projects are left out. --output names a new or an empty folder, which is required.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// Write only these tables: occurrences, blobs, fragments, lineage, projects, skips, licenses, license_files, license_texts, texts
    /// [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = table)]
    tables: Vec<&'static str>,
    /// Leave out the source text and the text of license files
    #[arg(long)]
    no_text: bool,
    #[command(flatten)]
    writing: Writing<ExportFormat>,
    #[command(flatten)]
    watching: Watching,
}

const EXAMPLES: &str = "\
Examples:
  familiar corpus export world --output world-tables
  familiar corpus export world --output places --format csv --tables occurrences,projects
  duckdb -c \"SELECT language, count(*) FROM 'world-tables/blobs.parquet' GROUP BY ALL\"";

pub(super) fn run(given: &Arguments) -> anyhow::Result<ExitCode> {
    let output = given.writing.output.as_deref().context("tables need a folder; give --output DIR")?;
    let folder = existing(&given.corpus)?;
    // The text of a corpus that keeps none is missed by those alone who ask for it.
    let all = || -> anyhow::Result<Vec<&'static str>> {
        let text = corpus::keeps_text(&folder)?;
        Ok(corpus::TABLES.into_iter().filter(|&table| text || table != "texts").collect())
    };
    let mut tables = if given.tables.is_empty() { all()? } else { given.tables.clone() };
    tables.retain(|&table| !given.no_text || !matches!(table, "texts" | "license_texts"));
    anyhow::ensure!(
        !tables.is_empty(),
        "--tables and --no-text together leave nothing to write; leave out --no-text, or name other tables"
    );
    let progress = given.watching.bar(given.writing.quiet());
    progress.begin("writing tables");
    let exported = output::write_folder(
        output,
        |_| false,
        |inner| Ok(corpus::export(&folder, inner, given.writing.format(), &tables)?),
    )?;
    progress.finish();
    if !given.writing.quiet() {
        Target::new(None).write(|out| {
            let mut files = exported.iter();
            files.try_for_each(|Exported { file, rows }| writeln!(out, "{file}: {}", counted(*rows, "row")))
        })?;
    }
    Ok(ExitCode::SUCCESS)
}

fn table(name: &str) -> Result<&'static str, String> {
    values::chosen(name, TABLES.into_iter().find(|&known| known == name), &TABLES)
}

impl Formats for ExportFormat {
    fn all() -> Vec<(&'static str, &'static str, Self)> {
        vec![
            ("parquet", "Apache Parquet", Self::Parquet),
            ("ndjson", "Every row as one JSON object a line", Self::Ndjson),
            ("csv", "A header, then one row a line", Self::Csv),
        ]
    }
}
