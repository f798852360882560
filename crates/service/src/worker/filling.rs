//! Filling corpora: the job's own of uploads, and those of the server.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use familiar_corpus::archive::Archive;
use familiar_corpus::{Source, spec};
use familiar_library::{self as corpus, AddOptions, Outcome};
use familiar_model::{Builtin, Encoder, Stage};
use sha2::{Digest, Sha256};

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
    let source = |name: &String| Ok((name.clone(), spec::source(name, &walk)?));
    add_sources(corpus, names.iter().map(source).collect::<Result<_, Failure>>()?, base, context)
}

/// Adds sources and uploads to a corpus of the server.
pub(super) fn add_given(
    corpus: &Path,
    given: &[String],
    uploads: &[PathBuf],
    context: Context<'_>,
) -> Result<Outcome, Failure> {
    let walk = context.walk();
    let (mut sources, mut failed) = (Vec::new(), Vec::new());
    for source in given {
        let named = spec::names(source)?;
        failed.extend(named.failed);
        for name in named.names {
            let source = spec::source(&name, &walk)?;
            sources.push((name, source));
        }
    }
    for upload in uploads {
        sources.push((name_of(upload), spec::source(&source_of(upload)?, &walk)?));
    }
    let mut outcome = add_sources(corpus, sources, &BTreeSet::new(), context)?;
    outcome.failed.splice(0..0, failed);
    Ok(outcome)
}

/// What an upload is called in a corpus: its name behind a number that tells it from others of that name. Where it lies, and under
/// which identifier, is nobody's business.
fn name_of(upload: &Path) -> String {
    let id = upload.parent().and_then(Path::file_name).unwrap_or_default();
    let digest = Sha256::digest(id.as_encoded_bytes());
    let number = u32::from_be_bytes(*digest.first_chunk().expect("32 bytes are more than 4"));
    let name = upload.file_name().unwrap_or_default().to_string_lossy();
    format!("{}{number:08x}/{name}", corpus::GIVEN)
}

fn add_sources(
    corpus: &Path,
    sources: Vec<(String, Box<dyn Source>)>,
    base: &BTreeSet<String>,
    context: Context<'_>,
) -> Result<Outcome, Failure> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_an_upload_says_neither_where_it_lies_nor_its_identifier() {
        let of = |path: &str| name_of(Path::new(path));
        let name = of("/data/uploads/0123/homework.zip");
        assert!(name.starts_with("upload:") && name.ends_with("/homework.zip"), "{name}");
        assert!(!name.contains("data") && !name.contains("0123"), "{name}");
        assert_ne!(name, of("/data/uploads/0124/homework.zip"));
    }
}
