//! `familiar evaluate pairs`.

use std::path::PathBuf;

use familiar_engine::Measure;
use familiar_evaluate::datasets::Task;
use familiar_evaluate::pairs::{self, By, Draw, Negatives, PairsOptions};
use familiar_report::Format;

use super::data::{Chosen, Data};
use super::selection::Rows;
use crate::output::Target;
use crate::{encoders, values};

/// Recall by type, precision, F1, area under the curve, accuracy and thresholds on labelled pairs
///
/// Rows are JSON lines, plain or .zst: id1 and id2 into FRAGMENTS, or code1, code2, lang1 and lang2; label 1 or 0; type
/// if known. Rows with `conflict` are left out. With --draw they are solutions instead: problem_id, lang and code.
/// In the place of PAIRS stands the name of a data set below --data, which is then measured as it usually is, where no flag says
/// otherwise: bcb_pairs, clcdsa, gptclonebench_cross, leetcode_parallel, poj104, semanticclonebench_partial.
/// Accuracy is the mean of recall and of 1 less the rate of false positives, as if there were as many negatives as positives.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    #[arg(value_name = "PAIRS")]
    pairs: PathBuf,
    #[command(flatten)]
    data: Data,
    /// JSON lines of fragments with id, lang and code
    #[arg(long, value_name = "FRAGMENTS")]
    fragments: Option<PathBuf>,
    /// aligned, token-overlap, lines [default: aligned, or the encoder that a data set is measured with]
    #[arg(long, value_name = "NAME", value_parser = values::measure)]
    measure: Option<Measure>,
    /// Score by the probability that an encoder gives: builtin, static (its first stage), weights:FILE, api:URL#MODEL
    /// (a server of embeddings), onnx:DIR (a model of this machine)
    #[arg(long, value_name = "NAME", conflicts_with = "measure")]
    encoder: Option<String>,
    /// Least similarity of a clone [default: the measure's own; 0.75 for an encoder]
    #[arg(long, value_name = "X")]
    similarity: Option<f64>,
    /// Make names alike first
    ///
    /// For a measure all names are alike, and all literals. For an encoder every name, those of libraries included, is
    /// v1, v2, … in the order of first appearance, literals stay, and comments are left out.
    #[arg(long)]
    blind: bool,
    /// Break the figures down by type or lang
    #[arg(long, value_name = "WHAT", value_parser = values::by)]
    by: Option<By>,
    /// Where there are only positives, draw as many negatives: random, hard, tfidf
    ///
    /// Each is of its positive's languages, from another group. hard is the one of 32 whose tokens overlap most with the
    /// left side's, tfidf the one of 100 whose identifiers' words are most like the left side's.
    #[arg(long, value_name = "HOW", value_parser = values::negatives)]
    negatives: Option<Negatives>,
    /// Draw N pairs from PAIRS, a file of solutions: half of one problem, half of different ones
    #[arg(long, value_name = "N", conflicts_with = "fragments")]
    draw: Option<usize>,
    /// What all drawing starts from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Skip pairs with a smaller side
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_tokens: u32,
    /// Skip pairs with a side of fewer lines
    #[arg(long, value_name = "N", default_value_t = 0)]
    min_lines: u32,
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
  familiar evaluate pairs bcb_pairs.jsonl.zst --fragments bcb_functions.jsonl.zst
  familiar evaluate pairs pairs.jsonl --measure token-overlap --similarity 0.7 --format json
  familiar evaluate pairs clcdsa --data data --encoder static
  familiar evaluate pairs positives.jsonl --negatives hard --seed 7 --by lang
  familiar evaluate pairs solutions.jsonl --draw 10000 --cross-language --lang java,python --encoder builtin";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let Chosen { file, fragments, convention } = arguments.data.choose(&arguments.pairs, Task::Pairs)?;
    let draw = |pairs| Draw {
        pairs,
        selection: arguments.rows.selection(&convention),
        cross_language: arguments.rows.cross_language(&convention),
    };
    let encoder = arguments.encoder.as_deref();
    let result = pairs::run(&PairsOptions {
        pairs: file,
        fragments: arguments.fragments.clone().or(fragments),
        judge: encoders::judge(encoder, arguments.measure, convention.encoder, arguments.threads)?,
        similarity: arguments.similarity,
        blind: arguments.blind,
        by: arguments.by.or(convention.by),
        draw: arguments.draw.or(convention.draw).map(draw),
        negatives: arguments.negatives.or(convention.negatives),
        seed: arguments.seed,
        min_tokens: arguments.min_tokens,
        min_lines: arguments.min_lines,
        threads: arguments.threads,
    })?;
    target.write(|out| match arguments.format {
        Format::Json => result.write_json(out),
        _ => result.write_text(out),
    })
}
