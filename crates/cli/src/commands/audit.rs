//! `familiar audit`: code that also stands elsewhere, and whether its license allows that.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use familiar_audit::{self as audit, AuditOptions, Snippet};
use familiar_corpus::{Limits, SourceError, spec};
use familiar_engine::{CloneOptions, Measure, Progress};
use familiar_files::dir::WalkOptions;
use familiar_files::named;
use familiar_library::{self as corpus, AddOptions};
use familiar_report::audit::{AuditReport, Format, Stamp, Style, write, write_notices};
use familiar_source::{FragmentKind, Language};

use super::decisions;
use crate::common::{Common, OUTPUT};
use crate::corpora;
use crate::formats::AuditFormat;
use crate::html::{self, HtmlTarget};
use crate::input::stdin_error;
use crate::output::{Target, WorkFolder};
use crate::values::{self, Show};
use crate::{notes, policy};

/// Find code that also stands elsewhere, and say whether its license allows this use.
///
/// Lists the code in PATH that also stands in the corpora. For each finding it shows the licenses of both sides with their
/// evidence. It says whether the code may be used in PATH, whether PATH names the origin, and what to do. The exit code is 1
/// if the policy in familiar.toml denies a finding. Without a policy it is 1 if licenses are in conflict.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What to audit: folders, files, other sources that `familiar corpus add` takes, corpora, or - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    /// What to compare with: corpora by name or path, or sources that `familiar corpus add` takes. Sources are read for this run only
    #[arg(long, value_name = "CORPUS", num_args = 1..)]
    against: Vec<String>,

    /// Kinds of code to compare: file, class, function, block, run (a run is a stretch of lines anywhere) [default: function,run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::granularity, help_heading = FINDING)]
    granularity: Vec<FragmentKind>,
    /// Clone types: 1 equal, 2 equal except for names and values, 3 edited [default: 1,2,3]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::clone_type, help_heading = FINDING)]
    types: Vec<u8>,
    /// How to measure the similarity of edited code: aligned, token-overlap [default: aligned]
    #[arg(long, value_name = "NAME", value_parser = values::measure, help_heading = FINDING)]
    measure: Option<Measure>,
    /// Lowest similarity of a Type-3 pair, above 0 and at most 1 [default: set by the measure]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    similarity: Option<f64>,
    /// Ignore code with fewer tokens [default: a limit by information, about 50 tokens of ordinary code; for standard input no limit]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_tokens: Option<u32>,
    /// Ignore code with fewer lines [default: 5]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_lines: Option<u32>,
    /// Join runs that are at most N tokens apart (Type-3) [default: 10]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    max_gap_tokens: Option<u32>,
    /// Also compare code in different languages
    #[arg(long, help_heading = FINDING)]
    cross_language: bool,
    /// Also report trivial code: short or very common code, license texts, and lists of imports
    #[arg(long, help_heading = FINDING)]
    include_trivial: bool,
    /// Accept the findings that a file of decisions settles (see familiar decisions)
    #[arg(long, value_name = "FILE", help_heading = FINDING)]
    decisions: Option<PathBuf>,

    /// Audit only these languages. For standard input: its language
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language, help_heading = INPUT)]
    lang: Vec<Language>,
    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    exclude: Vec<String>,
    /// Also audit files that .gitignore leaves out
    #[arg(long, help_heading = INPUT)]
    no_ignore: bool,
    /// Also audit generated and minified files
    #[arg(long, help_heading = INPUT)]
    include_generated: bool,

    /// Number of findings to show in text, or all [default: 20]
    #[arg(long, value_name = "N|all", value_parser = values::show, help_heading = OUTPUT)]
    show: Option<Show>,
    /// Also show the findings that the policy accepts
    #[arg(long, help_heading = OUTPUT)]
    show_accepted: bool,
    /// Also write the notices that the licenses of the allowed code require, to this file
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    notices: Option<PathBuf>,

    #[command(flatten)]
    common: Common<AuditFormat>,
}

const FINDING: &str = "What is found";
const INPUT: &str = "What is audited";

const EXAMPLES: &str = "\
Examples:
  familiar audit . --against world
      Code of this tree that also stands in the corpus world, its licenses, and whether it may be used here
  familiar audit - --lang python --against world < snippet.py
      The same for a pasted snippet, or for the answer of an assistant
  familiar audit src --against pypi:requests dir:vendor/old
      Compare with sources that are in no corpus
  familiar audit . --against world --format sarif --output audit.sarif
      For a code review. Also: json, csv, spdx-json, cyclonedx
  familiar audit . --against world --format html --output report
      Pages to browse: open report/index.html
  familiar audit . --against world --notices NOTICE
      Write the notices that the licenses require

