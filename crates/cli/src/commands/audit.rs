//! `familiar audit`: may the code be here that also stands elsewhere?

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use familiar_corpus::dir::WalkOptions;
use familiar_corpus::{Limits, spec};
use familiar_engine::audit::{self, AuditOptions, Snippet};
use familiar_engine::corpus::{self as corpora, AddOptions};
use familiar_engine::{CloneOptions, Measure};
use familiar_report::audit::{AuditReport, Format, Stamp, Style, write, write_notices};
use familiar_source::{FragmentKind, Language};

use super::{corpus, decisions};
use crate::html::{self, HtmlTarget};
use crate::output::{Target, WorkFolder};
use crate::policy;
use crate::progress::{Bar, When};
use crate::values::{self, AuditFormat, Show};

/// May the code be here that also stands elsewhere?
///
/// Lists the code in PATH that stands in the corpora too, with the licenses of both sides and how they are known, whether it may
/// be here, whether it says where it is from, and what to do. Exits with 1 where the policy in familiar.toml denies some of it;
/// without one, where licenses are in conflict.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folders, files or other sources as of `familiar corpus add`, corpora, or - for standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    /// Corpora to compare with, by name or path; or sources as of `familiar corpus add`, which are read for this run alone
    #[arg(long, value_name = "CORPUS", num_args = 1..)]
    against: Vec<String>,

    /// What is compared: file, class, function, block, run [default: function,run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::granularity, help_heading = FINDING)]
    granularity: Vec<FragmentKind>,
    /// Clone types: 1 equal, 2 equal but for names and values, 3 edited [default: 1,2,3]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::clone_type, help_heading = FINDING)]
    types: Vec<u8>,
    /// How alike edited fragments are: aligned, token-overlap [default: aligned]
    #[arg(long, value_name = "NAME", value_parser = values::measure, help_heading = FINDING)]
    measure: Option<Measure>,
    /// Least similarity of a Type-3 pair [default: the measure's own]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    similarity: Option<f64>,
    /// Fewest tokens of a fragment or run [default: 50; of standard input as many as it has]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_tokens: Option<u32>,
    /// Fewest lines of a fragment or run [default: 5]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_lines: Option<u32>,
    /// Merge neighbouring runs over gaps of up to N tokens (Type-3) [default: 10]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    max_gap_tokens: Option<u32>,
    /// Compare fragments of different languages too
    #[arg(long, help_heading = FINDING)]
    cross_language: bool,
    /// Report short and ubiquitous code, texts of licenses and lists of imports too
    #[arg(long, help_heading = FINDING)]
    include_trivial: bool,

    /// Only these languages; of standard input: its language
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language, help_heading = INPUT)]
    lang: Vec<Language>,
    /// Leave out what the glob matches (as in .gitignore); may be repeated
    #[arg(long, value_name = "GLOB", help_heading = INPUT)]
    exclude: Vec<String>,
    /// Search what .gitignore leaves out
    #[arg(long, help_heading = INPUT)]
    no_ignore: bool,
    /// Search generated and minified files
    #[arg(long, help_heading = INPUT)]
    include_generated: bool,

    /// text, json, ndjson, csv, sarif, spdx-json, cyclonedx, html (pages to browse) [default: text]
    #[arg(long, value_name = "NAME", value_parser = values::audit_format, help_heading = OUTPUT)]
    format: Option<AuditFormat>,
    /// Write to a file, whole or not at all; html to a folder, or to one page where the name ends in .html
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Findings in text: a number, or all [default: 20]
    #[arg(long, value_name = "N|all", value_parser = values::show, help_heading = OUTPUT)]
    show: Option<Show>,
    /// Accept what was decided to be accepted or no copy (see familiar decisions)
    #[arg(long, value_name = "FILE", help_heading = FINDING)]
    decisions: Option<PathBuf>,
    /// Show the findings that the policy accepts, too
    #[arg(long, help_heading = OUTPUT)]
    show_accepted: bool,
    /// Write the notices that the code obliges to which may be here
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    notices: Option<PathBuf>,
    /// Say nothing on stderr but errors
    #[arg(long, short, help_heading = OUTPUT)]
    quiet: bool,
    /// Show progress on stderr: auto (on a terminal), always, never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = values::progress, help_heading = OUTPUT)]
    progress: Option<When>,

    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    threads: Option<usize>,
    /// Memory to stay within, such as 512M or 2GiB; at least 64M [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = RESOURCES)]
    memory: Option<usize>,
}

