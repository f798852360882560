//! `familiar report`: a stored result as pages, or in another format.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use familiar_engine::stored::{self, Stored};
use familiar_report::audit::{Stamp, Style as AuditStyle};
use familiar_report::{Style, audit};

use super::decisions;
use crate::common::{Formats, Memory, OUTPUT, Watching, Writing};
use crate::corpora;
use crate::formats::StoredFormat;
use crate::html::{self, HtmlTarget};
use crate::values::{self, Show};

/// Write a stored result in another format, such as pages to browse.
///
/// The format html reads the code from the trees that the result names, as seen from the current folder. For an audit it also reads
/// the corpora that the result names. Where a file is missing or has changed, the report says so instead of showing code.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A result of familiar clones --format json, or of familiar audit --format json
    #[arg(value_name = "RESULT.json")]
    result: PathBuf,
    /// The same as --format html --output DIR. A name that ends in .html gives one page instead of a folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "output", "show"])]
    html: Option<PathBuf>,
    /// A file of decisions, which the format html shows (see familiar decisions)
    #[arg(long, value_name = "FILE")]
    decisions: Option<PathBuf>,
    /// Number of findings to show in text and markdown, or all [default: 20]
    #[arg(long, value_name = "N|all", value_parser = values::show, help_heading = OUTPUT)]
    show: Option<Show>,

    #[command(flatten)]
    writing: Writing<StoredFormat>,
    #[command(flatten)]
    watching: Watching,
    #[command(flatten)]
    memory: Memory,
}

const EXAMPLES: &str = "\
Examples:
  familiar clones . --format json --output clones.json
  familiar report clones.json --format html --output report
      Pages to browse: open report/index.html
  familiar report clones.json --html report.html
      One page, if the result is small
  familiar report audit.json --format html --output report
      The same for a result of familiar audit
  familiar report clones.json --format sarif --output clones.sarif
  familiar report clones.json --format badge --output duplication.svg
      More formats from one run, for continuous integration";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = arguments.writing.output.as_deref();
    let format = arguments.writing.format();
    let quiet = arguments.writing.quiet();
    let pages = match &arguments.html {
        Some(folder) => Some(HtmlTarget::new(folder, quiet)),
        None if format == StoredFormat::Html => {
            Some(HtmlTarget::new(output.context(html::NEEDS_PLACE)?, quiet))
        }
        None if arguments.decisions.is_some() => bail!("--decisions needs --format html, which shows them"),
        None => None,
    };
    match pages {
        Some(pages) => write_pages(arguments, &pages)?,
        None => write_stream(arguments, format)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn write_pages(arguments: &Arguments, target: &HtmlTarget) -> anyhow::Result<()> {
    target.check()?;
    let decided = arguments.decisions.as_deref().map(decisions::read).transpose()?.unwrap_or_default();
    let progress = arguments.bar();
    progress.begin("reading the result");
    match arguments.read()? {
        Stored::Clones(mut report) => {
            report.decisions = decided;
            progress.begin("writing pages");
            target.write(&*report)?;
        }
        Stored::Audit(mut report) => {
            report.decisions = decided;
            progress.begin("writing pages");
            target.write(&*report)?;
        }
    }
    progress.finish();
    Ok(())
}

fn write_stream(arguments: &Arguments, format: StoredFormat) -> anyhow::Result<()> {
    let target = arguments.writing.target();
    target.check()?;
    let progress = arguments.bar();
    progress.begin("reading the result");
    let stored = arguments.read()?;
    progress.finish();
    let StoredFormat::Stream(of_clones, of_audit) = format else { bail!(html::NEEDS_PLACE) };
    let show = arguments.show.map_or(Some(20), |Show(show)| show);
    match stored {
        Stored::Clones(report) => {
            let format = of_clones.context(other_kind(format, "familiar audit"))?;
            let style = Style { color: target.wants_color(), width: target.width(), show };
            target.write(|out| familiar_report::write(&report, format, style, out))
        }
        Stored::Audit(report) => {
            let format = of_audit.context(other_kind(format, "familiar clones"))?;
            let style = AuditStyle { color: target.wants_color(), show, ..AuditStyle::default() };
            let stamp = Stamp::of_environment(std::env::var("SOURCE_DATE_EPOCH").ok().as_deref());
            target.write(|out| audit::write(&report, format, style, stamp, out))
        }
    }
}

/// What is wrong where a result cannot be written in a format.
fn other_kind(format: StoredFormat, verb: &str) -> String {
    let name = StoredFormat::all().into_iter().find(|(_, _, known)| *known == format);
    let name = name.map_or("this", |(name, _, _)| name);
    format!("--format {name} is for results of {verb}; choose another format")
}

impl Arguments {
    fn bar(&self) -> crate::progress::Bar {
        self.watching.bar(self.writing.quiet())
    }

    fn read(&self) -> anyhow::Result<Stored> {
        Ok(stored::read_any(&self.result, self.memory.bytes() as u64, &corpus)?)
    }
}

/// The folder of a corpus that is there.
fn corpus(name: &str) -> Option<PathBuf> {
    corpora::folder(name).ok().filter(|folder| folder.join("manifest.json").is_file())
}
