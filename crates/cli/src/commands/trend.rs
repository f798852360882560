//! `familiar trend`: how much of a repository is duplicated, tag by tag.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::trend::{self, TrendOptions};
use familiar_report::printable;
use familiar_report::trend::{Format, TrendReport, write};

use crate::finding::{Finding, Resources};
use crate::output::Target;
use crate::progress::{Bar, When};
use crate::values;

/// Tell how much of a git repository is duplicated, tag by tag.
///
/// Reads the files of each tag from the repository's objects, every file that git keeps there. The work tree is neither read nor
/// changed. What counts as a clone is what familiar clones with the same flags finds in a folder with these files.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A git repository, or a folder in it, of which alone is told [default: the current folder]
    #[arg(value_name = "PATH")]
    folder: Option<PathBuf>,
    /// How many tags, the newest by the time of their commits
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = TAGS)]
    last: usize,
    /// Only tags that match, as for git tag --list, such as 'v*'; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = TAGS)]
    tags: Vec<String>,

    #[command(flatten)]
    finding: Finding,

    /// text, json, csv, svg (a picture) [default: text]
    #[arg(long, value_name = "NAME", value_parser = values::trend_format, help_heading = OUTPUT)]
    format: Option<Format>,
    /// Write to a file, whole or not at all
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Say nothing on stderr but errors
    #[arg(long, short, help_heading = OUTPUT)]
    quiet: bool,
    /// Show progress on stderr: auto (on a terminal), always, never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = values::progress, help_heading = OUTPUT)]
    progress: Option<When>,

    #[command(flatten)]
    resources: Resources,
}

const TAGS: &str = "Which tags";
const OUTPUT: &str = "Output";

const EXAMPLES: &str = "\
Examples:
  familiar trend
      The newest 20 tags of the repository in this folder
  familiar trend . --tags 'v*' --last 50 --format svg --output trend.svg
      A picture of the last 50 releases
  familiar trend src --format csv --output trend.csv
      The folder src of each tag
  familiar trend . --tags 'v[0-9]*' --exclude 'tests/' --types 1

What says how clones are found may stand in a familiar.toml, as for familiar clones.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let options = TrendOptions {
        path: arguments.folder.clone().unwrap_or_else(|| PathBuf::from(".")),
        last: arguments.last,
        tags: arguments.tags.clone(),
        clones: arguments.finding.options(&arguments.resources)?,
    };
    let progress = Bar::new(arguments.progress.unwrap_or_default(), arguments.quiet);
    let report = trend::run(&options, &progress)?;
    progress.finish();
    let format = arguments.format.unwrap_or(Format::Text);
    if !arguments.quiet {
        notes(&report, format);
    }
    target.write(|out| write(&report, format, out))?;
    Ok(ExitCode::SUCCESS)
}

/// Says on stderr what the picture and the table do not.
fn notes(report: &TrendReport, format: Format) {
    let mut err = std::io::stderr();
    // Where nobody can be told, the result is what counts.
    if report.shallow {
        let _ = writeln!(
            err,
            "familiar: the repository is a shallow clone, in which tags may be missing; git fetch --unshallow --tags gets them"
        );
    }
    if matches!(format, Format::Csv | Format::Svg) {
        for skipped in &report.skipped {
            let (tag, reason) = (printable(&skipped.tag), printable(&skipped.reason));
            let _ = writeln!(err, "familiar: left out: {tag}: {reason}");
        }
    }
}