const FINDING: &str = "What is found";
const INPUT: &str = "What is audited";
const OUTPUT: &str = "Output";
const RESOURCES: &str = "Resources";

const EXAMPLES: &str = "\
Examples:
  familiar audit . --against world
      What of this tree stands in the corpus, under which licenses, and may it be here?
  familiar audit - --lang python --against world < snippet.py
      The same of a paste, or of what an assistant wrote
  familiar audit src --against pypi:requests dir:vendor/old
      Against sources that are in no corpus
  familiar audit . --against world --format sarif --output audit.sarif
      For a code review; also json, csv, spdx-json, cyclonedx
  familiar audit . --against world --format html --output report
      Pages to browse: open report/index.html
  familiar audit . --against world --notices NOTICE
      The notices that the code obliges to which may be here

Policy stands under [audit] in the familiar.toml beside PATH or above:
  [audit]
  license = \"MIT\"                     what the project goes out under, whatever its files say
  allowed = [\"MIT\", \"BSD-*\", \"Apache-2.0\"]
  denied = [\"AGPL-*\"]
  fail = [\"contested\", \"attribution\"]   also unknown, laundering; conflicts and what is denied always fail
  [[audit.path]]
  paths = [\"vendor/**\"]
  allowed = [\"*\"]
  [[audit.accepted]]
  fingerprint = \"9f2c…\"
  reason = \"its author agreed, see docs/permission.txt\"
  date = 2026-01-31
Settings may stand there too: the flags' names, without dashes in front. A flag wins.

Exit codes: 0 done, 1 denied by the policy (without one: a conflict), 2 failure. Nothing of this is legal advice.";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    ensure!(
        !arguments.against.is_empty(),
        "nothing to audit against: name a corpus or a source with --against"
    );
    ensure!(
        arguments.notices.is_none() || arguments.notices != arguments.output,
        "--notices and --output name the same file; give them different ones"
    );
    let target = Place::of(arguments)?;
    let notices = arguments.notices.clone().map(|file| Target::new(Some(file)));
    target.check()?;
    notices.iter().try_for_each(Target::check)?;
    let progress = Bar::new(arguments.progress.unwrap_or_default(), arguments.quiet);
    let mut work = Work { arguments, progress: &progress, folder: None };
    let decisions = arguments.decisions.as_deref().map(decisions::read).transpose()?.unwrap_or_default();
    let mut options = arguments.options(&mut work)?;
    options.policies = options.policies.with(&decisions);
    let mut report = audit::run(&options, &progress)?;
    report.decisions = decisions;
    progress.finish();
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
        let output = arguments.output.as_deref();
        Ok(match arguments.format.unwrap_or(AuditFormat::Stream(Format::default())) {
            AuditFormat::Stream(format) => Self::Stream(Target::new(output.map(Path::to_owned)), format),
            AuditFormat::Html => Self::Pages(HtmlTarget::new(output.context(html::NEEDS_PLACE)?)),
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
enum Named {
    Corpus(PathBuf),
    Tree(PathBuf),
    /// Other sources, by their names.
    Sources(Vec<String>),
}

impl Arguments {
    fn options(&self, work: &mut Work<'_>) -> anyhow::Result<AuditOptions> {
        let mut options = AuditOptions {
            clones: self.clones(),
            against_names: self.against.clone(),
            include_trivial: self.include_trivial,
            ..AuditOptions::default()
        };
        if self.paths.iter().any(|path| path == "-") {
            ensure!(
                self.paths.len() == 1,
                "- stands for standard input, which is audited by itself: leave out the other paths"
            );
            let mut bytes = Vec::new();
            io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
            options.snippet = Some(Snippet { bytes, language: self.lang.first().copied() });
        } else {
            let mut sources = Vec::new();
            for path in &self.paths {
                match named(path)? {
                    Named::Corpus(folder) => options.corpora.push(folder),
                    Named::Tree(tree) => options.trees.push(tree),
                    Named::Sources(names) => sources.extend(names),
                }
            }
            options.corpora.extend(work.corpus_of(sources, "audited")?);
        }
        options.policies = policy::of(&options.trees, options.snippet.is_some())?;
        let mut sources = Vec::new();
        for name in &self.against {
            match named(name)? {
                Named::Corpus(folder) => options.against.push(folder),
                Named::Tree(tree) => sources.push(spec::canonical(&tree.to_string_lossy())?),
                Named::Sources(names) => sources.extend(names),
            }
        }
        options.against.extend(work.corpus_of(sources, "against")?);
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
            threads: self.threads.unwrap_or(default.threads),
            memory: self.memory.unwrap_or(default.memory),
            alignments: matches!(self.format, Some(AuditFormat::Stream(Format::Json | Format::Ndjson))),
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
fn named(text: &str) -> anyhow::Result<Named> {
    let folder = corpus::folder(text).ok().filter(|folder| folder.join("manifest.json").is_file());
    if let Some(folder) = folder {
        match corpora::keeps_text(&folder) {
            Ok(_) => return Ok(Named::Corpus(folder)),
            // Other programs have manifests too.
            Err(_) if !folder.join("tables").is_dir() => {}
            Err(error) => return Err(error.into()),
        }
    }
    let names = match spec::names(text) {
        Ok(names) => names,
        Err(error @ spec::SpecError::Read { .. }) => {
            bail!(
                "{text} is neither a corpus nor a source: {error}; `familiar corpus list` names the corpora"
            )
        }
        Err(error) => return Err(error.into()),
    };
    let path = if Path::new(text).exists() { text } else { text.strip_prefix("dir:").unwrap_or(text) };
    if matches!(names.as_slice(), [name] if name.starts_with("dir:")) && Path::new(path).exists() {
        return Ok(Named::Tree(PathBuf::from(path)));
    }
    Ok(Named::Sources(names))
}

/// Makes corpora that are gone after the run.
struct Work<'a> {
    arguments: &'a Arguments,
    progress: &'a Bar,
    folder: Option<WorkFolder>,
}

impl Work<'_> {
    /// The folder of a corpus of some sources, where there are any.
    fn corpus_of(&mut self, names: Vec<String>, what: &str) -> anyhow::Result<Option<PathBuf>> {
        if names.is_empty() {
            return Ok(None);
        }
        let CloneOptions { exclude, no_ignore, threads, memory, .. } = self.arguments.clones();
        let walk = WalkOptions { exclude: exclude.clone(), no_ignore, threads };
        let source = |name: String| Ok((name.clone(), spec::source(&name, &walk)?));
        let work = match &mut self.folder {
            Some(work) => work,
            none => none.insert(WorkFolder::new()?),
        };
        let folder = work.path().join(what);
        let options = AddOptions {
            folder: folder.clone(),
            sources: names.into_iter().map(source).collect::<Result<_, spec::SpecError>>()?,
            base: std::collections::BTreeSet::new(),
            exclude,
            text: true,
            reading: corpora::Reading { limits: Limits::default(), threads, memory },
        };
        let outcome = corpora::add(&options, self.progress)?;
        let failed: Vec<String> = outcome.failed.iter().map(ToString::to_string).collect();
        ensure!(failed.is_empty(), "{}", failed.join("\nfamiliar: "));
        Ok(Some(folder))
    }
}
