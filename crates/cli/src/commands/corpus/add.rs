//! `familiar corpus add` and `familiar corpus update`: sources into a corpus.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::process::ExitCode;

use familiar_corpus::{Limits, SourceError, spec};
use familiar_engine::Progress;
use familiar_files::dir::WalkOptions;
use familiar_library::{self as corpus, AddOptions, Added, CorpusError, Outcome, UpdateOptions};
use familiar_report::{about, counted, printable};
use serde_json::{Value, json};

use super::change;
use crate::common::Common;
use crate::corpora::{existing, folder, make_vectors};
use crate::formats::TextOrJson;
use crate::notes::Notes;
use crate::values;

/// Add sources to a corpus. The corpus is created if it does not exist.
///
/// SOURCE is dir:, archive: (zip, tar, gz, xz, bz2, zst, 7z, wheel, jar), jsonl:, submissions: (one folder or archive for each author),
/// docs: (rst, md, html), stackexchange: (Posts.xml, .7z or a folder, with PostHistory.xml), codenet: or git: (all commits of all
/// branches and tags), with a path after the colon. git: also takes a URL. Without the word and the colon, Familiar recognizes the
/// kind by the path. It reads a source again that is already in the corpus. `corpus info --skips` lists what it could not read.
///
/// pypi:NAME[==VERSION], npm:NAME[@VERSION] and crate:NAME[@VERSION] are packages of a registry. Familiar reaches the registries with
/// the configuration of pip and npm and the proxy variables of the environment. Without a version it takes the newest release, and
/// `corpus update` looks for newer ones. It does not fetch a release again that is already in the corpus. list:FILE names a file with
/// one SOURCE a line. The command names the sources that failed at its end. Run it again to try them again.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// What to add
    #[arg(value_name = "SOURCE", required_unless_present_any = ["base", "vectors"])]
    sources: Vec<String>,
    /// Add PATH as template code that was handed out. Copies of it are ignored
    #[arg(long, value_name = "PATH")]
    base: Vec<String>,
    /// Do not keep the source text (for a new corpus only)
    #[arg(long)]
    no_text: bool,
    /// Make vectors of all functions. `find --types 4` needs them, and `clones --in CORPUS --types 4` is faster with them. ENCODER is
    /// builtin, static (faster), weights:FILE, api:URL#MODEL or onnx:DIR. With builtin or static, code that is added later gets vectors
    /// without this flag
    #[arg(long, value_name = "ENCODER", num_args = 0..=1, require_equals = true, default_missing_value = "builtin")]
    vectors: Option<String>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

/// Read all sources of a corpus again, and add newer releases of its packages.
///
/// Of git repositories only new commits are read.
#[derive(clap::Args, Debug)]
#[command(after_long_help = "Examples:\n  familiar corpus update world")]
pub(super) struct Update {
    /// The corpus: a name or a path
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    common: Common<TextOrJson>,
}

#[derive(clap::Args, Debug)]
struct Reading {
    /// Leave out paths that match the glob, written as in .gitignore. In a git repository the glob applies to all commits. Later updates
    /// leave out the same paths. May be repeated [default: none; for `update`: the globs with which each source was read]
    #[arg(long, value_name = "GLOB", help_heading = READING)]
    exclude: Vec<String>,
    /// Also read files that .gitignore leaves out
    #[arg(long, help_heading = READING)]
    no_ignore: bool,
    /// Limit for the size of one file, also inside archives [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = READING)]
    max_file: Option<usize>,
    /// Limit for what one archive may unpack to [default: 64GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = READING)]
    max_archive: Option<usize>,
    /// Limit for the depth of archives inside archives [default: 4]
    #[arg(long, value_name = "N", help_heading = READING)]
    max_depth: Option<u32>,
    /// Limit for the size of one download from a registry [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = READING)]
    max_download: Option<usize>,
}

const READING: &str = "What is read";

const EXAMPLES: &str = "\
Examples:
  familiar corpus add world ~/src/project
  familiar corpus add ./corpus archive:downloads/numpy-2.0.zip stackexchange:dump/Posts.xml
  familiar corpus add world git:~/src/project
      With its history
  familiar corpus add class submissions:homework1 --base homework1-template
      Submissions of students. Template code is ignored
  familiar corpus add world pypi:numpy==2.0.0 npm:@babel/core crate:serde list:packages.txt";

