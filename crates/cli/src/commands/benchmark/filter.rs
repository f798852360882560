//! `familiar benchmark filter`.

use std::path::PathBuf;

use familiar_dataset::Project;
use familiar_dataset::filter::{self, FilterOptions};
use familiar_source::words::counted;

use super::said;
use crate::common::Common;
use crate::corpora::existing;
use crate::formats::TextOrJson;

/// Say how alike each implementation and its seed are, and leave copies out.
///
/// Lines are compared as NiCad does, with names and literals made alike. Above 75 % a pair is a false semantic clone, from 50 % on it is
/// of Type-3, and below of Type-4; benchmark.toml has the bounds. Of implementations of one seed that are copies of each other, the first
/// stays.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Also say how probable it is that both sides do the same, by the built-in encoder
    #[arg(long)]
    semantic: bool,
    /// Look for the implementations in this corpus, and mark those that somebody has
    #[arg(long, value_name = "CORPUS")]
    against: Option<String>,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

const EXAMPLES: &str = "\
Examples:
  familiar benchmark filter clones2 --semantic
  familiar benchmark filter clones2 --against world";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let options = FilterOptions {
        semantic: arguments.semantic,
        against: arguments.against.as_deref().map(existing).transpose()?,
        threads: arguments.common.resources.threads(),
        memory: arguments.common.resources.memory(),
    };
    let bar = arguments.common.bar();
    let result = filter::run(&project, &options, &bar)?;
    bar.finish();
    said::say(&arguments.common.writing, &result, |out| {
        said::listed(out, "pair", result.bands.iter().map(|(band, count)| (band.name(), *count)))?;
        if result.merged > 0 {
            writeln!(out, "{} of another implementation of the same seed", counted(result.merged, "copy"))?;
        }
        if result.short > 0 {
            writeln!(out, "{} with a short side", counted(result.short, "pair"))?;
        }
        if result.contaminated > 0 {
            writeln!(out, "{} in the corpus", counted(result.contaminated, "implementation"))?;
        }
        Ok(())
    })
}
