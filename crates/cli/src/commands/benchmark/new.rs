//! `familiar benchmark new`.

use std::path::PathBuf;

use familiar_dataset::Project;

use crate::common::Quiet;
use crate::notes::Notes;

/// Make the folder of a new benchmark, with its settings and prompts.
///
/// Change benchmark.toml and the files in prompts before you go on. A prompt is a file; add your own, or take some away.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar benchmark new clones2")]
pub(super) struct Arguments {
    /// The folder of the benchmark
    #[arg(value_name = "NAME")]
    name: PathBuf,
    #[command(flatten)]
    quiet: Quiet,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let project = Project::create(&arguments.name)?;
    Notes { quiet: arguments.quiet.quiet }.say(&format!(
        "{} has benchmark.toml and {} prompts; next: familiar benchmark seeds {} SOURCE",
        arguments.name.display(),
        project.prompts.len(),
        arguments.name.display()
    ));
    Ok(())
}
