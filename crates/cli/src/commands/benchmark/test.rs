//! `familiar benchmark test`.

use std::path::PathBuf;

#[cfg(target_os = "linux")]
use familiar_dataset::test::{self, TestOptions};
use familiar_source::Language;

use crate::common::{Watching, Writing};
use crate::formats::TextOrJson;
use crate::values;

/// Run both sides of the pairs in a sandbox, and say whether they behave alike.
///
/// Inputs are made by types, literals and changes of others. *Agrees* needs five inputs that end normally, two different results, and
/// inputs that detect 80 % of one side's mutants. Reports go to tests.jsonl as they come, and the same command goes on after a kill.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar benchmark test clones2 --lang python,java --pairs 1000")]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Only pairs of which both sides are in one of these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Only the first N pairs [default: all]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    pairs: Option<usize>,
    /// Decides which inputs are made
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Run programs with your own rights where this system cannot confine them
    #[arg(long)]
    unsandboxed: bool,
    #[command(flatten)]
    writing: Writing<TextOrJson>,
    #[command(flatten)]
    watching: Watching,
}

#[cfg(not(target_os = "linux"))]
pub(super) fn run(_: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!("programs can be run on Linux only")
}

#[cfg(target_os = "linux")]
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    use super::said;
    use familiar_source::words::counted;

    let project = familiar_dataset::Project::open(&arguments.name)?;
    let options = TestOptions {
        pairs: arguments.pairs.unwrap_or(0),
        languages: arguments.lang.clone(),
        seed: arguments.seed,
        unsandboxed: arguments.unsandboxed,
    };
    let bar = arguments.watching.bar(arguments.writing.quiet());
    let result = test::run(&project, &options, &bar)?;
    bar.finish();
    said::say(&arguments.writing, &result, |out| {
        said::listed(out, "pair", result.verdicts.iter().map(|(name, count)| (name.as_str(), *count)))?;
        for (cause, count) in &result.causes {
            writeln!(out, "  {} cannot be run: {cause}", counted(*count, "pair"))?;
        }
        Ok(())
    })
}
