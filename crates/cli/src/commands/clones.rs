//! `familiar clones`: the clones inside and among trees.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use familiar_detect::{Baseline, CloneOptions};
use familiar_report::{CloneReport, Format, Style, Summary, Unsettled};
use familiar_review::Decisions;
use familiar_source::Progress;

use super::decisions;
use crate::common::{Common, OUTPUT};
use crate::corpora;
use crate::finding::{Finding, INPUT};
use crate::formats::CloneFormat;
use crate::html::{self, HtmlTarget};
use crate::notes;
use crate::values::{self, FailOver, Show};

/// Find clones (copied code) inside and among trees.
///
/// Lists the clones in classes: the copies of one piece of code form one class. The classes that matter most come first. The
/// search stores none of the code that it reads.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folders or files to search [default: the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Compare these trees with those of --against. A reported pair has one side in each
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with = "paths", requires = "against")]
    pub(crate) query: Vec<PathBuf>,
    /// The trees to compare those of --query with
    #[arg(long, value_name = "PATH", num_args = 1.., requires = "query")]
    pub(crate) against: Vec<PathBuf>,

    /// Search this corpus (a name or a path). Given twice: compare the two corpora, so that a reported pair has one side in each
    #[arg(long = "in", value_name = "CORPUS", conflicts_with_all = ["paths", "query", "changed_since", "exclude", "no_ignore"])]
    pub(crate) corpora: Vec<String>,
    /// Also compare the corpus of --in with this corpus. Pairs inside this corpus are not reported. May be repeated
    #[arg(long, value_name = "CORPUS", requires = "corpora")]
    pub(crate) beside: Vec<String>,
    /// Report only pairs between different PATHs, or between different projects of a corpus
    #[arg(long)]
    pub(crate) between_projects: bool,

    #[command(flatten)]
    pub(crate) finding: Finding,
    /// Also search files that .gitignore leaves out
    #[arg(long, help_heading = INPUT)]
    pub(crate) no_ignore: bool,

    /// Report only pairs that touch lines changed since this git revision
    #[arg(long, value_name = "REF", help_heading = GATE)]
    pub(crate) changed_since: Option<String>,
    /// Accept the clones of an earlier result (written with --format json)
    #[arg(long, value_name = "FILE", help_heading = GATE)]
    pub(crate) baseline: Option<PathBuf>,
    /// Accept the findings that a file of decisions settles (see familiar decisions). The format html shows these findings and their comments
    #[arg(long, value_name = "FILE", help_heading = GATE)]
    pub(crate) decisions: Option<PathBuf>,
    /// Exit with 1 if there are more than N classes, or if more than N% of all lines are duplicated
    #[arg(long, value_name = "N|N%", value_parser = values::fail_over, help_heading = GATE)]
    pub(crate) fail_over: Option<FailOver>,

    /// Number of classes to show in text and markdown, or all [default: 20]
    #[arg(long, value_name = "N|all", value_parser = values::show, help_heading = OUTPUT)]
    pub(crate) show: Option<Show>,
    /// Write at most N pairs of a class, in the formats ndjson, csv and bigcloneeval [default: all]
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    pub(crate) max_pairs_per_class: Option<u64>,

    /// Say what makes the two sides of each Type-4 pair alike: the words that count, and the statements that correspond. In the
    /// formats text, json, ndjson and html; needs --types 4 and the encoder builtin or weights:FILE
    #[arg(long, help_heading = OUTPUT)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) common: Common<CloneFormat>,
}

const GATE: &str = "What counts";

const EXAMPLES: &str = "\
Examples:
  familiar clones src
      Clones in the folder src
  familiar clones src --granularity run --types 1
      Repeated text only, as jscpd and arid report it
  familiar clones --query new --against old vendor
      Pairs with one side in new and the other in old or vendor
  familiar clones --in class --between-projects --format csv
      Pairs between different authors, in a corpus of submissions
  familiar clones --in class --beside class-2025 --between-projects
      The same, and also copies from last year's submissions
  familiar clones . --format json --output clones.json
  familiar clones . --format badge --output duplication.svg
      An image for the project's page
  familiar clones . --format html --output report
      Pages to browse: open report/index.html
  familiar clones . --baseline clones.json --fail-over 0
      Accept the clones that exist, and fail if there are new ones
  familiar clones . --decisions decisions.json --fail-over 0
      Fail if there are clones on which nobody has decided (see familiar decisions)
  familiar clones . --types 4 --cross-language
      Functions with the same behavior but different code, also across languages
  familiar clones . --types 4 --cross-language --explain --format html --output report
      The same, and what makes each two of them alike
  familiar clones . --changed-since main --format sarif --output clones.sarif
      Pairs that touch changed lines, for a code review

Settings can also stand in a file familiar.toml, in the folder of the first PATH or above it. If
there is none, Familiar looks in the current folder and above it. The keys of the file are the names
of the flags without dashes. A flag on the command line wins.

Exit codes: 0 success, 1 more findings than --fail-over allows, 2 failure.";

const WITHOUT_EXPLANATIONS: &str =
    "this format has no room for what --explain says: give --format text, json, ndjson or html";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let format = match arguments.common.writing.format() {
        CloneFormat::Html => return run_html(arguments),
        CloneFormat::Stream(format) => format,
    };
    let target = arguments.common.writing.target();
    target.check()?;
    let style = Style {
        color: target.wants_color(),
        width: target.width(),
        show: arguments.show.map_or(Some(20), |Show(show)| show),
    };
    if arguments.explain && !matches!(format, Format::Text | Format::Json | Format::Ndjson) {
        anyhow::bail!("{WITHOUT_EXPLANATIONS}");
    }
    // Some classes are only counted, and others are shown in their place.
    let excerpts =
        if format == Format::Text { style.show.map_or(usize::MAX, |show| show.saturating_mul(4)) } else { 0 };
    let alignments = matches!(format, Format::Json | Format::Ndjson);
    let options = CloneOptions { excerpts, alignments, ..arguments.options()? };
    let decisions = arguments.decisions()?;
    let report = arguments.search(&options, &decisions, Baseline::with)?;
    target.write(|out| familiar_report::write(&report, format, style, out))?;
    Ok(exit_code(&report.summary, arguments.fail_over))
}

