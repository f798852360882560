//! `familiar evaluate bags`.

use std::path::PathBuf;

use familiar_evaluate::bags::{self, BagsOptions};

use crate::common::Common;
use crate::formats::BagsFormat;

/// Find every pair of token bags that overlap enough, by the definition of SourcererCC.
///
/// Rows are JSON lines, plain or .zst, with id and bag. A bag maps tokens to counts. The result has the columns left, right, overlap and
/// larger, and is sorted. The memory of the bags comes on top of --memory.
#[derive(clap::Args, Debug)]
#[command(
    after_long_help = "Examples:\n  familiar evaluate bags bags.jsonl.zst --similarity 0.8 --output pairs.csv"
)]
pub(super) struct Arguments {
    /// A file of bags
    #[arg(value_name = "BAGS")]
    bags: PathBuf,
    /// Lowest share of the larger bag's tokens that two bags have in common, above 0 and at most 1
    #[arg(long, value_name = "X")]
    similarity: f64,
    #[command(flatten)]
    common: Common<BagsFormat>,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let BagsFormat::Csv = arguments.common.writing.format();
    let target = arguments.common.writing.target();
    target.check()?;
    let resources = arguments.common.resources;
    let options = BagsOptions {
        bags: arguments.bags.clone(),
        similarity: arguments.similarity,
        memory: resources.memory(),
        threads: resources.threads(),
    };
    let mut rows = Vec::new();
    let progress = arguments.common.bar();
    progress.begin("comparing bags");
    bags::run(&options, &mut rows)?;
    progress.finish();
    target.write(|out| out.write_all(&rows))
}
