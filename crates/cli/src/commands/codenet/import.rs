//! `familiar codenet import`.

use std::path::PathBuf;

use familiar_codenet::import::{self, ImportOptions, PathPattern, column_names};
use familiar_codenet::status::{STATUSES, status_called};
use familiar_source::words::counted;

use crate::common::{Quiet, Resources, Watching};
use crate::notes::Notes;

/// Make a clean data set in the layout of Project CodeNet.
///
/// SOURCE is a folder in that layout or an archive of one, a table (JSON lines, CSV or Parquet, with a row for each submission), or a
/// folder or an archive whose paths say for which problem a file is, and whose. Texts become UTF-8 without byte order marks, and their lines end as on
/// Unix. Rows that contradict themselves are left out, and metadata/skipped.jsonl says why. An import that was ended goes on
/// where it was.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Arguments {
    /// Where the submissions are
    #[arg(value_name = "SOURCE")]
    source: PathBuf,
    /// The folder of the data set
    #[arg(long, value_name = "SET")]
    output: PathBuf,
    /// A column of the table under another name, such as code=source_text. May be repeated
    #[arg(long, value_name = "NAME=COLUMN", value_parser = column)]
    column: Vec<(String, String)>,
    /// What a status of this judge means, such as "Presentation Failed=Wrong Answer". May be repeated
    #[arg(long, value_name = "NAME=STATUS", value_parser = status)]
    status: Vec<(String, String)>,
    /// What the folders of a path say, such as {problem}/{user}/{status} [default: the problem, the user, and the status where the
    /// third folder is one]
    #[arg(long, value_name = "PATTERN")]
    paths: Option<PathPattern>,
    /// A table of the problems: problem_id, name, text or html, samples with in and out
    #[arg(long, value_name = "TABLE")]
    problems: Option<PathBuf>,
    #[command(flatten)]
    quiet: Quiet,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    resources: Resources,
}

const EXAMPLES: &str = "\
Examples:
  familiar codenet import Project_CodeNet.tar.gz --output set
  familiar codenet import submissions.csv --column code=source --column user_id=handle --output set
  familiar codenet import class.zip --paths '{problem}/{user}' --output set
  familiar codenet import solutions.jsonl.zst --problems problems.jsonl --output set";

fn pair(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

fn column(text: &str) -> Result<(String, String), String> {
    let (name, column) = pair(text)?;
    let names: Vec<_> = column_names().collect();
    if names.contains(&name.as_str()) {
        Ok((name, column))
    } else {
        Err(format!("the names are {}", names.join(", ")))
    }
}

fn status(text: &str) -> Result<(String, String), String> {
    let (name, status) = pair(text)?;
    let status = status_called(&status).ok_or_else(|| format!("the statuses are {}", STATUSES.join(", ")))?;
    Ok((name, status.to_owned()))
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let quiet = arguments.quiet.quiet;
    let options = ImportOptions {
        source: arguments.source.clone(),
        output: arguments.output.clone(),
        columns: arguments.column.clone(),
        statuses: arguments.status.clone(),
        paths: arguments.paths.clone(),
        problems: arguments.problems.clone(),
        memory: arguments.resources.memory(),
        threads: arguments.resources.threads(),
    };
    let progress = arguments.watching.bar(quiet);
    let done = import::run(&options, &progress)?;
    progress.finish();
    let skipped = match done.skipped {
        0 => String::new(),
        some => format!("; {} left out (metadata/skipped.jsonl says why)", counted(some, "entry")),
    };
    Notes { quiet }.say(&format!(
        "{} of {} and {}{skipped}",
        counted(done.submissions, "submission"),
        counted(done.problems, "problem"),
        counted(done.users, "user"),
    ));
    Ok(())
}
