//! `familiar corpus export`: the tables of a corpus for other tools.

use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::corpus::{self, ExportFormat, Exported};

use super::{folder, print};
use crate::{output, values};

/// Write the tables of a corpus as they count, for other tools
///
/// One file for each table, with the columns that docs/formats/corpus.md describes: later readings of a source in the place of
/// earlier ones, without what was taken out. DIR is new or empty, and is there whole or not at all.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// The folder to write
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// parquet, ndjson, csv
    #[arg(long, value_name = "NAME", value_parser = values::export_format, default_value = "parquet")]
    format: ExportFormat,
    /// Only these: occurrences, blobs, fragments, lineage, projects, skips, licenses, license_files, license_texts, texts
    /// [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::table)]
    tables: Vec<&'static str>,
    /// Do not write the source text, nor that of license files
    #[arg(long)]
    no_text: bool,
    /// Say nothing but errors
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  familiar corpus export world --output world-tables
  familiar corpus export world --output places --format csv --tables occurrences,projects
  duckdb -c \"SELECT language, count(*) FROM 'world-tables/blobs.parquet' GROUP BY ALL\"";

pub(super) fn run(given: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = folder(&given.corpus)?;
    // The text of a corpus that keeps none is missed by those alone who ask for it.
    let all = || -> anyhow::Result<Vec<&'static str>> {
        let text = corpus::keeps_text(&folder)?;
        Ok(corpus::TABLES.into_iter().filter(|&table| text || table != "texts").collect())
    };
    let mut tables = if given.tables.is_empty() { all()? } else { given.tables.clone() };
    tables.retain(|&table| !given.no_text || !matches!(table, "texts" | "license_texts"));
    anyhow::ensure!(
        !tables.is_empty(),
        "--tables texts with --no-text leaves nothing to write; leave --no-text out, or name other tables"
    );
    let exported = output::write_folder(
        &given.output,
        |_| false,
        |inner| Ok(corpus::export(&folder, inner, given.format, &tables)?),
    )?;
    if !given.quiet {
        print(|out| {
            exported.iter().try_for_each(|Exported { file, rows }| writeln!(out, "{file}: {rows} rows"))
        })?;
    }
    Ok(ExitCode::SUCCESS)
}
