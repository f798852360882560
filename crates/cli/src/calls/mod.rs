//! Which operations can a caller inside this process have, with the flags of the command line?
//!
//! The caller gives the words that would follow the command, and gets the result as a value, or as the rows of `--format ndjson`.
//! Nothing is written to standard output or standard error, and `familiar.toml` is not read.

mod error;
mod laboratory;

use std::ffi::OsString;
use std::io::{self, Write};

use clap::{CommandFactory as _, FromArgMatches as _};
use familiar_audit::license::LicenseSummary;
use familiar_codenet::duplicates::Cluster;
use familiar_engine::{CloneOptions, Progress, clones as engine_clones};
use familiar_model::Vectors;
use familiar_report::CloneReport;
use familiar_report::audit::AuditReport;
use familiar_report::license::LicensedFile;
use familiar_source::{Language, language_named};

use crate::{Familiar, commands, corpora, settings_names, values, wrong_value};

pub use error::CallError;
pub use familiar_codenet::duplicates::Duplicates;
pub use familiar_engine::clones::Text;
pub use familiar_library::StoredVector;
pub use laboratory::{attack, evaluate_pairs, evaluate_retrieval, evaluate_robustness, transform};

/// The flags of one command, without its name.
#[derive(clap::Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Flags<A: clap::Args> {
    #[command(flatten)]
    arguments: A,
}

fn parsed<A: clap::Args>(words: &[OsString]) -> Result<A, CallError> {
    settings_names::are_of(Familiar::command);
    let usage = |error| CallError::usage(&error);
    let matches = wrong_value::matches(Flags::<A>::command(), words).map_err(usage)?;
    Ok(Flags::<A>::from_arg_matches(&matches).map_err(usage)?.arguments)
}

/// `familiar clones`, with everything that its rows hold.
pub fn clones(words: &[OsString], progress: &dyn Progress) -> Result<CloneReport, CallError> {
    Ok(parsed::<commands::clones::Arguments>(words)?.rows(progress)?)
}

/// The same of texts that stand in no file. `words` name no path and no corpus.
pub fn clones_of(
    words: &[OsString],
    texts: Vec<Text>,
    progress: &dyn Progress,
) -> Result<CloneReport, CallError> {
    let options = options_of_texts(words)?;
    Ok(engine_clones::of_texts(&options, texts, progress).map_err(anyhow::Error::from)?)
}

/// The settings of `familiar clones` for texts that are compared elsewhere. `words` name no path and no corpus.
pub fn options_of_texts(words: &[OsString]) -> Result<CloneOptions, CallError> {
    let arguments = parsed::<commands::clones::Arguments>(words)?;
    if let Some(flag) = arguments.flag_without_texts() {
        return Err(CallError::Usage(format!("{flag} goes with paths: texts and tables have none")));
    }
    Ok(arguments.options_of_texts()?)
}

/// `familiar license`, one file after another.
pub fn licenses(
    words: &[OsString],
    progress: &dyn Progress,
    each: &mut dyn FnMut(&LicensedFile) -> io::Result<()>,
) -> Result<LicenseSummary, CallError> {
    Ok(parsed::<commands::license::Arguments>(words)?.each(progress, each)?)
}

/// `familiar audit`. Where `code` is given, it takes the place of standard input.
pub fn audit(
    words: &[OsString],
    code: Option<Vec<u8>>,
    progress: &dyn Progress,
) -> Result<AuditReport, CallError> {
    // The rows of this format have alignments.
    let words: Vec<OsString> =
        std::iter::once("--format=ndjson".into()).chain(words.iter().cloned()).collect();
    Ok(parsed::<commands::audit::Arguments>(&words)?.report(code, progress)?)
}

/// Gives the vectors that a corpus keeps of its functions to `each`.
pub fn vectors(
    corpus: &str,
    progress: &dyn Progress,
    each: &mut dyn FnMut(StoredVector<'_>),
) -> Result<(), CallError> {
    let folder = corpora::existing(corpus)?;
    familiar_library::each_vector(&folder, progress, each).map_err(anyhow::Error::from)?;
    Ok(())
}

/// `familiar find`, as its rows. Where `code` is given, it takes the place of standard input.
pub fn find(
    words: &[OsString],
    code: Option<Vec<u8>>,
    progress: &dyn Progress,
    out: &mut dyn Write,
) -> Result<(), CallError> {
    Ok(parsed::<commands::find::Arguments>(words)?.rows(code, progress, out)?)
}

/// `familiar corpus add`; tells what was done, as `--format json` does.
pub fn add(words: &[OsString], progress: &dyn Progress) -> Result<serde_json::Value, CallError> {
    Ok(parsed::<commands::corpus::add::Arguments>(words)?.added(progress)?)
}

/// `familiar tokens` of a text: a token on a line. Of these three, `words` name a path, which is not read.
pub fn tokens(words: &[OsString], language: Language, code: Vec<u8>) -> Result<Vec<u8>, CallError> {
    parsed::<commands::tokens::Arguments>(words)?.of_text(language, code).map_err(CallError::Input)
}

/// `familiar tree` of a text, as JSON.
pub fn tree(words: &[OsString], language: Language, code: Vec<u8>) -> Result<Vec<u8>, CallError> {
    parsed::<commands::tree::Arguments>(words)?.of_text(language, code).map_err(CallError::Input)
}

/// `familiar graph` of a text, as JSON.
pub fn graph(words: &[OsString], language: Language, code: Vec<u8>) -> Result<Vec<u8>, CallError> {
    parsed::<commands::graph::Arguments>(words)?.of_text(language, code).map_err(CallError::Input)
}

/// `familiar embed` of texts, a vector for each. `words` name a path, which is not read.
pub fn embed(
    words: &[OsString],
    texts: &[(Language, Vec<u8>)],
    progress: &dyn Progress,
) -> Result<Vectors, CallError> {
    Ok(parsed::<commands::embed::Arguments>(words)?.of_texts(texts, progress)?)
}

/// `familiar codenet duplicates`: the near-duplicates, and their clusters.
pub fn duplicates(
    words: &[OsString],
    progress: &dyn Progress,
) -> Result<(Duplicates, Vec<Cluster>), CallError> {
    let arguments = parsed::<commands::codenet::duplicates::Arguments>(words)?;
    let found = arguments.found(true, progress)?;
    let clusters = found.clusters(arguments.rule());
    Ok((found, clusters))
}

/// The language of this name, or of this nickname in data sets, such as `C++`.
pub fn language(name: &str) -> Result<Language, CallError> {
    language_named(name).ok_or_else(|| {
        let why = values::language(name).err().unwrap_or_default();
        CallError::Usage(format!("there is no language {name}: {why}"))
    })
}
