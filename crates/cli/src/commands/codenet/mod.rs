//! `familiar codenet`: data sets of submissions.

mod duplicates;
mod import;

use std::process::ExitCode;

use clap::Subcommand;

/// Make a data set of submissions that can be trusted: clean it, find its duplicates, cut benchmarks out of it.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Import(import::Arguments),
    Duplicates(duplicates::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet import Project_CodeNet --output set
  familiar codenet import submissions.parquet --column code=source --output set
  familiar codenet duplicates set --format clusters
  familiar codenet duplicates corpus.jsonl.zst --format kept --output clean.jsonl";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Import(arguments) => import::run(arguments)?,
        What::Duplicates(arguments) => duplicates::run(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
