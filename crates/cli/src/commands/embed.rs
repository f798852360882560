//! `familiar embed`: the vectors of code, for other tools.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use familiar_engine::Progress;
use familiar_engine::embed::{self, EmbedOptions, Npy, Parquet, VectorWriter};
use familiar_model::Vectors;
use familiar_source::Language;

use crate::common::Common;
use crate::formats::VectorFormat;
use crate::notes::Notes;
use crate::output::{self, Target};
use crate::{encoders, values};

/// Write the vectors of code, for other tools.
///
/// JSON lines give a vector for each row. A folder gives a vector for each function in its files. PATH.npy holds 32-bit numbers, and
/// PATH.npy.jsonl beside it says what each row is. PATH.parquet has the columns path, name, start_line, end_line, language
/// and vector. Files that cannot be read are left out and named on standard error.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// JSON lines with code, lang and id; or a folder, a file or an archive
    #[arg(value_name = "INPUT")]
    input: String,
    /// The encoder that makes the vectors: builtin, static (its first stage alone, faster), weights:FILE, api:URL#MODEL, onnx:DIR
    ///
    /// api: asks an embedding server (with the protocol of OpenAI) and sends it the code. Its key is read from FAMILIAR_API_KEY.
    /// onnx: runs the model.onnx in a folder with its tokenizer.json. This needs a build with the feature onnx.
    #[arg(long, value_name = "NAME", default_value = "builtin")]
    encoder: String,
    /// Read only these languages
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    lang: Vec<Language>,
    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Also read files that .gitignore leaves out
    #[arg(long)]
    no_ignore: bool,

    #[command(flatten)]
    common: Common<VectorFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar embed src --output functions.parquet
  familiar embed solutions.jsonl.zst --output solutions.npy
  familiar embed src --output functions.npy --encoder api:http://localhost:11434/v1#nomic-embed-text

Vectors need --output. Without --format the name of the file decides: it ends in .npy or .parquet.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let paths = arguments.paths()?;
    paths.iter().try_for_each(|path| Target::new(Some(path.clone())).check())?;
    let resources = arguments.common.resources;
    let options = EmbedOptions {
        source: arguments.input.clone(),
        encoder: encoders::open(&arguments.encoder, resources.threads())?,
        languages: arguments.lang.clone(),
        exclude: arguments.exclude.clone(),
        no_ignore: arguments.no_ignore,
        memory: resources.memory(),
        threads: resources.threads(),
    };
    let notes = Notes { quiet: arguments.common.writing.quiet() };
    let progress = arguments.common.bar();
    progress.begin("making vectors");
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
    progress.finish();
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// The vectors of texts that stand in no file, and what made them.
    pub(crate) fn of_texts(
        &self,
        texts: &[(Language, Vec<u8>)],
        progress: &dyn Progress,
    ) -> anyhow::Result<Vectors> {
        let threads = self.common.resources.threads();
        let encoder = encoders::open(&self.encoder, threads)?;
        Ok(embed::texts(&*encoder, texts, threads, progress)?)
    }

    /// The files to write: one, or of NumPy's format two.
    fn paths(&self) -> anyhow::Result<Vec<PathBuf>> {
        const NEEDS: &str = "give --output FILE.npy or --output FILE.parquet";
        let writing = &self.common.writing;
        let output = writing.output.clone().with_context(|| format!("vectors need a file; {NEEDS}"))?;
        let by_name = match output.extension().and_then(|extension| extension.to_str()) {
            Some("npy") => Some(VectorFormat::Npy),
            Some("parquet") => Some(VectorFormat::Parquet),
            _ => None,
        };
        match writing.given_format().or(by_name) {
            Some(VectorFormat::Npy) => Ok(vec![output.clone(), beside(&output)]),
            Some(VectorFormat::Parquet) => Ok(vec![output]),
            None => bail!("--output {}: the name does not tell the format; {NEEDS}", output.display()),
        }
    }
}

/// The file that says what the rows are.
fn beside(vectors: &Path) -> PathBuf {
    let mut name = vectors.as_os_str().to_owned();
    name.push(".jsonl");
    PathBuf::from(name)
}
