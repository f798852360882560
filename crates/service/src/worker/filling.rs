//! Filling corpora: the job's own of uploads, and those of the server.

use std::collections::BTreeSet;
use std::path::Path;

use familiar_corpus::archive::Archive;
use familiar_corpus::dir::WalkOptions;
use familiar_corpus::{Limits, spec};
use familiar_library::{self as corpus, AddOptions, Outcome, Reading};
use familiar_model::{Builtin, Encoder, Stage};

use super::progress::{Failure, Reporter};
use crate::tasks::{Bounds, Found};

/// Sources that could not be read make a job fail, though the others are there.
pub(super) fn outcome_of(outcome: &Outcome) -> Result<Option<Found>, Failure> {
    let failed: Vec<String> = outcome.failed.iter().map(ToString::to_string).collect();
    if failed.is_empty() { Ok(None) } else { Err(failed.join("\n").into()) }
}

/// The bounds of a job, as bounds on reading sources.
pub(super) fn reading(bounds: Bounds) -> Reading {
    let default = Limits::default();
    let limits = Limits {
        item_bytes: bounds.file.min(default.item_bytes),
        archive_bytes: bounds.unpacked,
        download_bytes: bounds.unpacked.min(default.download_bytes),
        archive_entries: 1_000_000,
        ..default
    };
    Reading { limits, threads: bounds.threads, memory: bounds.memory }
}

/// The vectors of what is new, where the corpus has some that one of our encoders made.
pub(super) fn vectors(folder: &Path, bounds: Bounds, progress: &Reporter) -> Result<(), Failure> {
    let Some(made_by) = corpus::vectors_made_by(folder)? else { return Ok(()) };
    let ours = [Builtin::shipped().clone(), Builtin::shipped().at_stage(Stage::Static)];
    let Some(encoder) = ours.into_iter().find(|encoder| encoder.name() == made_by) else {
        let reason = "the vectors of this corpus were made by another encoder; bring them up to date with `familiar corpus add CORPUS --vectors`";
        return Err(reason.into());
    };
    Ok(corpus::make_vectors(folder, &encoder, bounds.threads, bounds.memory, progress)?)
}

/// Adds the sources of these names to the corpus in `folder`.
pub(super) fn add(
    folder: &Path,
    names: &[String],
    base: &BTreeSet<String>,
    bounds: Bounds,
    progress: &Reporter,
) -> Result<Outcome, Failure> {
    let walk = WalkOptions { threads: bounds.threads, no_ignore: true, ..WalkOptions::default() };
    let mut sources = Vec::new();
    for name in names {
        sources.push((name.clone(), spec::source(name, &walk)?));
    }
    let options = AddOptions {
        folder: folder.to_owned(),
        sources,
        base: base.clone(),
        exclude: Vec::new(),
        text: true,
        reading: reading(bounds),
    };
    Ok(corpus::add(&options, progress)?)
}

/// What an upload is: an archive, or one file.
pub(super) fn source_of(upload: &Path) -> Result<String, Failure> {
    let kind = if Archive::is_archive(upload)? { "archive" } else { "dir" };
    Ok(format!("{kind}:{}", upload.to_str().ok_or("the name of the server's folder is not text")?))
}
