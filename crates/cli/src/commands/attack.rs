//! `familiar attack`: how robust a detector is against rewritten programs.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use familiar_engine::members::{Members, RunOptions};
use familiar_engine::verify::VerifyOptions;
use familiar_evaluate::attack::{self, AttackOptions, AttackResult};
use familiar_source::Progress;
use familiar_source::words::counted;
use familiar_transform::SearchOptions;

use crate::common::Common;
use crate::formats::AttackFormat;
use crate::programs::{self, Guests, Programs};
use crate::values;

/// Search the rewritten programs that a detector recognizes least, and report how robust it is.
///
/// Rows are JSON lines, plain or .zst, with lang and code. For each program, a beam search composes the transformations of a set
/// (Auto-SPT, Algorithm 1). The distance of a variant is 1 minus what the detector says: the similarity of a measure, or the
/// probability that an encoder gives. Any program is a detector by command:CMD. It gets lines of JSON with pairs, and answers
/// each with a line of scores (docs/formats/attack.md). The result has the worst-case distance, the share of programs that are no longer
/// recognized, how strong each transformation is alone, and the worst pairs.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file of programs
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What is attacked: aligned, token-overlap, lines, changes, builtin, static, weights:FILE, static:FILE, api:URL#MODEL, onnx:DIR, command:CMD
    #[arg(long, value_name = "NAME", default_value = "builtin")]
    detector: String,
    /// The sets of transformations: all, orig-4, orig-20, classics, new-20, names of single transformations, or folders of `transform
    /// design`
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "all")]
    set: Vec<String>,
    /// Programs that the search keeps from step to step
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = values::at_least_one)]
    beam: usize,
    /// Steps of the search
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = values::at_least_one)]
    steps: usize,
    /// Programs below this similarity are no longer recognized [default: that of the detector]
    #[arg(long, value_name = "NUMBER")]
    threshold: Option<f64>,
    /// Stop each search at the first step that has a program below the threshold, and take the smallest change
    #[arg(long)]
    targeted: bool,
    /// Transform one site at a time, not all sites of a transformation together
    #[arg(long)]
    one_site: bool,
    /// Run what each transformation makes, and the worst programs, in a sandbox beside their originals
    #[arg(long)]
    verify: bool,
    /// Run programs with your own rights where this system cannot confine them: with --verify, and transformations of folders
    #[arg(long)]
    unsandboxed: bool,
    /// Seconds that a detector by command: may take for an answer
    #[arg(long, value_name = "N", default_value_t = 60)]
    patience: u64,
    /// Decides what transformations may choose
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    programs: Programs,
    #[command(flatten)]
    common: Common<AttackFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar attack programs.jsonl --detector builtin --set new-20
  familiar attack programs.jsonl.zst --detector token-overlap --set orig-4 --programs 250 --format json
  familiar attack programs.jsonl --detector static --targeted --threshold 0.8
  familiar attack programs.jsonl --detector 'command:python3 mine.py' --verify --format html --output attack.html";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = arguments.common.writing.target();
    target.check()?;
    let progress = arguments.common.bar();
    let result = arguments.attacked(&[], &progress)?;
    progress.finish();
    target.write(|out| match arguments.common.writing.format() {
        AttackFormat::Json => result.write_json(out),
        AttackFormat::Text => result.write_text(out),
        AttackFormat::Html => result.write_html(out),
    })?;
    if let Some(failure) = result.failure {
        bail!("{failure}; the result has the {} before", counted(result.programs, "program"));
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    /// What the search finds. `guests` may be named as detectors, too.
    pub(crate) fn attacked(&self, guests: &Guests, progress: &dyn Progress) -> anyhow::Result<AttackResult> {
        let options = self.options(guests)?;
        progress.stage("attacking", 0);
        Ok(attack::run(&options, &|| progress.advance(1))?)
    }

    fn options(&self, guests: &Guests) -> anyhow::Result<AttackOptions> {
        let threads = self.common.resources.threads();
        let detector = programs::detector_or_guest(&self.detector, guests, self.patience, threads)?;
        let threshold = self.threshold.unwrap_or_else(|| detector.default_similarity());
        if !(threshold > 0.0 && threshold <= 1.0) {
            bail!("--threshold {threshold} is out of range: give a number above 0 and at most 1");
        }
        let set = Members::of_sets(&self.set, RunOptions { unsandboxed: self.unsandboxed, threads })?;
        if self.unsandboxed && !self.verify && !set.has_programs() {
            bail!("--unsandboxed: nothing is run without --verify");
        }
        let verify = self.verify.then_some(VerifyOptions {
            unsandboxed: self.unsandboxed,
            apart: set.has_programs(),
            seconds: None,
            seed: self.seed,
            threads,
        });
        Ok(AttackOptions {
            solutions: self.file.clone(),
            selection: self.programs.selection(),
            detector,
            set,
            search: SearchOptions {
                beam: self.beam,
                steps: self.steps,
                seed: self.seed,
                below: self.targeted.then_some(threshold),
                one_site: self.one_site,
            },
            threshold,
            verify,
            programs: self.programs.most(),
            memory: self.common.resources.memory(),
            threads,
        })
    }
}
