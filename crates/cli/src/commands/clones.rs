//! `familiar clones`: the clones inside and among trees.

use std::collections::HashSet;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use familiar_engine::{Baseline, CloneOptions, clones};
use familiar_report::{CloneReport, Format, Style};
use familiar_review::Decisions;

use super::{corpus, decisions};
use crate::finding::{Finding, INPUT, Resources};
use crate::html::{self, HtmlTarget};
use crate::output::Target;
use crate::progress::{Bar, When};
use crate::values::{self, CloneFormat, FailOver, Show};

/// Find the clones inside and among trees.
///
/// Prints clone classes, the ones a reader would care for most first. Nothing is kept.
#[derive(clap::Args, Debug, Default)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folders or files to search in [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Report only pairs with one side in these trees and the other in those of --against
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "paths", requires = "against")]
    pub(crate) query: Vec<PathBuf>,
    /// The other side of --query
    #[arg(long, value_name = "PATH", num_args = 1.., requires = "query")]
    pub(crate) against: Vec<PathBuf>,

    /// Search in a corpus (a name or a path); of two, report only pairs with one side in each, and name projects behind their corpus
    #[arg(long = "in", value_name = "CORPUS", conflicts_with_all = ["paths", "query", "changed_since", "exclude", "no_ignore"])]
    pub(crate) corpora: Vec<String>,
    /// Compare what --in searches with this corpus too, without pairs within it; may be repeated
    #[arg(long, value_name = "CORPUS", requires = "corpora")]
    pub(crate) beside: Vec<String>,
    /// Report only pairs between different PATHs, or different projects of a corpus
    #[arg(long)]
    pub(crate) between_projects: bool,

    #[command(flatten)]
    pub(crate) finding: Finding,
    /// Search what .gitignore leaves out
    #[arg(long, help_heading = INPUT)]
    pub(crate) no_ignore: bool,

    /// Only pairs that touch lines changed since this git revision
    #[arg(long, value_name = "REF", help_heading = GATE)]
    pub(crate) changed_since: Option<String>,
    /// Accept the clones of an earlier result (--format json)
    #[arg(long, value_name = "FILE", help_heading = GATE)]
    pub(crate) baseline: Option<PathBuf>,
    /// Accept what was decided to be accepted or no copy (see familiar decisions); html shows it, with what was said
    #[arg(long, value_name = "FILE", help_heading = GATE)]
    pub(crate) decisions: Option<PathBuf>,
    /// Exit with 1 above N classes, or above N% of duplicated lines
    #[arg(long, value_name = "N|N%", value_parser = values::fail_over, help_heading = GATE)]
    pub(crate) fail_over: Option<FailOver>,

    /// text, json, ndjson, csv, markdown, sarif, gitlab, bigcloneeval, badge (an SVG image of the share), html (pages to
    /// browse, with the code) [default: text]
    #[arg(long, value_name = "NAME", value_parser = values::clone_format, help_heading = OUTPUT)]
    pub(crate) format: Option<CloneFormat>,
    /// Write to a file, whole or not at all; html to a folder, or to one page where the name ends in .html
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub(crate) output: Option<PathBuf>,
    /// Classes in text and markdown: a number, or all [default: 20]
    #[arg(long, value_name = "N|all", value_parser = values::show, help_heading = OUTPUT)]
    pub(crate) show: Option<Show>,
    /// Most pairs of one class that ndjson, csv and bigcloneeval enumerate
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    pub(crate) max_pairs_per_class: Option<u64>,
    /// Say nothing on stderr but errors
    #[arg(long, short, help_heading = OUTPUT)]
    pub(crate) quiet: bool,
    /// Show progress on stderr: auto (on a terminal), always, never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = values::progress, help_heading = OUTPUT)]
    pub(crate) progress: Option<When>,

    #[command(flatten)]
    pub(crate) resources: Resources,
}

const GATE: &str = "What counts";
const OUTPUT: &str = "Output";

