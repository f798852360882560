//! `familiar codenet translations`.

use std::path::PathBuf;

use anyhow::ensure;
use familiar_codenet::benchmark::Settings;
use familiar_codenet::duplicates::{DuplicatesOptions, Only, Thresholds};
use familiar_codenet::translations::{self, TranslationsOptions};
use familiar_source::Language;

use super::left_out::say_left_out;
use super::problems::decisions;
use crate::common::{Quiet, Resources, Watching};
use crate::notes::Notes;
use crate::output::{self, Target};
use crate::values;

/// Pair accepted solutions of one problem in two languages, to learn to translate.
///
/// No solution stands in two pairs, and no problem in two splits. Problems that are one with another and near-duplicates are left
/// out. The folder gets train.jsonl, valid.jsonl, test.jsonl and manifest.json.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Data sets or tables with problem_id
    #[arg(value_name = "DATA", required = true)]
    data: Vec<PathBuf>,
    /// The language that is translated
    #[arg(long, value_name = "LANG", value_parser = values::language)]
    from: Language,
    /// The language into which it is translated
    #[arg(long, value_name = "LANG", value_parser = values::language)]
    to: Language,
    /// The folder of the pairs
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// At most N pairs of each problem [default: all]
    #[arg(long, value_name = "N", value_parser = values::at_least_one)]
    of_each_problem: Option<usize>,
    /// Decides what is drawn
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Share of the problems that goes into the test
    #[arg(long, value_name = "X", default_value_t = Settings::default().test)]
    test: f64,
    /// Share of the rest that is validated on
    #[arg(long, value_name = "X", default_value_t = Settings::default().valid)]
    valid: f64,
    /// So many pairs of near-duplicates make two problems identical
    #[arg(long, value_name = "N", default_value_t = Settings::default().identical)]
    pairs: u64,
    /// What people decided about pairs of problems, as `codenet problems` takes it
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    resources: Resources,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet translations set --from Java --to Python --output java-python
  familiar codenet translations set --from c --to cpp --of-each-problem 10 --seed 1 --output c-cpp";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    for (name, value) in [("--test", arguments.test), ("--valid", arguments.valid)] {
        ensure!((0.0..=1.0).contains(&value), "{name} {value}: give a share from 0 to 1");
    }
    ensure!(arguments.from != arguments.to, "--to {}: name another language", arguments.to.name());
    let mut options = TranslationsOptions {
        duplicates: DuplicatesOptions {
            data: arguments.data.clone(),
            thresholds: Thresholds::default(),
            only: Only { accepted: true, ..Only::default() },
            strings: true,
            memory: arguments.resources.memory(),
            threads: arguments.resources.threads(),
        },
        from: arguments.from,
        to: arguments.to,
        of_each_problem: arguments.of_each_problem.unwrap_or(0),
        seed: arguments.seed,
        test: arguments.test,
        valid: arguments.valid,
        identical: arguments.pairs,
        decisions: decisions(arguments.decisions.as_deref())?,
        output: arguments.output.clone(),
    };
    let progress = arguments.watching.bar(arguments.quiet.quiet);
    let made = output::write_new_folder(&arguments.output, |folder| {
        folder.clone_into(&mut options.output);
        Ok(translations::run(&options, &progress)?)
    })?;
    progress.finish();
    let quiet = arguments.quiet.quiet;
    say_left_out(&made.skipped, Notes { quiet });
    if quiet { Ok(()) } else { Target::new(None).write(|out| made.write_text(out)) }
}
