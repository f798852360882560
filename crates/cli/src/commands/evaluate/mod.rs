//! `familiar evaluate`: how good a measure or an encoder is, on labelled data.

mod bags;
mod data;
mod diversity;
mod measuring;
mod mutants;
pub(crate) mod pairs;
pub(crate) mod retrieval;
pub(crate) mod robustness;
mod selection;

use std::process::ExitCode;

use clap::Subcommand;

/// Evaluate a measure of similarity or an encoder on labeled data.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Pairs(Box<pairs::Arguments>),
    Retrieval(retrieval::Arguments),
    Bags(bags::Arguments),
    Robustness(robustness::Arguments),
    Diversity(diversity::Arguments),
    Mutants(mutants::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate pairs pairs.jsonl --measure aligned --by type
  familiar evaluate retrieval poj104 --data data
  familiar evaluate retrieval solutions.jsonl --measure aligned --max-per-group 10
  familiar evaluate bags bags.jsonl --similarity 0.8
  familiar evaluate robustness programs.jsonl --detector builtin --set new-20
  familiar evaluate diversity programs.jsonl --programs 20
  familiar evaluate mutants programs.jsonl --detector builtin";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Pairs(arguments) => pairs::run(arguments)?,
        What::Retrieval(arguments) => retrieval::run(arguments)?,
        What::Bags(arguments) => bags::run(arguments)?,
        What::Robustness(arguments) => robustness::run(arguments)?,
        What::Diversity(arguments) => diversity::run(arguments)?,
        What::Mutants(arguments) => mutants::run(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}