pub(super) fn run(given: &Arguments) -> anyhow::Result<ExitCode> {
    given.common.writing.target().check()?;
    let (options, missing) = given.options()?;
    let progress = given.common.bar();
    given.say_what_has_no_effect(&options);
    let outcome = or_told(add(&options, missing, &progress), &given.corpus, &given.common)?;
    let made = make_vectors(&options.folder, given.vectors.as_deref(), given.common.resources, &progress);
    progress.finish();
    let code = tell(&outcome, &given.corpus, &given.common)?;
    made?;
    Ok(code)
}

/// Adds the sources; those that are `missing` failed before.
fn add(options: &AddOptions, missing: Vec<SourceError>, progress: &dyn Progress) -> anyhow::Result<Outcome> {
    let is_empty = options.sources.is_empty();
    let mut outcome = if is_empty { Outcome::default() } else { corpus::add(options, progress)? };
    outcome.failed.splice(0..0, missing);
    Ok(outcome)
}

pub(super) fn update(given: &Update) -> anyhow::Result<ExitCode> {
    given.common.writing.target().check()?;
    let walk = given.reading.walk(given.common.resources.threads());
    let reading = given.reading.options(&given.common);
    let options = UpdateOptions { folder: existing(&given.corpus)?, walk, reading };
    let progress = given.common.bar();
    let outcome =
        or_told(corpus::update(&options, &progress).map_err(Into::into), &given.corpus, &given.common)?;
    let made = make_vectors(&options.folder, None, given.common.resources, &progress);
    progress.finish();
    let code = tell(&outcome, &given.corpus, &given.common)?;
    made?;
    Ok(code)
}

impl Arguments {
    /// Adds the sources, and tells what was done. What could not be read is an error; the rest stands in the corpus then.
    pub(crate) fn added(&self, progress: &dyn Progress) -> anyhow::Result<Value> {
        let (options, missing) = self.options()?;
        let outcome = add(&options, missing, progress)?;
        make_vectors(&options.folder, self.vectors.as_deref(), self.common.resources, progress)?;
        anyhow::ensure!(outcome.failed.is_empty(), "{}", failed(&outcome).join("\n"));
        let added: Vec<Value> = outcome.added.iter().map(row).collect();
        Ok(json!({"added": added, "held": outcome.held}))
    }

    /// How sources are added, and those that cannot be read.
    fn options(&self) -> anyhow::Result<(AddOptions, Vec<SourceError>)> {
        let (mut names, mut missing) = (Vec::new(), Vec::new());
        for source in &self.sources {
            let named = spec::names(source)?;
            names.extend(named.names);
            missing.extend(named.failed);
        }
        let base = self.base()?;
        let folder = folder(&self.corpus)?;
        anyhow::ensure!(
            !self.no_text || !corpus::keeps_text(&folder).unwrap_or(false),
            "{} keeps its source text, and --no-text is for new corpora only; name a new corpus, or leave out --no-text",
            self.corpus
        );
        names.retain(|name| !base.contains(name));
        names.splice(0..0, base.iter().cloned());
        let walk = self.reading.walk(self.common.resources.threads());
        let source = |name: String| Ok((name.clone(), spec::source(&name, &walk)?));
        let options = AddOptions {
            folder,
            sources: names.into_iter().map(source).collect::<Result<_, spec::SpecError>>()?,
            base,
            exclude: self.reading.exclude.clone(),
            text: !self.no_text,
            reading: self.reading.options(&self.common),
        };
        Ok((options, missing))
    }

    /// Says which sources take no globs.
    fn say_what_has_no_effect(&self, options: &AddOptions) {
        let notes = Notes { quiet: self.common.writing.quiet() };
        if self.reading.exclude.is_empty() {
            return;
        }
        let mut takes_none = options.sources.iter().filter(|(_, source)| source.exclude().is_empty());
        let Some((first, _)) = takes_none.next() else { return };
        let text = match takes_none.count() {
            0 => format!("{first}: --exclude has no effect here, since it is always taken whole"),
            1 => format!(
                "{first} and 1 other: --exclude has no effect here, since they are always taken whole"
            ),
            others => {
                format!(
                    "{first} and {others} others: --exclude has no effect here, since they are always taken whole"
                )
            }
        };
        notes.warn(&text);
    }

    /// The names of what was handed out.
    fn base(&self) -> anyhow::Result<BTreeSet<String>> {
        let mut base = BTreeSet::new();
        for path in &self.base {
            let name = spec::canonical(path)?;
            let source = spec::source(&name, &WalkOptions::default())?;
            anyhow::ensure!(
                source.remote().is_none(),
                "--base {path}: template code has to be a path; it cannot be a package"
            );
            base.insert(name);
        }
        Ok(base)
    }
}