The policy stands under [audit] in a familiar.toml in the folder of PATH or above it:
  [audit]
  license = \"MIT\"                     the license of the project, whatever its files say
  allowed = [\"MIT\", \"BSD-*\", \"Apache-2.0\"]
  denied = [\"AGPL-*\"]
  fail = [\"contested\", \"attribution\"]   also: unknown, laundering. Conflicts and denied licenses always fail
  [[audit.path]]
  paths = [\"vendor/**\"]
  allowed = [\"*\"]
  [[audit.accepted]]
  fingerprint = \"9f2c…\"
  reason = \"its author agreed, see docs/permission.txt\"
  date = 2026-01-31
Settings can stand there, too. Their keys are the names of the flags without dashes. A flag on the
command line wins.

Exit codes: 0 success, 1 the policy denies a finding (without a policy: licenses are in conflict),
2 failure. The result is not legal advice.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    ensure!(
        arguments.notices.is_none() || arguments.notices != arguments.common.writing.output,
        "--notices and --output name the same file; name two different files"
    );
    let target = Place::of(arguments)?;
    let notices = arguments.notices.clone().map(|file| Target::new(Some(file)));
    target.check()?;
    notices.iter().try_for_each(Target::check)?;
    let progress = arguments.common.bar();
    let report = arguments.report(None, &progress)?;
    progress.finish();
    notes::nothing_read(report.summary.files, report.summary.skipped.len(), arguments.common.writing.quiet());
    target.write(&report, arguments)?;
    if let Some(notices) = notices {
        notices.write(|out| write_notices(&report, out))?;
    }
    Ok(ExitCode::from(u8::from(report.is_denied())))
}

/// Where the result goes, and how it is written there.
enum Place {
    Stream(Target, Format),
    Pages(HtmlTarget),
}

impl Place {
    fn of(arguments: &Arguments) -> anyhow::Result<Self> {
        let writing = &arguments.common.writing;
        Ok(match writing.format() {
            AuditFormat::Stream(format) => Self::Stream(writing.target(), format),
            AuditFormat::Html => {
                let output = writing.output.as_deref().context(html::NEEDS_PLACE)?;
                Self::Pages(HtmlTarget::new(output, writing.quiet()))
            }
        })
    }

    fn check(&self) -> anyhow::Result<()> {
        match self {
            Self::Stream(target, _) => target.check(),
            Self::Pages(target) => target.check(),
        }
    }

    fn write(&self, report: &AuditReport, arguments: &Arguments) -> anyhow::Result<()> {
        let (target, format) = match self {
            Self::Stream(target, format) => (target, *format),
            Self::Pages(target) => return target.write(report),
        };
        let style = Style {
            color: target.wants_color(),
            show: arguments.show.map_or(Style::default().show, |Show(show)| show),
            accepted: arguments.show_accepted,
        };
        let stamp = Stamp::of_environment(std::env::var("SOURCE_DATE_EPOCH").ok().as_deref());
        target.write(|out| write(report, format, style, stamp, out))
    }
}

/// What a PATH or a CORPUS stands for.
enum Meant {
    Corpus(PathBuf),
    Tree(PathBuf),
    /// Other sources, by their names.
    Sources(Vec<String>),
}

impl Arguments {
    /// The result. Where `code` is given, it takes the place of standard input.
    pub(crate) fn report(
        &self,
        code: Option<Vec<u8>>,
        progress: &dyn Progress,
    ) -> anyhow::Result<AuditReport> {
        ensure!(
            !self.against.is_empty(),
            "name what to compare with: --against CORPUS, which is a corpus or a source"
        );
        let mut work = Work { arguments: self, progress, folder: None };
        let decisions = self.decisions.as_deref().map(decisions::read).transpose()?.unwrap_or_default();
        let mut options = self.options(code, &mut work)?;
        options.policies = options.policies.with(&decisions);
        let mut report = audit::run(&options, progress)?;
        report.decisions = decisions;
        Ok(report)
    }

    fn options(&self, code: Option<Vec<u8>>, work: &mut Work<'_>) -> anyhow::Result<AuditOptions> {
        let mut options = AuditOptions {
            clones: self.clones(),
            against_names: self.against.clone(),
            include_trivial: self.include_trivial,
            ..AuditOptions::default()
        };
        if self.paths.iter().any(|path| path == "-") {
            ensure!(
                self.paths.len() == 1,
                "- stands for standard input, which is audited alone: leave out the other paths"
            );
            let most = self.common.resources.memory() as u64;
            let bytes = code.map_or_else(|| named::read_stdin(most).map_err(stdin_error), Ok)?;
            options.snippet = Some(Snippet { bytes, language: self.lang.first().copied() });
        } else {
            let mut sources = Vec::new();
            for path in &self.paths {
                match meant(path)? {
                    Meant::Corpus(folder) => options.corpora.push(folder),
                    Meant::Tree(tree) => options.trees.push(tree),
                    Meant::Sources(names) => sources.extend(names),
                }
            }
            options.corpora.extend(work.corpus_of(sources, Side::Audited)?);
        }
        options.policies = policy::of(&options.trees, options.snippet.is_some())?;
        let notes = notes::Notes { quiet: self.common.writing.quiet() };
        for text in policy::in_vain(&options.policies) {
            notes.warn(&text);
        }
        let mut sources = Vec::new();
        for name in &self.against {
            match meant(name)? {
                Meant::Corpus(folder) => options.against.push(folder),
                Meant::Tree(tree) => sources.push(spec::canonical(&tree.to_string_lossy())?),
                Meant::Sources(names) => sources.extend(names),
            }
        }
        options.against.extend(work.corpus_of(sources, Side::Against)?);
        Ok(options)
    }

    fn clones(&self) -> CloneOptions {
        let default = CloneOptions::default();
        CloneOptions {
            granularity: sorted(&self.granularity, &default.granularity),
            types: sorted(&self.types, &default.types),
            measure: self.measure.unwrap_or(default.measure),
            similarity: self.similarity,
            min_tokens: self.min_tokens,
            min_lines: self.min_lines.unwrap_or(default.min_lines),
            max_gap_tokens: self.max_gap_tokens.unwrap_or(default.max_gap_tokens),
            languages: self.lang.clone(),
            exclude: self.exclude.clone(),
            no_ignore: self.no_ignore,
            include_generated: self.include_generated,
            cross_language: self.cross_language,
            threads: self.common.resources.threads(),
            memory: self.common.resources.memory(),
            alignments: matches!(
                self.common.writing.format(),
                AuditFormat::Stream(Format::Json | Format::Ndjson)
            ),
            ..default
        }
    }
}

fn sorted<T: Ord + Clone>(given: &[T], default: &[T]) -> Vec<T> {
    let mut list = if given.is_empty() { default.to_vec() } else { given.to_vec() };
    list.sort();
    list.dedup();
    list
}

/// A corpus where there is one of this name; otherwise a source.
fn meant(text: &str) -> anyhow::Result<Meant> {
    let folder = corpora::folder(text).ok().filter(|folder| folder.join("manifest.json").is_file());
    if let Some(folder) = folder {
        match corpus::keeps_text(&folder) {
            Ok(_) => return Ok(Meant::Corpus(folder)),
            // Other programs have manifests too.
            Err(_) if !folder.join("tables").is_dir() => {}
            Err(error) => return Err(error.into()),
        }
    }
    let names = match spec::names(text)?.all() {
        Ok(names) => names,
        Err(error @ SourceError::Read { .. }) => {
            bail!(
                "{text} is neither a corpus nor a source{}: {error}; `familiar corpus list` names the corpora",
                corpora::suggestion(text)
            )
        }
        Err(error) => return Err(error.into()),
    };
    let path = if Path::new(text).exists() { text } else { text.strip_prefix("dir:").unwrap_or(text) };
    if matches!(names.as_slice(), [name] if name.starts_with("dir:")) && Path::new(path).exists() {
        return Ok(Meant::Tree(PathBuf::from(path)));
    }
    Ok(Meant::Sources(names))
}

/// What a source is read for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Audited,
    Against,
}

/// Makes corpora that are gone after the run.
struct Work<'a> {
    arguments: &'a Arguments,
    progress: &'a dyn Progress,
    folder: Option<WorkFolder>,
}

impl Work<'_> {
    /// The folder of a corpus of some sources, where there are any.
    fn corpus_of(&mut self, names: Vec<String>, side: Side) -> anyhow::Result<Option<PathBuf>> {
        if names.is_empty() {
            return Ok(None);
        }
        let CloneOptions { mut exclude, no_ignore, threads, memory, .. } = self.arguments.clones();
        if side == Side::Against {
            // The globs say what of PATH is left out.
            exclude.clear();
        }
        let walk = WalkOptions { exclude: exclude.clone(), no_ignore, threads };
        let source = |name: String| Ok((name.clone(), spec::source(&name, &walk)?));
        let work = match &mut self.folder {
            Some(work) => work,
            none => none.insert(WorkFolder::new()?),
        };
        let folder = work.path().join(if side == Side::Audited { "audited" } else { "against" });
        let options = AddOptions {
            folder: folder.clone(),
            sources: names.into_iter().map(source).collect::<Result<_, spec::SpecError>>()?,
            base: std::collections::BTreeSet::new(),
            exclude,
            text: true,
            reading: corpus::Reading { limits: Limits::default(), threads, memory },
        };
        let outcome = corpus::add(&options, self.progress)?;
        let failed: Vec<String> = outcome.failed.iter().map(ToString::to_string).collect();
        ensure!(failed.is_empty(), "{}", failed.join("\nfamiliar: "));
        Ok(Some(folder))
    }
}
