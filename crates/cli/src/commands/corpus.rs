//! `familiar corpus`: code that is kept, with where it stands and since when.

mod add;
mod change;
mod export;
mod remove;
mod show;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Subcommand;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use familiar_library::{self as corpus, CorpusError};
use familiar_model::Encoder;
use familiar_source::words;

use crate::common::{Quiet, Resources, Watching};
use crate::encoders;
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

/// Where corpora with names live.
pub(crate) fn home() -> Option<PathBuf> {
    match std::env::var_os("FAMILIAR_HOME") {
        Some(home) if !home.is_empty() => Some(PathBuf::from(home)),
        _ => Some(choose_native_strategy().ok()?.data_dir().join("familiar")),
    }
}

/// The folder of a corpus that the user names.
pub(crate) fn folder(name: &str) -> anyhow::Result<PathBuf> {
    Ok(corpus::folder(name, home().as_deref())?)
}

/// The folder of a corpus that has to be there; an error says which names may be meant.
pub(crate) fn existing(name: &str) -> anyhow::Result<PathBuf> {
    let folder = folder(name)?;
    ensure!(
        folder.exists(),
        "there is no corpus {name}{}: {} does not exist; `familiar corpus list` lists the corpora, `familiar corpus add` creates one",
        suggestion(name),
        folder.display()
    );
    Ok(folder)
}

/// Which corpora may be meant by a name that none has: ` (did you mean world?)`, or nothing.
pub(crate) fn suggestion(name: &str) -> String {
    let known = home().and_then(|home| corpus::list(&home).ok()).unwrap_or_default();
    words::suggestion(name, known.iter().map(String::as_str))
}

/// The encoder of that name, opened for so many threads, or whichever of ours made the vectors of the corpus in `folder`.
pub(crate) fn encoder(folder: &Path, name: Option<&str>, threads: usize) -> anyhow::Result<Arc<dyn Encoder>> {
    let made_by = corpus::vectors_made_by(folder)?;
    let ours = made_by.as_deref().and_then(encoders::made_by);
    match (name, ours, made_by) {
        (Some(name), ..) => encoders::open(name, threads),
        (None, Some(encoder), _) => Ok(encoder),
        (None, None, Some(made_by)) => anyhow::bail!(
            "the vectors of {} were made by {made_by:?}: name it with --encoder, or make new ones with `familiar corpus add CORPUS --vectors`",
            folder.display()
        ),
        (None, None, None) => Err(CorpusError::NoVectors { folder: folder.to_owned() }.into()),
    }
}

/// Makes the vectors that a corpus lacks, where it has vectors or is to have some.
fn make_vectors(
    folder: &Path,
    name: Option<&str>,
    resources: Resources,
    progress: &Bar,
) -> anyhow::Result<()> {
    if name.is_none() && corpus::vectors_made_by(folder)?.is_none() {
        return Ok(());
    }
    let (threads, memory) = (resources.threads(), resources.memory());
    let encoder = encoder(folder, name, threads).context("the new code has no vectors")?;
    Ok(corpus::make_vectors(folder, encoder.as_ref(), threads, memory, progress)?)
}
