//! `familiar benchmark release`.

use std::path::PathBuf;

use familiar_dataset::Project;
use familiar_dataset::release::{self, ReleaseOptions};
use familiar_source::words::counted;

use crate::common::Quiet;
use crate::notes::Notes;

/// Write the pairs for others: as folders, as tables, and with a datasheet.
///
/// NAME/releases/VERSION gets GPTCloneBench's folders, the tables of BigCloneEval with their sources, pairs.parquet, DATASHEET.md and
/// manifest.json with the digest of each file. A release that is there is never changed.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar benchmark release clones2 --version 1.0")]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// The name of the release, such as 1.0
    #[arg(long, value_name = "VERSION")]
    version: String,
    /// Decides which pairs are to train on, to validate and to test
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    quiet: Quiet,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::open(&arguments.name)?;
    let options = ReleaseOptions { version: arguments.version.clone(), seed: arguments.seed };
    let result = release::run(&project, &options)?;
    Notes { quiet: arguments.quiet.quiet }.say(&format!(
        "{} of {} in {}, {}",
        counted(result.pairs, "pair"),
        counted(result.seeds, "seed"),
        result.folder.display(),
        counted(result.files, "file")
    ));
    Ok(())
}
