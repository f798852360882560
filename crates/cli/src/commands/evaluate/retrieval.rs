//! `familiar evaluate retrieval`.

use std::path::PathBuf;

use familiar_engine::Measure;
use familiar_evaluate::retrieval::{self, RetrievalOptions};
use familiar_report::Format;

use super::selection::Rows;
use crate::output::Target;
use crate::{encoders, values};

/// How well every row of a file finds the rows that solve the same problem: MAP@R, MRR and precision
///
/// Rows are JSON lines, plain or .zst, with problem_id (or another --group), lang and code. Each is a query against all
/// others; R is the number of others of its problem, and queries without any are left out. MAP@R is that of CodeXGLUE's
/// POJ-104: over the R nearest, the sum of the precision at each that is of the problem, divided by R. Ties go to the
/// earlier row. A measure compares each row with each, and takes 5,000 rows at most.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// aligned, token-overlap, lines
    #[arg(long, value_name = "NAME", value_parser = values::measure, default_value = "aligned")]
    measure: Measure,
    /// Compare by the cosine of vectors that an encoder makes: builtin, static (its first stage), weights:FILE, api:URL#MODEL
    /// (a server of embeddings), onnx:DIR (a model of this machine)
    #[arg(long, value_name = "NAME", conflicts_with = "measure")]
    encoder: Option<String>,
    /// Make names alike first
    ///
    /// For a measure all names are alike, and all literals. For an encoder every name, those of libraries included, is
    /// v1, v2, … in the order of first appearance, literals stay, and comments are left out.
    #[arg(long)]
    blind: bool,
    /// text or json
    #[arg(long, value_name = "NAME", value_parser = values::text_or_json, default_value = "text")]
    format: Format,
    /// Write to a file, whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    #[command(flatten)]
    rows: Rows,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate retrieval poj104.jsonl.zst --encoder builtin --where split=valid
  familiar evaluate retrieval solutions.jsonl --encoder builtin --cross-language --lang java,python
  familiar evaluate retrieval solutions.jsonl --measure token-overlap --blind --one-of 10 --format json";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let result = retrieval::run(&RetrievalOptions {
        solutions: arguments.file.clone(),
        selection: arguments.rows.selection(),
        judge: encoders::judge(arguments.encoder.as_deref(), arguments.measure, arguments.threads)?,
        cross_language: arguments.rows.cross_language,
        blind: arguments.blind,
        threads: arguments.threads,
    })?;
    target.write(|out| match arguments.format {
        Format::Json => result.write_json(out),
        _ => result.write_text(out),
    })
}
