//! `familiar fingerprint`: what of code can be looked up without the code.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::Progress;
use familiar_files::{Document, named};
use familiar_library::{NoQuery, QueryReader};
use familiar_source::Language;
use rayon::prelude::*;

use crate::common::Common;
use crate::formats::FingerprintFormat;
use crate::input::documents;
use crate::notes::Notes;
use crate::values;

/// Write fingerprints of code. With them you can search a corpus elsewhere without sending the code.
///
/// Fingerprints are hashes of functions and of runs of tokens. `familiar find --fingerprints` looks them up. It finds functions and runs
/// that are equal except for names. It does not find edited functions. The hashes do not reveal the code. But anyone who has the
/// same code can see that you have it too.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folders or files
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// The language of files whose names and contents do not tell it
    #[arg(long, value_name = "NAME", value_parser = values::language)]
    lang: Option<Language>,
    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,

    #[command(flatten)]
    common: Common<FingerprintFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar fingerprint src --output src.fp
  familiar find --fingerprints src.fp --in world";

/// Files whose fingerprints are made before they are written.
const BATCH: usize = 256;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let FingerprintFormat::Ndjson = arguments.common.writing.format();
    let target = arguments.common.writing.target();
    target.check()?;
    let notes = Notes { quiet: arguments.common.writing.quiet() };
    let documents = documents(&arguments.paths, &arguments.exclude, notes)?;
    let threads = arguments.common.resources.threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let progress = arguments.common.bar();
    progress.stage("making fingerprints", documents.iter().map(|document| document.bytes).sum());
    target.write(|out| {
        let mut written = 0;
        for batch in documents.chunks(BATCH) {
            let reader = || QueryReader::new(arguments.common.resources.memory());
            let one = |reader: &mut QueryReader, document: &Document| {
                progress.advance(document.bytes);
                arguments.line(reader, document)
            };
            let lines: Vec<anyhow::Result<Option<String>>> =
                pool.install(|| batch.par_iter().map_init(reader, one).collect());
            for (document, line) in batch.iter().zip(lines) {
                match line {
                    Ok(line) => {
                        written += u64::from(line.is_some());
                        line.iter().try_for_each(|line| writeln!(out, "{line}"))?;
                    }
                    Err(error) => {
                        let (path, reason) = (document.path.as_str(), error.to_string());
                        let reason = reason.strip_prefix(path).and_then(|rest| rest.strip_prefix(": "));
                        notes.left_out(path, &reason.unwrap_or(&error.to_string()));
                    }
                }
            }
        }
        if written == 0 {
            notes.warn("0 files of code were read; check the path, --lang and --exclude");
        }
        io::Result::Ok(())
    })?;
    progress.finish();
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The fingerprints of a file as JSON; none of what is no code, and why not of what cannot be read.
    fn line(&self, reader: &mut QueryReader, document: &Document) -> anyhow::Result<Option<String>> {
        let most = self.common.resources.memory() as u64;
        let bytes = named::read(&document.file, most)?;
        match reader.read(document.path.as_str(), &bytes, self.lang, None) {
            Ok(asked) => Ok(Some(serde_json::to_string(&asked.fingerprint())?)),
            Err(error @ (NoQuery::TooLarge { .. } | NoQuery::Binary { .. })) => Err(error.into()),
            Err(_) => Ok(None),
        }
    }
}
