//! `familiar evaluate robustness`.

use std::path::PathBuf;

use anyhow::bail;
use familiar_engine::members::{Members, RunOptions};
use familiar_evaluate::robustness::{self, RobustnessOptions, RobustnessResult};
use familiar_source::Progress;
use familiar_transform::SearchOptions;

use crate::common::Common;
use crate::formats::RobustnessFormat;
use crate::programs::{self, Guests, Programs};
use crate::values;

/// Compute the share of programs that a detector still recognizes, whatever a set of transformations makes of them.
///
/// Rows are those of `familiar attack`: JSON lines, plain or .zst, with lang and code. As there, a beam search looks for the
/// rewriting of each program that the detector recognizes least. Pairs of different problems say what the threshold is: the
/// smallest one that at most 1 % of them reach, and at most 1 % of the pairs in which one side is the worst rewriting. A program
/// escapes if its worst rewriting is below that threshold. Robustness is the share of programs that do not escape. There is
/// one row for each --detector and --set (docs/formats/robustness.md).
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of programs
    #[arg(value_name = "DATA")]
    file: PathBuf,
    /// What is measured: aligned, token-overlap, lines, changes, builtin, static, weights:FILE, static:FILE, api:URL#MODEL, onnx:DIR, command:CMD.
    /// May be repeated
    #[arg(long = "detector", value_name = "NAME", default_value = "builtin")]
    detectors: Vec<String>,
    /// The set of transformations: all, orig-4, orig-20, classics, new-20, names of single transformations, or a folder of `transform
    /// design`. What stands between commas is one set. May be repeated
    #[arg(long = "set", value_name = "NAME", default_value = "all")]
    sets: Vec<String>,
    /// Largest share of pairs of different problems that may reach the threshold
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    false_positives: f64,
    /// Draw at most N pairs of different problems
    #[arg(long, value_name = "N", value_parser = values::at_least_one, default_value_t = 10_000)]
    pairs: usize,
    /// Programs that the search keeps from step to step
    #[arg(long, value_name = "N", value_parser = values::at_least_one, default_value_t = 5)]
    beam: usize,
    /// Steps of the search
    #[arg(long, value_name = "N", value_parser = values::at_least_one, default_value_t = 10)]
    steps: usize,
    /// Run transformations of folders with your own rights where this system cannot confine them
    #[arg(long)]
    unsandboxed: bool,
    /// Seconds that a detector by command: may take for an answer
    #[arg(long, value_name = "N", default_value_t = 60)]
    patience: u64,
    /// Decides what transformations may choose, and which pairs are drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    programs: Programs,
    #[command(flatten)]
    common: Common<RobustnessFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar evaluate robustness programs.jsonl --detector builtin --set new-20
  familiar evaluate robustness programs.jsonl.zst --detector builtin --detector weights:mine.bin --set orig-4 --set new-20
  familiar evaluate robustness programs.jsonl --detector 'command:python3 mine.py' --programs 100 --format json
  familiar evaluate robustness problems.jsonl.zst --lang python --max-per-group 1 --detector static --format markdown";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let target = arguments.common.writing.target();
    target.check()?;
    let progress = arguments.common.bar();
    let result = arguments.measured(&[], &progress)?;
    progress.finish();
    target.write(|out| match arguments.common.writing.format() {
        RobustnessFormat::Text => result.write_text(out),
        RobustnessFormat::Json => result.write_json(out),
        RobustnessFormat::Markdown => result.write_markdown(out),
    })?;
    if let Some(failure) = result.failure {
        bail!("{failure}; the result has what was measured before");
    }
    Ok(())
}

impl Arguments {
    /// What is measured. `guests` may be named as detectors, too.
    pub(crate) fn measured(
        &self,
        guests: &Guests,
        progress: &dyn Progress,
    ) -> anyhow::Result<RobustnessResult> {
        let options = self.options(guests)?;
        progress.stage("attacking", 0);
        Ok(robustness::run(&options, &|| progress.advance(1))?)
    }

    fn options(&self, guests: &Guests) -> anyhow::Result<RobustnessOptions> {
        let threads = self.common.resources.threads();
        let open = |name: &String| {
            let detector = programs::detector_or_guest(name, guests, self.patience, threads)?;
            Ok((name.clone(), detector))
        };
        let set = |name: &String| {
            let run = RunOptions { unsandboxed: self.unsandboxed, threads };
            let parts: Vec<String> = name.split(',').map(str::to_owned).collect();
            Members::of_sets(&parts, run)
        };
        Ok(RobustnessOptions {
            solutions: self.file.clone(),
            selection: self.programs.selection(),
            detectors: self.detectors.iter().map(open).collect::<anyhow::Result<_>>()?,
            sets: self.sets.iter().map(set).collect::<Result<_, _>>()?,
            search: SearchOptions {
                beam: self.beam,
                steps: self.steps,
                seed: self.seed,
                ..SearchOptions::default()
            },
            false_positives: self.false_positives,
            pairs: self.pairs,
            programs: self.programs.most(),
            memory: self.common.resources.memory(),
            threads,
        })
    }
}
