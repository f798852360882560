//! `familiar corpus remove`: a source or a project out of a corpus.

use std::process::ExitCode;

use familiar_engine::CloneOptions;
use familiar_engine::corpus::{self, Removed};

use super::{folder, print};
use crate::values;

/// Take a source or a project out of a corpus, by the name that `corpus info` gives it
///
/// A project goes with all that was said of it, wherever it came from. A source that had nothing else is no source any more; in another
/// (submissions of many authors) the project stays out when the corpus is updated, until that source is added again. What it alone
/// had goes from the disk with the next `corpus merge`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[arg(value_name = "SOURCE", required_unless_present = "project", conflicts_with = "project")]
    source: Option<String>,
    /// Take out this project; may be repeated
    #[arg(long, value_name = "NAME")]
    project: Vec<String>,
    /// Memory to stay within [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    memory: Option<usize>,
}

const EXAMPLES: &str = "\
Examples:
  familiar corpus remove world dir:/home/me/src/project
  familiar corpus remove world --project github.com/owner/name && familiar corpus merge world";

pub(super) fn run(given: &Arguments) -> anyhow::Result<ExitCode> {
    let folder = folder(&given.corpus)?;
    if let Some(source) = &given.source {
        corpus::remove(&folder, source)?;
        return Ok(ExitCode::SUCCESS);
    }
    let memory = given.memory.unwrap_or(CloneOptions::default().memory);
    let removed = corpus::remove_projects(&folder, &given.project.iter().cloned().collect(), memory)?;
    print(|out| {
        removed.iter().try_for_each(|Removed { source, occurrences, whole }| {
            let rest = if *whole { "; nothing else was in it, so it is no source any more" } else { "" };
            writeln!(out, "{source}: {occurrences} places taken out{rest}")
        })
    })?;
    Ok(ExitCode::SUCCESS)
}
