//! `familiar report`: a stored result as pages, or in another format.

use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::stored::{self, Stored};
use familiar_report::{Format, Style};

use super::{corpus as corpora, decisions};
use crate::html::HtmlTarget;
use crate::output::Target;
use crate::values::{self, Show};

/// Render a stored result: as HTML, or in a format that one run of familiar clones did not write.
///
/// HTML reads the code from the trees that the result names, seen from the current folder, and for an audit from the corpora that it
/// names. Of files that are gone or have changed since, the report says so in the place of their code.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A result of familiar clones --format json, or for HTML of familiar audit --format json
    #[arg(value_name = "RESULT.json")]
    result: PathBuf,
    /// The folder to write, new, empty or an earlier report; or a file that ends in .html
    #[arg(long, value_name = "DIR", required_unless_present = "format", conflicts_with_all = ["format", "output", "show"])]
    html: Option<PathBuf>,
    /// What was decided of the findings (see familiar decisions), for html to show
    #[arg(long, value_name = "FILE", requires = "html")]
    decisions: Option<PathBuf>,
    /// markdown, sarif, gitlab, badge: as familiar clones writes them in the same folder
    #[arg(long, value_name = "NAME", value_parser = values::stored_format)]
    format: Option<Format>,
    /// Write to a file, whole or not at all
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Classes in markdown: a number, or all [default: 20]
    #[arg(long, value_name = "N|all", value_parser = values::show)]
    show: Option<Show>,
}

const EXAMPLES: &str = "\
Examples:
  familiar clones . --format json --output clones.json
  familiar report clones.json --html report
      Pages to browse: open report/index.html
  familiar report clones.json --html report.html
      One file, where the result is small
  familiar report audit.json --html report
      The same of a result of familiar audit
  familiar report clones.json --format sarif --output clones.sarif
  familiar report clones.json --format badge --output duplication.svg
      More formats of one run, in continuous integration";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if let Some(html) = &arguments.html {
        let target = HtmlTarget::new(html);
        target.check()?;
        let decided = arguments.decisions.as_deref().map(decisions::read).transpose()?.unwrap_or_default();
        match stored::read_any(&arguments.result, &corpus)? {
            Stored::Clones(mut report) => {
                report.decisions = decided;
                target.write(&*report)?;
            }
            Stored::Audit(mut report) => {
                report.decisions = decided;
                target.write(&*report)?;
            }
        }
    } else if let Some(format) = arguments.format {
        let target = Target::new(arguments.output.clone());
        target.check()?;
        let report = stored::read(&arguments.result)?;
        let show = arguments.show.map_or(Some(20), |Show(show)| show);
        let style = Style { color: false, width: target.width(), show };
        target.write(|out| familiar_report::write(&report, format, style, out))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of a corpus that is there.
fn corpus(name: &str) -> Option<PathBuf> {
    corpora::folder(name).ok().filter(|folder| folder.join("manifest.json").is_file())
}
