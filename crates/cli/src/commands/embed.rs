//! `familiar embed`: the vectors of code, for other tools.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use familiar_engine::embed::{self, EmbedOptions, Npy, Parquet, VectorWriter};
use familiar_source::Language;

use super::find::Notes;
use crate::output::{self, Target};
use crate::{encoders, values};

/// Write the vectors of code, for other tools
///
/// Of JSON lines every row has a vector, of the files of a folder every function. FILE.npy holds 32-bit numbers, and
/// FILE.npy.jsonl beside it says what each row is; FILE.parquet has the columns path, name, start_line, end_line, language
/// and vector. What cannot be read is left out, and named on stderr.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// JSON lines with code, lang and id, a folder, a file or an archive
    #[arg(value_name = "INPUT")]
    input: String,
    /// FILE.npy or FILE.parquet, written whole or not at all
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// What makes the vectors: builtin, static (its first stage), weights:FILE, api:URL#MODEL, onnx:DIR
    ///
    /// api: asks a server for embeddings (OpenAI's protocol), with the key in FAMILIAR_API_KEY. It is sent the code. onnx: runs
    /// model.onnx of a folder with its tokenizer.json, in a build with the feature onnx.
    #[arg(long, value_name = "NAME", default_value = "builtin")]
    encoder: String,
    /// Only code in these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Leave out paths that match, as in .gitignore (repeatable)
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Take what .gitignore files leave out
    #[arg(long)]
    no_ignore: bool,
    /// Memory that one file may take, by way of a setting for all, such as 512M
    #[arg(long, value_name = "SIZE", value_parser = values::size, default_value = "1GiB")]
    memory: usize,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Say nothing on stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "\
Examples:
  familiar embed src --output functions.parquet
  familiar embed solutions.jsonl.zst --output solutions.npy
  familiar embed src --output functions.npy --encoder api:http://localhost:11434/v1#nomic-embed-text";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let paths = match arguments.output.extension().and_then(|extension| extension.to_str()) {
        Some("npy") => vec![arguments.output.clone(), beside(&arguments.output)],
        Some("parquet") => vec![arguments.output.clone()],
        _ => bail!("--output {}: give FILE.npy or FILE.parquet", arguments.output.display()),
    };
    paths.iter().try_for_each(|path| Target::File(path.clone()).check())?;
    let options = EmbedOptions {
        source: arguments.input.clone(),
        encoder: encoders::open(&arguments.encoder, arguments.threads)?,
        languages: arguments.lang.clone(),
        exclude: arguments.exclude.clone(),
        no_ignore: arguments.no_ignore,
        memory: arguments.memory,
        threads: arguments.threads,
    };
    let notes = Notes { quiet: arguments.quiet };
    output::write_files(&paths, |files| {
        let mut files = files.into_iter();
        let (vectors, rows) = (files.next().context("a file for each path")?, files.next());
        let dimensions = options.encoder.dimensions();
        let out: Box<dyn VectorWriter> = match rows {
            Some(rows) => Box::new(Npy::new(vectors, rows, dimensions)?),
            None => Box::new(Parquet::new(vectors, options.encoder.name(), dimensions)?),
        };
        Ok(embed::run(&options, out, &mut |path, reason| notes.left_out(path, &reason))?)
    })?;
    Ok(ExitCode::SUCCESS)
}

/// The file that says what the rows are.
fn beside(vectors: &Path) -> PathBuf {
    let mut name = vectors.as_os_str().to_owned();
    name.push(".jsonl");
    PathBuf::from(name)
}
