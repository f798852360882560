//! Filling corpora: the job's own of uploads, and those of the server.

use std::collections::BTreeSet;
use std::path::Path;

use familiar_corpus::archive::Archive;
use familiar_corpus::spec;
use familiar_library::{self as corpus, AddOptions, Outcome};
use familiar_model::{Builtin, Encoder, Stage};

use super::context::Context;
use super::progress::Failure;
use crate::tasks::Found;

/// Sources that could not be read make a job fail, though the others are there.
pub(super) fn outcome_of(outcome: &Outcome) -> Result<Option<Found>, Failure> {
    let failed: Vec<String> = outcome.failed.iter().map(ToString::to_string).collect();
    if failed.is_empty() { Ok(None) } else { Err(failed.join("\n").into()) }
}

/// The vectors of what is new in a corpus, where it has some that one of our encoders made.
pub(super) fn vectors(corpus: &Path, context: Context<'_>) -> Result<(), Failure> {
    let Some(made_by) = corpus::vectors_made_by(corpus)? else { return Ok(()) };
    let ours = [Builtin::shipped().clone(), Builtin::shipped().at_stage(Stage::Static)];
    let Some(encoder) = ours.into_iter().find(|encoder| encoder.name() == made_by) else {
        let reason = "the vectors of this corpus were made by another encoder; bring them up to date with `familiar corpus add CORPUS --vectors`";
        return Err(reason.into());
    };
    let Context { bounds, progress, .. } = context;
    Ok(corpus::make_vectors(corpus, &encoder, bounds.threads, bounds.memory, progress)?)
}

/// Adds the sources of these names to a corpus.
pub(super) fn add(
    corpus: &Path,
    names: &[String],
    base: &BTreeSet<String>,
    context: Context<'_>,
) -> Result<Outcome, Failure> {
    let walk = context.walk();
    let mut sources = Vec::new();
    for name in names {
        sources.push((name.clone(), spec::source(name, &walk)?));
    }
    let options = AddOptions {
        folder: corpus.to_owned(),
        sources,
        base: base.clone(),
        exclude: Vec::new(),
        text: true,
        reading: context.reading(),
    };
    Ok(corpus::add(&options, context.progress)?)
}

/// What an upload is: an archive, or one file.
pub(super) fn source_of(upload: &Path) -> Result<String, Failure> {
    let kind = if Archive::is_archive(upload)? { "archive" } else { "dir" };
    Ok(format!("{kind}:{}", upload.to_str().ok_or("the name of the server's folder is not text")?))
}
