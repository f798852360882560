//! `familiar evaluate pairs`.

use std::path::PathBuf;

use anyhow::bail;
use familiar_engine::Measure;
use familiar_evaluate::datasets::Task;
use familiar_evaluate::pairs::{self, By, Draw, Negatives, PairsOptions, PairsResult};
use familiar_source::Progress;

use super::data::{Chosen, Data};
use super::measuring::Measuring;
use super::selection::Rows;
use crate::formats::TextOrJson;
use crate::{encoders, values};

/// Compute recall by type, precision, F1, area under the curve, accuracy and thresholds on labeled pairs.
///
/// Rows are JSON lines, plain or .zst. A row has id1 and id2, which stand in FRAGMENTS, or code1, code2, lang1 and lang2. It has a label, 1
/// or 0, and a type if known. Rows with `conflict` are left out. With --draw the rows are solutions: problem_id, lang and code.
/// PAIRS can also be the name of a data set in the folder of --data: bcb_pairs, clcdsa, gptclonebench_cross, leetcode_parallel,
/// poj104, semanticclonebench_partial. Each data set has settings of its own. Flags override them.
/// Accuracy is the mean of the recall and of 1 minus the false positive rate. Positives and negatives count the same.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of labeled pairs, or the name of a data set
    #[arg(value_name = "PAIRS")]
    pairs: PathBuf,
    #[command(flatten)]
    data: Data,
    /// A file of fragments: JSON lines with id, lang and code
    #[arg(long, value_name = "FRAGMENTS")]
    fragments: Option<PathBuf>,
    /// The measure to evaluate: aligned, token-overlap, lines [default: aligned, or the usual encoder of the data set]
    #[arg(long, value_name = "NAME", value_parser = values::measure)]
    measure: Option<Measure>,
    /// The encoder to evaluate, by the probabilities that it gives: builtin, static (its first stage alone, faster), weights:FILE,
    /// api:URL#MODEL (an embedding server), onnx:DIR (a model on this machine)
    #[arg(long, value_name = "NAME", conflicts_with = "measure")]
    encoder: Option<String>,
    /// Lowest similarity of a clone [default: set by the measure; 0.75 for an encoder]
    #[arg(long, value_name = "X")]
    similarity: Option<f64>,
    /// Hide names before comparing
    ///
    /// For a measure, all names are equal, and all literals. For an encoder, every name (also names of libraries) becomes
    /// v1, v2, … in the order of first appearance. Literals stay, and comments are left out.
    #[arg(long)]
    blind: bool,
    /// Also show the figures for each type or lang
    #[arg(long, value_name = "WHAT", value_parser = by)]
    by: Option<By>,
    /// If all pairs are positives, draw as many negatives: random, hard, tfidf
    ///
    /// Each negative has the languages of its positive, and its right side comes from another group. hard takes the one of 32 whose
    /// tokens overlap most with the left side, tfidf the one of 100 whose words in identifiers are most similar to the left side.
    #[arg(long, value_name = "HOW", value_parser = negatives)]
    negatives: Option<Negatives>,
    /// Draw N pairs from PAIRS, a file of solutions. In half of the pairs both sides solve the same problem
    #[arg(long, value_name = "N", conflicts_with = "fragments")]
    draw: Option<usize>,
    /// Seed of all drawing
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Leave out pairs with a side of fewer tokens
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_tokens: u32,
    /// Leave out pairs with a side of fewer lines
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_lines: u32,
    #[command(flatten)]
    rows: Rows,
    #[command(flatten)]
    measuring: Measuring,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate pairs bcb_pairs.jsonl.zst --fragments bcb_functions.jsonl.zst
  familiar evaluate pairs pairs.jsonl --measure token-overlap --similarity 0.7 --format json
  familiar evaluate pairs clcdsa --data data --encoder static
  familiar evaluate pairs positives.jsonl --negatives hard --seed 7 --by lang
  familiar evaluate pairs solutions.jsonl --draw 10000 --cross-language --lang java,python --encoder builtin";

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
    pub(crate) fn measured(&self, progress: &dyn Progress) -> anyhow::Result<PairsResult> {
        let threads = self.measuring.threads.number();
        let Chosen { file, fragments, convention } = self.data.choose(&self.pairs, Task::Pairs)?;
        if let (None, Some(flag)) = (self.draw.or(convention.draw), self.rows.given()) {
            bail!("{flag} chooses rows of a file of solutions: give --draw, too");
        }
        let draw = |pairs| Draw {
            pairs,
            selection: self.rows.selection(&convention),
            cross_language: self.rows.cross_language(&convention),
        };
        let encoder = self.encoder.as_deref();
        let options = PairsOptions {
            pairs: file,
            fragments: self.fragments.clone().or(fragments),
            judge: encoders::judge(encoder, self.measure, convention.encoder, threads)?,
            similarity: self.similarity,
            blind: self.blind,
            by: self.by.or(convention.by),
            draw: self.draw.or(convention.draw).map(draw),
            negatives: self.negatives.or(convention.negatives),
            seed: self.seed,
            min_tokens: self.min_tokens,
            min_lines: self.min_lines,
            threads,
        };
        Ok(pairs::run(&options, progress)?)
    }
}

fn by(name: &str) -> Result<By, String> {
    values::chosen(name, By::from_name(name), &By::ALL.map(By::name))
}

fn negatives(name: &str) -> Result<Negatives, String> {
    values::chosen(name, Negatives::from_name(name), &Negatives::ALL.map(Negatives::name))
}