fn run_html(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let writing = &arguments.common.writing;
    let target = HtmlTarget::new(writing.output.as_deref().context(html::NEEDS_PLACE)?, writing.quiet());
    target.check()?;
    let decisions = arguments.decisions()?;
    let mut report = arguments.search(&arguments.options()?, &decisions, Baseline::showing)?;
    report.decisions = decisions;
    target.write(&report)?;
    Ok(exit_code(&report.summary, arguments.fail_over))
}

/// Whether there is more than the user allows. What is settled does not count, shown or not.
fn exit_code(summary: &Summary, fail_over: Option<FailOver>) -> ExitCode {
    let shown = Unsettled { classes: summary.classes, duplicated_lines: summary.duplicated_lines };
    let Unsettled { classes, duplicated_lines } = summary.unsettled.unwrap_or(shown);
    let over = match fail_over {
        None => false,
        Some(FailOver::Classes(most)) => classes > most,
        // Products, and a hair more: a share at the limit is not over it, however it is rounded.
        Some(FailOver::Percent(most)) => {
            duplicated_lines as f64 * 100.0 > most * summary.lines as f64 * (1.0 + 1e-12)
        }
    };
    ExitCode::from(u8::from(over))
}

/// What a baseline makes of decisions.
type Taken = fn(Baseline, &Decisions) -> Baseline;

impl Arguments {
    /// The result with everything that its rows hold.
    pub(crate) fn rows(&self, progress: &dyn Progress) -> anyhow::Result<CloneReport> {
        let options = CloneOptions { alignments: true, ..self.options()? };
        self.found(&options, (&self.decisions()?, Baseline::with), progress)
    }

    /// Which flag says something that texts have not: they stand in no file, no tree and no repository, and nobody accepted them.
    pub(crate) fn flag_without_texts(&self) -> Option<&'static str> {
        let given = [
            ("--query", !self.query.is_empty()),
            ("--against", !self.against.is_empty()),
            ("--in", !self.corpora.is_empty()),
            ("--between-projects", self.between_projects),
            ("--exclude", !self.finding.exclude.is_empty()),
            ("--no-ignore", self.no_ignore),
            ("--changed-since", self.changed_since.is_some()),
            ("--baseline", self.baseline.is_some()),
            ("--decisions", self.decisions.is_some()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }

    /// The settings for texts that stand in no file.
    pub(crate) fn options_of_texts(&self) -> anyhow::Result<CloneOptions> {
        let options = self.finding.options(self.common.resources)?;
        let most = self.max_pairs_per_class;
        let explain = self.explain;
        Ok(CloneOptions { alignments: true, max_pairs_per_class: most, explain, ..options })
    }

    /// What of it an editor follows: how clones are found, and what is accepted.
    pub(crate) fn for_editor(&self) -> anyhow::Result<(CloneOptions, Option<Baseline>, Option<PathBuf>)> {
        let options = self.options()?;
        let read = |file: &PathBuf| Baseline::read(file, options.memory as u64);
        let baseline = self.baseline.as_ref().map(read).transpose()?;
        Ok((options, baseline, self.decisions.clone()))
    }

    fn decisions(&self) -> anyhow::Result<Decisions> {
        self.decisions.as_deref().map_or_else(|| Ok(Decisions::default()), decisions::read)
    }

    fn found(
        &self,
        options: &CloneOptions,
        (decisions, taken): (&Decisions, Taken),
        progress: &dyn Progress,
    ) -> anyhow::Result<CloneReport> {
        let mut baseline =
            self.baseline.as_deref().map(|file| Baseline::read(file, options.memory as u64)).transpose()?;
        if !decisions.is_empty() {
            baseline = Some(taken(baseline.unwrap_or_default(), decisions));
        }
        corpora::clones(options, baseline.as_ref(), progress)
    }

    fn search(
        &self,
        options: &CloneOptions,
        decisions: &Decisions,
        taken: Taken,
    ) -> anyhow::Result<CloneReport> {
        let progress = self.common.bar();
        let report = self.found(options, (decisions, taken), &progress)?;
        progress.finish();
        notes::nothing_read(report.summary.files, report.summary.skipped.len(), self.common.writing.quiet());
        Ok(report)
    }

    fn options(&self) -> anyhow::Result<CloneOptions> {
        let here = || vec![PathBuf::from(".")];
        let nothing_named = self.paths.is_empty() && self.query.is_empty() && self.corpora.is_empty();
        Ok(CloneOptions {
            paths: if nothing_named { here() } else { self.paths.clone() },
            corpora: self
                .corpora
                .iter()
                .map(|name| corpora::existing(name))
                .collect::<anyhow::Result<_>>()?,
            beside: self.beside.iter().map(|name| corpora::existing(name)).collect::<anyhow::Result<_>>()?,
            between_projects: self.between_projects,
            query: self.query.clone(),
            against: self.against.clone(),
            no_ignore: self.no_ignore,
            changed_since: self.changed_since.clone(),
            max_pairs_per_class: self.max_pairs_per_class,
            explain: self.explain,
            ..self.finding.options(self.common.resources)?
        })
    }
}
