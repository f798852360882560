//! `familiar evaluate retrieval`.

use std::path::PathBuf;

use familiar_engine::Measure;
use familiar_evaluate::datasets::Task;
use familiar_evaluate::retrieval::{self, RetrievalOptions};
use familiar_report::Format;

use super::data::{Chosen, Data};
use super::selection::Rows;
use crate::output::Target;
use crate::{encoders, values};

/// How well every row of a file finds the rows that solve the same problem: MAP@R, MRR and precision
///
/// Rows are JSON lines, plain or .zst, with problem_id (or another --group), lang and code. Each is a query against all
/// others; R is the number of others of its problem, and queries without any are left out. MAP@R is that of CodeXGLUE's
/// POJ-104: over the R nearest, the sum of the precision at each that is of the problem, divided by R. Ties go to the
/// earlier row. In the place of FILE stands the name of a data set below --data, which is then measured as it usually is, where no
/// flag says otherwise: leetcode_parallel, poj104. A measure compares each row with each, and takes 5,000 rows at most.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    data: Data,
    /// aligned, token-overlap, lines [default: aligned, or the encoder that a data set is measured with]
    #[arg(long, value_name = "NAME", value_parser = values::measure)]
    measure: Option<Measure>,
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
  familiar evaluate retrieval poj104 --data data --blind
  familiar evaluate retrieval solutions.jsonl --encoder builtin --cross-language --lang java,python
  familiar evaluate retrieval solutions.jsonl --measure token-overlap --blind --one-of 10 --format json";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let Chosen { file, convention, .. } = arguments.data.choose(&arguments.file, Task::Retrieval)?;
    let encoder = arguments.encoder.as_deref();
    let result = retrieval::run(&RetrievalOptions {
        solutions: file,
        selection: arguments.rows.selection(&convention),
        judge: encoders::judge(encoder, arguments.measure, convention.encoder, arguments.threads)?,
        cross_language: arguments.rows.cross_language(&convention),
        blind: arguments.blind,
        threads: arguments.threads,
    })?;
    target.write(|out| match arguments.format {
        Format::Json => result.write_json(out),
        _ => result.write_text(out),
    })
}
