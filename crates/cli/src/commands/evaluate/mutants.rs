//! `familiar evaluate mutants`.

use std::path::PathBuf;

use anyhow::bail;
use familiar_engine::verify::VerifyOptions;
use familiar_evaluate::mutants::{self, MutantsOptions};

use crate::common::Common;
use crate::formats::MutantsFormat;
use crate::programs::{self, Programs};
use crate::values;

/// Tell whether a detector knows what behaves alike from what only looks alike.
///
/// Rows are those of `familiar attack`, best with tests: JSON lines, plain or .zst, with lang and code. Each program is rewritten
/// (clones), and gets small faults (mutants). All of them are run: clones must do what the program does, mutants must not. A clone
/// and a mutant are a pair if the same number of tokens separates them from the program. The result is the area under the curve
/// (AUC): the probability that a detector finds a clone more like its program than a mutant (docs/formats/mutants.md).
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A file of programs
    #[arg(value_name = "DATA")]
    file: PathBuf,
    /// What is measured: aligned, token-overlap, lines, changes, builtin, static, weights:FILE, static:FILE, api:URL#MODEL, onnx:DIR, command:CMD.
    /// May be repeated
    #[arg(long = "detector", value_name = "NAME", default_value = "builtin")]
    detectors: Vec<String>,
    /// The set of transformations that makes the clones: all, orig-4, orig-20, classics, new-20
    #[arg(long, value_name = "NAME", default_value = "all")]
    set: String,
    /// Largest number of tokens in which a clone or a mutant differs from its program
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=1024))]
    most_distance: u16,
    /// Draw at most N pairs of each program
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = values::at_least_one)]
    pairs: usize,
    /// Run programs with your own rights where this system cannot confine them
    #[arg(long)]
    unsandboxed: bool,
    /// Seconds that a detector by command: may take for an answer
    #[arg(long, value_name = "N", default_value_t = 60)]
    patience: u64,
    /// Decides which sites, faults and pairs are drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    programs: Programs,
    #[command(flatten)]
    common: Common<MutantsFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate mutants programs.jsonl --detector builtin --detector aligned
  familiar evaluate mutants programs.jsonl.zst --set new-20 --programs 200 --format json
  familiar evaluate mutants programs.jsonl --format ndjson --output pairs.jsonl
      The pairs themselves, as `familiar evaluate pairs` reads them";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = arguments.common.writing.target();
    target.check()?;
    let progress = arguments.common.bar();
    let options = arguments.options()?;
    progress.begin("running clones and mutants");
    let result = mutants::run(&options, &|| familiar_source::Progress::advance(&progress, 1))?;
    progress.finish();
    target.write(|out| match arguments.common.writing.format() {
        MutantsFormat::Text => result.write_text(out),
        MutantsFormat::Json => result.write_json(out),
        MutantsFormat::Ndjson => result.write_pairs(out),
    })?;
    if let Some(failure) = result.failure {
        bail!("{failure}; the result has what was measured before");
    }
    Ok(())
}

impl Arguments {
    fn options(&self) -> anyhow::Result<MutantsOptions> {
        let threads = self.common.resources.threads();
        let open =
            |name: &String| anyhow::Ok((name.clone(), programs::detector(name, self.patience, threads)?));
        // The pairs alone need no detector.
        let wanted = self.common.writing.format() != MutantsFormat::Ndjson;
        let detectors = self.detectors.iter().filter(|_| wanted).map(open).collect::<anyhow::Result<_>>()?;
        Ok(MutantsOptions {
            solutions: self.file.clone(),
            selection: self.programs.selection(),
            detectors,
            set: programs::set(&self.set)?,
            most_distance: usize::from(self.most_distance),
            pairs: self.pairs,
            verify: VerifyOptions {
                unsandboxed: self.unsandboxed,
                seed: self.seed,
                threads,
                ..VerifyOptions::default()
            },
            seed: self.seed,
            programs: self.programs.most(),
            memory: self.common.resources.memory(),
            threads,
        })
    }
}
