//! `familiar codenet evolution`.

use std::path::PathBuf;

use familiar_codenet::evolution::{self, EvolutionError, EvolutionOptions, Pairs, Step};
use familiar_codenet::select::Condition;
use familiar_source::words::counted;

use super::left_out::say_left_out;
use crate::common::{Common, choice};
use crate::formats::EvolutionFormat;
use crate::notes::Notes;

/// Pair the submissions of a user that follow each other: from a rejected program to an accepted one.
///
/// Pairs are of one user, one problem and one language, in the order of their dates. Each has the statuses, the seconds between both,
/// and what the shortest script from one to the other adds and removes, in tokens and in lines. Comments are no tokens.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A data set of `codenet import`, or a folder in the layout of Project CodeNet
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// fixes (from rejected to accepted) or all (any two that follow each other)
    #[arg(long, value_name = "WHICH", value_parser = choice(Pairs::ALL), default_value = "fixes", hide_possible_values = true)]
    pairs: Pairs,
    /// Only submissions that fulfil this condition, such as "language = 'Java'" [default: all]
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<Condition>,
    #[command(flatten)]
    common: Common<EvolutionFormat>,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet evolution set --output fixes.jsonl
  familiar codenet evolution set --where \"language = 'Java'\" --format csv --output java.csv
  familiar codenet evolution set --pairs all --output steps.jsonl";

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let writing = &arguments.common.writing;
    let target = writing.target();
    target.check()?;
    let resources = arguments.common.resources;
    let options = EvolutionOptions {
        set: arguments.set.clone(),
        pairs: arguments.pairs,
        only: arguments.condition.clone(),
        memory: resources.memory(),
        threads: resources.threads(),
    };
    let progress = arguments.common.bar();
    let notes = Notes { quiet: writing.quiet() };
    target.try_write(|out| {
        if writing.format() == EvolutionFormat::Csv {
            Step::write_csv_header(out)?;
        }
        let mut lines = Vec::new();
        let done = evolution::run(&options, &progress, &mut |step| {
            lines.clear();
            match writing.format() {
                EvolutionFormat::Ndjson => step.write_json(&mut lines)?,
                EvolutionFormat::Csv => step.write_csv(&mut lines)?,
            }
            out.write_all(&lines)
        });
        progress.finish();
        match done {
            Ok(summary) => {
                say_left_out(&summary.skipped, notes);
                notes.say(&counted(summary.steps, "pair"));
                Ok(())
            }
            Err(EvolutionError::Write(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    })
}
