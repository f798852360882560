//! `familiar codenet`: data sets of submissions.

mod benchmark;
pub(crate) mod duplicates;
#[cfg(feature = "train")]
mod evaluate;
mod evolution;
mod import;
mod left_out;
mod problems;
mod run;
mod select;
mod stats;
#[cfg(feature = "train")]
mod train;
mod translations;

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
    Stats(stats::Arguments),
    Select(select::Arguments),
    Run(run::Arguments),
    Duplicates(duplicates::Arguments),
    Problems(problems::Arguments),
    Evolution(evolution::Arguments),
    Translations(translations::Arguments),
    Benchmark(benchmark::Arguments),
    #[cfg(feature = "train")]
    Train(train::Arguments),
    #[cfg(feature = "train")]
    Evaluate(evaluate::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet import Project_CodeNet --output set
  familiar codenet import submissions.parquet --column code=source --output set
  familiar codenet stats set --format html --output set.html
  familiar codenet duplicates set --format clusters
  familiar codenet benchmark set --lang java --problems 250 --solutions 300 --output java250
  familiar codenet duplicates corpus.jsonl.zst --format kept --output clean.jsonl";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Import(arguments) => import::run(arguments)?,
        What::Stats(arguments) => stats::run(arguments)?,
        What::Select(arguments) => select::run(arguments)?,
        What::Run(arguments) => run::run(arguments)?,
        What::Duplicates(arguments) => duplicates::run(arguments)?,
        What::Problems(arguments) => problems::run(arguments)?,
        What::Evolution(arguments) => evolution::run(arguments)?,
        What::Translations(arguments) => translations::run(arguments)?,
        What::Benchmark(arguments) => benchmark::run(arguments)?,
        #[cfg(feature = "train")]
        What::Train(arguments) => train::run(arguments)?,
        #[cfg(feature = "train")]
        What::Evaluate(arguments) => evaluate::run(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
