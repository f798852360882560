//! `familiar evaluate`: how good a measure is, on labelled data.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use familiar_engine::Measure;
use familiar_evaluate::bags::{self, BagsOptions};
use familiar_evaluate::pairs::{self, By, Negatives, PairsOptions};
use familiar_report::Format;

use crate::output::Target;
use crate::values;

/// Measure how good a measure of similarity is, on labelled data
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Pairs(Pairs),
    Bags(Bags),
}

/// Recall by type, precision, F1, area under the curve and thresholds on labelled pairs
///
/// Rows are JSON lines, plain or .zst: id1 and id2 into FRAGMENTS, or code1, code2, lang1 and lang2; label 1 or 0; type
/// if known. Rows with `conflict` are left out.
#[derive(clap::Args, Debug)]
#[command(after_long_help = PAIRS_EXAMPLES)]
struct Pairs {
    #[arg(value_name = "PAIRS")]
    pairs: PathBuf,
    /// JSON lines of fragments with id, lang and code
    #[arg(long, value_name = "FRAGMENTS")]
    fragments: Option<PathBuf>,
    /// aligned, token-overlap, lines
    #[arg(long, value_name = "NAME", value_parser = values::measure, default_value = "aligned")]
    measure: Measure,
    /// Least similarity of a clone [default: the measure's own]
    #[arg(long, value_name = "X")]
    similarity: Option<f64>,
    /// Make names and literals alike before anything is measured
    #[arg(long)]
    blind: bool,
    /// Break the figures down by type or lang
    #[arg(long, value_name = "WHAT", value_parser = values::by)]
    by: Option<By>,
    /// Where there are only positives, draw as many negatives: random, hard
    #[arg(long, value_name = "HOW", value_parser = values::negatives)]
    negatives: Option<Negatives>,
    /// What the drawing of negatives starts from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Skip pairs with a smaller side
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_tokens: u32,
    /// Skip pairs with a side of fewer lines
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_lines: u32,
    /// text or json
    #[arg(long, value_name = "NAME", value_parser = values::text_or_json, default_value = "text")]
    format: Format,
    /// Write to a file, whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate pairs pairs.jsonl --measure aligned --by type
  familiar evaluate bags bags.jsonl --similarity 0.8";

const PAIRS_EXAMPLES: &str = "\
Examples:
  familiar evaluate pairs bcb_pairs.jsonl.zst --fragments bcb_functions.jsonl.zst
  familiar evaluate pairs pairs.jsonl --measure token-overlap --similarity 0.7 --format json
  familiar evaluate pairs positives.jsonl --negatives hard --seed 7 --by lang";

/// Every pair of token bags that overlap enough (SourcererCC's definition), as CSV
///
/// Rows are JSON lines, plain or .zst, with id and bag, from tokens to counts. Prints left,right,overlap,larger, sorted.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "Examples:\n  familiar evaluate bags bags.jsonl.zst --similarity 0.8 --output pairs.csv"
)]
struct Bags {
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

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Pairs(arguments) => run_pairs(arguments)?,
        What::Bags(arguments) => run_bags(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn run_pairs(arguments: &Pairs) -> anyhow::Result<()> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let result = pairs::run(&PairsOptions {
        pairs: arguments.pairs.clone(),
        fragments: arguments.fragments.clone(),
        measure: arguments.measure,
        similarity: arguments.similarity,
        blind: arguments.blind,
        by: arguments.by,
        negatives: arguments.negatives,
        seed: arguments.seed,
        min_tokens: arguments.min_tokens,
        min_lines: arguments.min_lines,
        threads: arguments.threads,
    })?;
    target.write(|out| match arguments.format {
        Format::Json => result.write_json(out),
        _ => result.write_text(out),
    })
}

fn run_bags(arguments: &Bags) -> anyhow::Result<()> {
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