const EXAMPLES: &str = "\
Examples:
  familiar clones src
      Functions, and runs of tokens outside them
  familiar clones src --granularity run --types 1
      Repeated text, as jscpd and arid report it
  familiar clones --query new --against old vendor
      Only pairs with one side in new and the other in old or vendor
  familiar clones --in class --beside class-2025 --between-projects
      The same, and who handed in what stood in last year's submissions
  familiar clones --in class --between-projects --format csv
      Who handed in what another has, in a corpus of submissions
  familiar clones . --format json --output clones.json
  familiar clones . --format badge --output duplication.svg
      An image for a page of the project
  familiar clones . --format html --output report
      Pages to browse: open report/index.html
  familiar clones . --baseline clones.json --fail-over 0
      Accept what there is; fail on anything new
  familiar clones . --decisions decisions.json --fail-over 0
      Fail on what nobody has settled (see familiar decisions)
  familiar clones . --types 4 --cross-language
      Functions that do the same, written otherwise or in another language
  familiar clones . --changed-since main --format sarif --output clones.sarif
      Only pairs that touch what changed, for a code review

Settings may stand in a familiar.toml beside the first PATH or above, or else in this folder or
above: the flags' names, without dashes in front. A flag wins. Exit codes: 0 done, 1 findings over --fail-over, 2 failure.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let format = match arguments.format.unwrap_or(CloneFormat::Stream(Format::Text)) {
        CloneFormat::Html => return run_html(arguments),
        CloneFormat::Stream(format) => format,
    };
    let target = Target::new(arguments.output.clone());
    target.check()?;
    let style = Style {
        color: target.wants_color(),
        width: target.width(),
        show: arguments.show.map_or(Some(20), |Show(show)| show),
    };
    let excerpts = if format == Format::Text { style.show.unwrap_or(usize::MAX) } else { 0 };
    let alignments = matches!(format, Format::Json | Format::Ndjson);
    let options = CloneOptions { excerpts, alignments, ..arguments.options()? };
    let decisions = arguments.decisions()?;
    let report = arguments.search(&options, &decisions)?;
    target.write(|out| familiar_report::write(&report, format, style, out))?;
    Ok(exit_code(&report, arguments.fail_over))
}

fn run_html(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output.as_deref();
    let target = HtmlTarget::new(output.context(html::NEEDS_PLACE)?);
    target.check()?;
    let decisions = arguments.decisions()?;
    let mut report = arguments.search(&arguments.options()?, &Decisions::default())?;
    report.decisions = decisions;
    target.write(&report)?;
    Ok(exit_code(&report, arguments.fail_over))
}

fn exit_code(report: &CloneReport, fail_over: Option<FailOver>) -> ExitCode {
    let over = match fail_over {
        None => false,
        Some(FailOver::Classes(most)) => unsettled(report) > most,
        Some(FailOver::Percent(most)) => report.summary.duplication * 100.0 > most,
    };
    ExitCode::from(u8::from(over))
}

/// Classes that nobody settled; where the format does not show decisions, the report has no others.
fn unsettled(report: &CloneReport) -> u64 {
    let settled = report.decisions.standing().filter(|decision| decision.decision.settles());
    let settled: HashSet<&str> = settled.map(|decision| decision.fingerprint.as_str()).collect();
    report.classes.iter().filter(|class| !settled.contains(class.fingerprint.as_str())).count() as u64
}

impl Arguments {
    fn decisions(&self) -> anyhow::Result<Decisions> {
        self.decisions.as_deref().map_or_else(|| Ok(Decisions::default()), decisions::read)
    }

    fn search(&self, options: &CloneOptions, decisions: &Decisions) -> anyhow::Result<CloneReport> {
        let mut baseline = self.baseline.as_deref().map(Baseline::read).transpose()?;
        if !decisions.is_empty() {
            baseline = Some(baseline.unwrap_or_default().with(decisions));
        }
        let progress = Bar::new(self.progress.unwrap_or_default(), self.quiet);
        let report = clones::run(options, baseline.as_ref(), &progress)?;
        progress.finish();
        Ok(report)
    }

    fn options(&self) -> anyhow::Result<CloneOptions> {
        let here = || vec![PathBuf::from(".")];
        let nothing_named = self.paths.is_empty() && self.query.is_empty() && self.corpora.is_empty();
        Ok(CloneOptions {
            paths: if nothing_named { here() } else { self.paths.clone() },
            corpora: self.corpora.iter().map(|name| corpus::folder(name)).collect::<anyhow::Result<_>>()?,
            beside: self.beside.iter().map(|name| corpus::folder(name)).collect::<anyhow::Result<_>>()?,
            between_projects: self.between_projects,
            query: self.query.clone(),
            against: self.against.clone(),
            no_ignore: self.no_ignore,
            changed_since: self.changed_since.clone(),
            max_pairs_per_class: self.max_pairs_per_class,
            ..self.finding.options(&self.resources)?
        })
    }
}
