//! `familiar codenet run`.

use std::path::PathBuf;

#[cfg(target_os = "linux")]
use anyhow::ensure;
#[cfg(target_os = "linux")]
use familiar_codenet::run::{self, RunError, RunOptions};
use familiar_codenet::select::Condition;

#[cfg(target_os = "linux")]
use super::left_out::say_left_out;
use crate::common::{Threads, Watching, Writing};
use crate::formats::RunFormat;
#[cfg(target_os = "linux")]
use crate::notes::Notes;

/// Run submissions on the sample input of their problem, in a sandbox, and compare with their status.
///
/// A sample is not the judge's tests: an accepted program must pass it, and one that does not compile must not. Whether a wrong
/// program fails on the sample says nothing. Outputs are compared word by word.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// A data set with derived/input_output
    #[arg(value_name = "SET")]
    set: PathBuf,
    /// Which submissions, such as "language = 'Java'" [default: all]
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<Condition>,
    /// At most N submissions of each problem, the first [default: all]
    #[arg(long, value_name = "N")]
    of_each_problem: Option<usize>,
    /// Numbers with a fraction may differ by X, or by X of their size. 0 compares outputs as texts, line by line
    #[arg(long, value_name = "X", default_value = "1e-6")]
    tolerance: f64,
    /// Run programs with your own rights where this system cannot confine them
    #[arg(long)]
    unsandboxed: bool,
    #[command(flatten)]
    writing: Writing<RunFormat>,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    threads: Threads,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet run set --where \"language = 'Python'\" --of-each-problem 10
  familiar codenet run set --format ndjson --output runs.jsonl";

#[cfg(not(target_os = "linux"))]
pub(super) fn run(_: &Arguments) -> anyhow::Result<()> {
    anyhow::bail!("programs can be run on Linux only")
}

#[cfg(target_os = "linux")]
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let tolerance = arguments.tolerance;
    ensure!(
        tolerance.is_finite() && tolerance >= 0.0,
        "--tolerance {tolerance}: give a number from 0 on, such as 1e-6"
    );
    let writing = &arguments.writing;
    let target = writing.target();
    target.check()?;
    let options = RunOptions {
        set: arguments.set.clone(),
        only: arguments.condition.clone(),
        of_each_problem: arguments.of_each_problem.unwrap_or(0),
        tolerance,
        unsandboxed: arguments.unsandboxed,
        threads: arguments.threads.number(),
    };
    let progress = arguments.watching.bar(writing.quiet());
    target.try_write(|out| {
        let rows = writing.format() == RunFormat::Ndjson;
        let ran = run::run(&options, &progress, &mut |row| {
            if rows {
                serde_json::to_writer(&mut *out, row)?;
                out.write_all(b"\n")?;
            }
            Ok(())
        });
        progress.finish();
        if let Ok(summary) = &ran {
            say_left_out(&summary.skipped, Notes { quiet: writing.quiet() });
        }
        match ran {
            Ok(summary) if !rows => Ok(summary.write_text(out)?),
            Ok(_) => Ok(()),
            Err(RunError::Write(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    })
}
