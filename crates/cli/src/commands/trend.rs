//! `familiar trend`: how much of a repository is duplicated, tag by tag.

use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::trend::{self, TrendOptions};
use familiar_report::printable;
use familiar_report::trend::{Format, TrendReport, write};

use crate::common::Common;
use crate::finding::Finding;
use crate::notes::Notes;

/// Show how much of a git repository is duplicated at each tag.
///
/// Reads every file of each tag from the objects of the repository. The command neither reads nor changes the work tree. For each tag
/// the result is that of familiar clones, with the same flags, in a folder with these files.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A git repository, or a folder in it. Only files below the folder count [default: the current folder]
    #[arg(value_name = "PATH")]
    folder: Option<PathBuf>,
    /// Number of tags to read: those with the newest commits
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = TAGS)]
    last: usize,
    /// Read only tags that match the glob, written as for git tag --list, such as 'v*'. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = TAGS)]
    tags: Vec<String>,

    #[command(flatten)]
    finding: Finding,

    #[command(flatten)]
    common: Common<Format>,
}

const TAGS: &str = "Which tags";

const EXAMPLES: &str = "\
Examples:
  familiar trend
      The newest 20 tags of the repository in the current folder
  familiar trend . --tags 'v*' --last 50 --format svg --output trend.svg
      A picture of the last 50 releases
  familiar trend src --format csv --output trend.csv
      The folder src in each tag
  familiar trend . --tags 'v[0-9]*' --exclude 'tests/' --types 1

Settings that say how clones are found can stand in a familiar.toml, as for familiar clones.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let writing = &arguments.common.writing;
    let target = writing.target();
    target.check()?;
    let options = TrendOptions {
        path: arguments.folder.clone().unwrap_or_else(|| PathBuf::from(".")),
        last: arguments.last,
        tags: arguments.tags.clone(),
        clones: arguments.finding.options(arguments.common.resources)?,
    };
    let progress = arguments.common.bar();
    let report = trend::run(&options, &progress)?;
    progress.finish();
    say(&report, writing.format(), Notes { quiet: writing.quiet() });
    target.write(|out| write(&report, writing.format(), out))?;
    Ok(ExitCode::SUCCESS)
}

/// Says what the picture and the table do not.
fn say(report: &TrendReport, format: Format, notes: Notes) {
    if report.shallow {
        notes.warn(
            "the repository is a shallow clone, so tags may be missing; git fetch --unshallow --tags fetches them",
        );
    }
    if !report.points.is_empty() && report.points.iter().all(|point| point.files == 0) {
        notes.warn("0 files of code were read; check the path, --lang and --exclude");
    }
    if matches!(format, Format::Csv | Format::Svg) {
        for skipped in &report.skipped {
            notes.left_out(&skipped.tag, &printable(&skipped.reason));
        }
    }
}
