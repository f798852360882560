//! `familiar fingerprint`: what of code can be looked up without the code.

use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::CloneOptions;
use familiar_engine::corpus::{NoQuery, QueryReader};
use familiar_source::Language;

use super::find::{Notes, documents};
use crate::output::Target;
use crate::values;

/// Write fingerprints of code, to ask a corpus elsewhere without the code itself.
///
/// Hashes of token runs and functions, one file of code a line of JSON. Runs and functions that are equal up to names are
/// found with them (`familiar find --fingerprints`), edited functions are not. The hashes tell nobody the code, but whoever
/// has the same code can tell that you have it.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folders or files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The language of files whose names do not tell
    #[arg(long, value_name = "NAME", value_parser = values::language)]
    lang: Option<Language>,
    /// Write to a file, whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Leave out paths that match, as in .gitignore (repeatable)
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Do not say which files are left out
    #[arg(long)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  familiar fingerprint src --output src.fp
  familiar find --fingerprints src.fp --in world";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let notes = Notes { quiet: arguments.quiet };
    let documents = documents(&arguments.paths, &arguments.exclude, notes)?;
    target.write(|out| {
        let mut reader = QueryReader::new(CloneOptions::default().memory);
        for document in &documents {
            let name = document.path.as_str();
            let asked = match std::fs::read(&document.file) {
                Ok(bytes) => reader.read(name, &bytes, arguments.lang, None),
                Err(error) => {
                    notes.left_out(name, &error);
                    continue;
                }
            };
            let asked = match asked {
                Ok(asked) => asked,
                Err(error @ NoQuery::TooLarge { .. }) => {
                    notes.left_out(name, &error);
                    continue;
                }
                // What is no code has no fingerprints.
                Err(_) => continue,
            };
            serde_json::to_writer(&mut *out, &asked.fingerprint())?;
            writeln!(out)?;
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}
