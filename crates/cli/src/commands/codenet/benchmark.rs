//! `familiar codenet benchmark`.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use familiar_codenet::benchmark::{self, BenchmarkOptions, Manifest, Settings, SplitBy};
use familiar_codenet::duplicates::{DuplicatesOptions, Only, Thresholds};
use familiar_source::Language;

use super::left_out::say_left_out;
use super::problems::decisions;
use crate::common::{Quiet, Resources, Watching, choice};
use crate::notes::Notes;
use crate::output::{self, Target};
use crate::values;

/// Cut a benchmark without leaks out of a data set.
///
/// Samples are left out that are near-duplicates of others, of problems that are one with another, that do not parse, or of which
/// much is dead code. Of the rest, problems and solutions are drawn by the seed. The folder gets train.jsonl, valid.jsonl and
/// test.jsonl, and manifest.json, with which the same bytes can be made again.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Data sets or tables with problem_id
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// The folder of the benchmark
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// How many problems [default: all that have enough solutions]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    problems: Option<usize>,
    /// How many solutions of each problem [default: all]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    solutions: Option<usize>,
    /// Decides what is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// What goes into one split as a whole: sample (the solutions of each problem are divided; one with few is not in all splits), problem (those of the test were never seen)
    #[arg(long, value_name = "WHAT", value_parser = choice(SPLITS), default_value = "sample", hide_possible_values = true)]
    split: SplitBy,
    /// Share that goes into the test
    #[arg(long, value_name = "X", default_value_t = Settings::default().test)]
    test: f64,
    /// Share of the rest that is validated on
    #[arg(long, value_name = "X", default_value_t = Settings::default().valid)]
    valid: f64,
    /// Take samples of this language alone
    #[arg(long, value_name = "LANG", value_parser = values::language)]
    lang: Option<Language>,
    /// Take samples that were not accepted, too
    #[arg(long)]
    rejected: bool,
    /// Fewest tokens of a sample
    #[arg(long, value_name = "N", default_value_t = Settings::default().tokens)]
    min_tokens: u64,
    /// Largest share of statements that are never reached or have no effect
    #[arg(long, value_name = "X", default_value_t = Settings::default().dead)]
    max_dead_code: f64,
    /// So many pairs of near-duplicates make two problems identical
    #[arg(long, value_name = "N", default_value_t = Settings::default().identical)]
    pairs: u64,
    /// What people decided about pairs of problems, as `codenet problems` takes it
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Make the benchmark of this manifest again; DATA must be the data that it was made of
    #[arg(long, value_name = "FILE", conflicts_with_all = ["problems", "solutions", "seed", "split", "test", "valid", "lang", "rejected", "min_tokens", "max_dead_code", "pairs", "decisions"])]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    resources: Resources,
}

const SPLITS: [(&str, SplitBy); 2] = [("sample", SplitBy::Sample), ("problem", SplitBy::Problem)];

const EXAMPLES: &str = "\
Examples:
  familiar codenet benchmark set --lang java --problems 250 --solutions 300 --output java250
  familiar codenet benchmark poj104.jsonl.zst --split problem --output poj
  familiar codenet benchmark set --manifest java250/manifest.json --output again";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    for (name, value) in [
        ("--test", arguments.test),
        ("--valid", arguments.valid),
        ("--max-dead-code", arguments.max_dead_code),
    ] {
        ensure!((0.0..=1.0).contains(&value), "{name} {value}: give a share from 0 to 1");
    }
    let memory = arguments.resources.memory();
    if let Some(path) = &arguments.manifest {
        let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let manifest = Manifest::read(&text).with_context(|| path.display().to_string())?;
        output::write_new_folder(&arguments.output, |folder| {
            Ok(benchmark::again(&arguments.data, memory, &manifest, folder)?)
        })?;
        let notes = Notes { quiet: arguments.quiet.quiet };
        notes.say("made again; the files are the same");
        return Ok(());
    }
    let mut options = BenchmarkOptions {
        duplicates: DuplicatesOptions {
            data: arguments.data.clone(),
            thresholds: Thresholds::default(),
            only: Only { language: arguments.lang, accepted: !arguments.rejected, repeated: false },
            strings: true,
            memory,
            threads: arguments.resources.threads(),
        },
        settings: Settings {
            problems: arguments.problems.unwrap_or(0),
            solutions: arguments.solutions.unwrap_or(0),
            seed: arguments.seed,
            by: arguments.split,
            test: arguments.test,
            valid: arguments.valid,
            tokens: arguments.min_tokens,
            dead: arguments.max_dead_code,
            identical: arguments.pairs,
        },
        decisions: decisions(arguments.decisions.as_deref())?,
        output: arguments.output.clone(),
    };
    let progress = arguments.watching.bar(arguments.quiet.quiet);
    let manifest = output::write_new_folder(&arguments.output, |folder| {
        folder.clone_into(&mut options.output);
        Ok(benchmark::run(&options, &progress)?)
    })?;
    progress.finish();
    let quiet = arguments.quiet.quiet;
    say_left_out(&manifest.skipped, Notes { quiet });
    if quiet { Ok(()) } else { Target::new(None).write(|out| manifest.write_text(out)) }
}
