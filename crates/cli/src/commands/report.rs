//! `familiar report`: a stored result as pages.

use std::path::PathBuf;
use std::process::ExitCode;

use familiar_engine::stored;

use crate::html::HtmlTarget;

/// Render a stored result as HTML.
///
/// The code is read from the trees that the result names, seen from the current folder. Of files that are gone or have changed since,
/// the report says so in the place of their code.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A result of familiar clones --format json
    #[arg(value_name = "RESULT.json")]
    result: PathBuf,
    /// The folder to write, new, empty or an earlier report; or a file that ends in .html
    #[arg(long, value_name = "DIR")]
    html: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  familiar clones . --format json --output clones.json
  familiar report clones.json --html report
      Pages to browse: open report/index.html
  familiar report clones.json --html report.html
      One file, where the result is small";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let target = HtmlTarget::new(&arguments.html);
    target.check()?;
    target.write(&stored::read(&arguments.result)?)?;
    Ok(ExitCode::SUCCESS)
}
