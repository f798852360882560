//! `familiar evaluate bags`.

use std::path::PathBuf;

use familiar_evaluate::bags::{self, BagsOptions};

use crate::output::Target;
use crate::values;

/// Every pair of token bags that overlap enough (SourcererCC's definition), as CSV
///
/// Rows are JSON lines, plain or .zst, with id and bag, from tokens to counts. Prints left,right,overlap,larger, sorted.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "Examples:\n  familiar evaluate bags bags.jsonl.zst --similarity 0.8 --output pairs.csv"
)]
pub(super) struct Arguments {
    #[arg(value_name = "BAGS")]
    bags: PathBuf,
    /// Least share of the larger bag's tokens that two bags have in common
    #[arg(long, value_name = "X")]
    similarity: f64,
    /// Write to a file, whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Memory for the search besides the bags, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "1GiB")]
    memory: usize,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let options = BagsOptions {
        bags: arguments.bags.clone(),
        similarity: arguments.similarity,
        memory: arguments.memory,
        threads: arguments.threads,
    };
    let mut rows = Vec::new();
    bags::run(&options, &mut rows)?;
    target.write(|out| out.write_all(&rows))
}
