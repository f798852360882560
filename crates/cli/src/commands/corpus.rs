//! `familiar corpus`: code that is kept, with where it stands and since when.

pub(crate) mod add;
mod change;
mod export;
mod remove;
mod show;

use std::path::Path;
use std::process::ExitCode;

use clap::Subcommand;
use familiar_library::{self as corpus, CorpusError};

use crate::common::{Quiet, Resources, Watching};
use crate::corpora::{existing, make_vectors};
use crate::progress::Bar;

/// Build and maintain a corpus: a collection of code that records where each file stands, and since when.
///
/// CORPUS is a path, or a name in FAMILIAR_HOME (default: the folder `familiar` in the platform's data folder).
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Add(Box<add::Arguments>),
    Update(Box<add::Update>),
    List(show::List),
    Info(show::Info),
    Remove(remove::Arguments),
    Verify(show::Verify),
    Export(export::Arguments),
    Rebuild(Rebuild),
    Merge(MergeOf),
}

/// Build the index of a corpus again, from its tables.
///
/// Rebuild a corpus if `corpus verify` finds a damaged segment, or if a new version of Familiar computes other fingerprints. The
/// corpus must contain its source text.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar corpus rebuild world")]
struct Rebuild {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[command(flatten)]
    working: Working,
}

/// Merge the parts of a corpus, and delete code that no source contains any more.
///
/// `add` and `update` merge by themselves when there are many small parts.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar corpus merge world")]
struct MergeOf {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[command(flatten)]
    working: Working,
}

/// The common flags of a command that works for a while and writes no result.
#[derive(clap::Args, Debug)]
struct Working {
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    resources: Resources,
}

const EXAMPLES: &str = "\
Examples:
  familiar corpus add world ~/src/project downloads/numpy-2.0.zip
  familiar corpus info world
  familiar corpus list";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Add(given) => add::run(given),
        What::Update(given) => add::update(given),
        What::List(given) => show::list(given),
        What::Info(given) => show::info(given),
        What::Remove(given) => remove::run(given),
        What::Verify(given) => show::verify(given),
        What::Export(given) => export::run(given),
        What::Merge(MergeOf { corpus, working }) => working
            .run(corpus, |folder, progress| corpus::merge(folder, working.resources.memory(), progress)),
        What::Rebuild(Rebuild { corpus, working }) => working.run(corpus, |folder, progress| {
            let Working { resources, .. } = working;
            corpus::rebuild(folder, resources.threads(), resources.memory(), progress)
        }),
    }
}

impl Working {
    /// Does some work on a corpus, and makes the vectors that it lacks after that.
    fn run(
        &self,
        name: &str,
        work: impl FnOnce(&Path, &Bar) -> Result<(), CorpusError>,
    ) -> anyhow::Result<ExitCode> {
        let progress = self.watching.bar(self.quiet.quiet);
        let folder = existing(name)?;
        work(&folder, &progress)?;
        make_vectors(&folder, None, self.resources, &progress)?;
        progress.finish();
        Ok(ExitCode::SUCCESS)
    }
}