impl Reading {
    fn walk(&self, threads: usize) -> WalkOptions {
        WalkOptions { exclude: self.exclude.clone(), no_ignore: self.no_ignore, threads }
    }

    fn options(&self, common: &Common<TextOrJson>) -> corpus::Reading {
        let default = Limits::default();
        let limits = Limits {
            item_bytes: self.max_file.map_or(default.item_bytes, |bytes| bytes as u64),
            archive_bytes: self.max_archive.map_or(default.archive_bytes, |bytes| bytes as u64),
            archive_depth: self.max_depth.unwrap_or(default.archive_depth),
            download_bytes: self.max_download.map_or(default.download_bytes, |bytes| bytes as u64),
            ..default
        };
        corpus::Reading { limits, threads: common.resources.threads(), memory: common.resources.memory() }
    }
}

/// The outcome. Where an error ended the work, what was added before it is told first.
fn or_told(
    outcome: anyhow::Result<Outcome>,
    corpus: &str,
    common: &Common<TextOrJson>,
) -> anyhow::Result<Outcome> {
    outcome.map_err(|error| match error.downcast::<CorpusError>() {
        Ok(CorpusError::After { outcome, source }) => {
            // The error is told all the same.
            let _ = tell(&outcome, corpus, common);
            (*source).into()
        }
        Ok(error) => error.into(),
        Err(error) => error,
    })
}

/// Says what became of each source; what could not be read is an error.
fn tell(outcome: &Outcome, corpus: &str, common: &Common<TextOrJson>) -> anyhow::Result<ExitCode> {
    let failed = failed(outcome);
    let added: Vec<_> = outcome.added.iter().map(row).collect();
    let done = [("added", added.into()), ("held", outcome.held.into()), ("failed", failed.clone().into())];
    change::say(&common.writing, &done, |out| {
        outcome.added.iter().try_for_each(|added| write_added(out, added, corpus))?;
        match outcome.held {
            0 => Ok(()),
            1 => writeln!(out, "1 source brings nothing new: its release is already in the corpus"),
            held => {
                writeln!(out, "{held} sources bring nothing new: their releases are already in the corpus")
            }
        }
    })?;
    let is_empty = |added: &&Added| added.occurrences == 0 && !added.continues;
    for Added { source, .. } in outcome.added.iter().filter(is_empty) {
        let notes = Notes { quiet: common.writing.quiet() };
        notes.warn(&format!("{source}: 0 files of code were read; check the path, --exclude and .gitignore"));
    }
    if failed.is_empty() { Ok(ExitCode::SUCCESS) } else { anyhow::bail!("{}", failed.join("\nfamiliar: ")) }
}

fn failed(outcome: &Outcome) -> Vec<String> {
    outcome.failed.iter().map(ToString::to_string).collect()
}

fn row(added: &Added) -> Value {
    let Added { source, bytes, occurrences, blobs, fragments, license_files, not_code, skips, .. } = added;
    let ignored_lines = added.ignored_lines;
    json!({
        "source": source, "bytes": bytes, "occurrences": occurrences, "blobs": blobs, "fragments": fragments,
        "license_files": license_files, "not_code": not_code, "skips": skips, "ignored_lines": ignored_lines,
    })
}

fn write_added(out: &mut dyn Write, added: &Added, corpus: &str) -> io::Result<()> {
    let Added { source, bytes, occurrences, blobs, fragments, license_files, not_code, skips, .. } = added;
    writeln!(out, "{}", printable(source))?;
    writeln!(
        out,
        "  {}, {blobs} of them new to the corpus ({}), {} read",
        counted(*occurrences, "file of code"),
        counted(*fragments, "fragment"),
        about(*bytes)
    )?;
    if *license_files > 0 {
        writeln!(out, "  {} about licenses", counted(*license_files, "file"))?;
    }
    if *not_code > 0 {
        writeln!(out, "  {} without code", counted(*not_code, "file"))?;
    }
    if added.ignored_lines > 0 {
        writeln!(out, "  {} left out (familiar:ignore comments)", counted(added.ignored_lines, "line"))?;
    }
    if *skips > 0 {
        writeln!(
            out,
            "  {} left out; `familiar corpus info {corpus} --skips` says why",
            counted(*skips, "file")
        )?;
    }
    Ok(())
}
