//! `familiar evaluate retrieval`.

use std::path::PathBuf;

use familiar_engine::Measure;
use familiar_evaluate::datasets::Task;
use familiar_evaluate::retrieval::{self, RetrievalOptions, RetrievalResult};
use familiar_source::Progress;

use super::data::{Chosen, Data};
use super::measuring::Measuring;
use super::selection::Rows;
use crate::formats::TextOrJson;
use crate::{encoders, values};

/// Compute how well each row of a file finds the rows that solve the same problem: MAP@R, MRR and precision.
///
/// Rows are JSON lines, plain or .zst, with problem_id (or another --group), lang and code. Each row is a query against all other
/// rows. R is the number of other rows of its problem. Queries with R = 0 are left out. MAP@R is that of POJ-104 in CodeXGLUE: among
/// the R nearest rows, the sum of the precision at each row of the same problem, divided by R. Of two equally near rows the earlier
/// one comes first. FILE can also be the name of a data set in the folder of --data: leetcode_parallel, poj104. Each data set has
/// settings of its own. Flags override them. A measure compares each row with each other row, and takes at most 5,000 rows.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of solutions, or the name of a data set
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    data: Data,
    /// The measure to evaluate: aligned, token-overlap, lines [default: aligned, or the usual encoder of the data set]
    #[arg(long, value_name = "NAME", value_parser = values::measure)]
    measure: Option<Measure>,
    /// The encoder to evaluate, by the cosine of its vectors: builtin, static (its first stage alone, faster), weights:FILE, api:URL#MODEL
    /// (an embedding server), onnx:DIR (a model on this machine)
    #[arg(long, value_name = "NAME", conflicts_with = "measure")]
    encoder: Option<String>,
    /// Hide names before comparing
    ///
    /// For a measure, all names are equal, and all literals. For an encoder, every name (also names of libraries) becomes
    /// v1, v2, … in the order of first appearance. Literals stay, and comments are left out.
    #[arg(long)]
    blind: bool,
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    measuring: Measuring,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate retrieval poj104.jsonl.zst --encoder builtin --where split=valid
  familiar evaluate retrieval poj104 --data data --blind
  familiar evaluate retrieval solutions.jsonl --encoder builtin --cross-language --lang java,python
  familiar evaluate retrieval solutions.jsonl --measure token-overlap --blind --one-of 10 --format json";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = arguments.measuring.writing.target();
    target.check()?;
    let progress = arguments.measuring.begin();
    let result = arguments.measured(&progress)?;
    progress.finish();
    target.write(|out| match arguments.measuring.writing.format() {
        TextOrJson::Json => result.write_json(out),
        TextOrJson::Text => result.write_text(out),
    })
}

impl Arguments {
    /// The figures.
    pub(crate) fn measured(&self, progress: &dyn Progress) -> anyhow::Result<RetrievalResult> {
        let threads = self.measuring.threads.number();
        let Chosen { file, convention, .. } = self.data.choose(&self.file, Task::Retrieval)?;
        let encoder = self.encoder.as_deref();
        let options = RetrievalOptions {
            solutions: file,
            selection: self.rows.selection(&convention),
            judge: encoders::judge(encoder, self.measure, convention.encoder, threads)?,
            cross_language: self.rows.cross_language(&convention),
            blind: self.blind,
            threads,
        };
        Ok(retrieval::run(&options, progress)?)
    }
}
