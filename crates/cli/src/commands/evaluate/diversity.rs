//! `familiar evaluate diversity`.

use std::path::PathBuf;

use familiar_evaluate::diversity::{self, DiversityOptions, Order};
use familiar_source::Progress as _;

use crate::common::{Common, choice};
use crate::formats::TextOrJson;
use crate::programs::{self, Programs};
use crate::values;

/// Compute how diverse sets of transformations are: how much each member adds to the others.
///
/// Rows are those of `familiar attack`: JSON lines, plain or .zst, with lang and code. The diameter of a set for a program is the
/// largest distance of two programs that compositions of --steps members make of it, as the detector sees it. The diversity of a set is
/// its diameter divided by the mean diameter of the set without one member (Auto-SPT, Section 3.4). Diameters are
/// searched, so they are lower bounds. For each size there is a row: the mean over the programs, with its standard deviation.
/// The last line compares the largest distance from the original with the bound of Lemma 3.3 (docs/formats/diversity.md).
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A file of programs
    #[arg(value_name = "DATA")]
    file: PathBuf,
    /// What says how far apart programs are: aligned, token-overlap, lines, builtin, static, weights:FILE, static:FILE,
    /// api:URL#MODEL, onnx:DIR, command:CMD
    #[arg(long, value_name = "NAME", default_value = "token-overlap")]
    detector: String,
    /// The set of transformations: orig-4, orig-20, classics, new-20, all. May be repeated [default: orig-20 and new-20]
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// How many members the parts of a set have that are measured
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::at_least_one, default_values_t = [4, 8, 12, 16, 20])]
    sizes: Vec<usize>,
    /// Members of a composition
    #[arg(long, value_name = "N", value_parser = values::at_least_one, default_value_t = 5)]
    steps: usize,
    /// Programs that the search keeps from step to step
    #[arg(long, value_name = "N", value_parser = values::at_least_one, default_value_t = 5)]
    beam: usize,
    /// Which member is added next to the part of a set: strongest (the one that makes the diameter largest), random
    #[arg(long, value_name = "HOW", value_parser = choice(Order::ALL), default_value = "strongest", hide_possible_values = true)]
    order: Order,
    /// Seconds that a detector by command: may take for an answer
    #[arg(long, value_name = "N", default_value_t = 60)]
    patience: u64,
    /// Decides what transformations may choose, and the order by chance
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    programs: Programs,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate diversity programs.jsonl --programs 20
  familiar evaluate diversity programs.jsonl --set new-20 --detector static --steps 3 --format json
  familiar evaluate diversity programs.jsonl --set orig-4 --sizes 1,2,3,4 --order random";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = arguments.common.writing.target();
    target.check()?;
    let threads = arguments.common.resources.threads();
    let names = match arguments.sets.as_slice() {
        [] => vec!["orig-20", "new-20"],
        named => named.iter().map(String::as_str).collect(),
    };
    let mut sizes = arguments.sizes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    let options = DiversityOptions {
        solutions: arguments.file.clone(),
        selection: arguments.programs.selection(),
        detector: programs::detector(&arguments.detector, arguments.patience, threads)?,
        sets: names.into_iter().map(programs::set).collect::<anyhow::Result<_>>()?,
        sizes,
        steps: arguments.steps,
        beam: arguments.beam,
        order: arguments.order,
        seed: arguments.seed,
        programs: arguments.programs.most(),
        memory: arguments.common.resources.memory(),
        threads,
    };
    let progress = arguments.common.bar();
    progress.begin("searching");
    let result = diversity::run(&options, &|| progress.advance(1))?;
    progress.finish();
    target.write(|out| match arguments.common.writing.format() {
        TextOrJson::Text => result.write_text(out),
        TextOrJson::Json => result.write_json(out),
    })?;
    Ok(())
}
