//! Corpora by the names that users give them, what is in them, and who made their vectors.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use familiar_detect::{Baseline, CloneOptions};
use familiar_library::CorpusError;
use familiar_model::Encoder;
use familiar_report::CloneReport;
use familiar_source::{Progress, words};

use crate::common::Resources;
use crate::encoders;

/// Where corpora with names live.
pub(crate) fn home() -> Option<PathBuf> {
    match std::env::var_os("FAMILIAR_HOME") {
        Some(home) if !home.is_empty() => Some(PathBuf::from(home)),
        _ => Some(choose_native_strategy().ok()?.data_dir().join("familiar")),
    }
}

/// The folder of a corpus that the user names.
pub(crate) fn folder(name: &str) -> anyhow::Result<PathBuf> {
    Ok(familiar_library::folder(name, home().as_deref())?)
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
    let known = home().and_then(|home| familiar_library::list(&home).ok()).unwrap_or_default();
    words::suggestion(name, known.iter().map(String::as_str))
}

/// The clones in trees or corpora, as `options` name them.
pub(crate) fn clones(
    options: &CloneOptions,
    baseline: Option<&Baseline>,
    progress: &dyn Progress,
) -> anyhow::Result<CloneReport> {
    Ok(familiar_engine::clones::run(options, baseline, progress)?)
}

/// The encoder of that name, opened for so many threads, or whichever of ours made the vectors of the corpus in `folder`.
pub(crate) fn encoder(folder: &Path, name: Option<&str>, threads: usize) -> anyhow::Result<Arc<dyn Encoder>> {
    let made_by = familiar_library::vectors_made_by(folder)?;
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
pub(crate) fn make_vectors(
    folder: &Path,
    name: Option<&str>,
    resources: Resources,
    progress: &dyn Progress,
) -> anyhow::Result<()> {
    if name.is_none() && familiar_library::vectors_made_by(folder)?.is_none() {
        return Ok(());
    }
    let (threads, memory) = (resources.threads(), resources.memory());
    let encoder = encoder(folder, name, threads).context("the new code has no vectors")?;
    Ok(familiar_library::make_vectors(folder, encoder.as_ref(), threads, memory, progress)?)
}
