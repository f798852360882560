//! What stands for `corpora` in a program that has `familiar clones` alone: there are none.

use std::path::PathBuf;

use familiar_detect::{Baseline, CloneOptions};
use familiar_report::CloneReport;
use familiar_source::Progress;

/// Fails, and says what to do.
pub(crate) fn existing(name: &str) -> anyhow::Result<PathBuf> {
    anyhow::bail!(
        "this build searches only folders, not the corpus {name}; build all of Familiar: cargo build --release"
    )
}

/// The clones in trees.
pub(crate) fn clones(
    options: &CloneOptions,
    baseline: Option<&Baseline>,
    progress: &dyn Progress,
) -> anyhow::Result<CloneReport> {
    Ok(familiar_detect::in_trees(options, baseline, progress)?)
}
