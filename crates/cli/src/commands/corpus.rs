//! `familiar corpus`: code that is kept, with where it stands and since when.

mod export;
mod remove;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Subcommand;
use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use familiar_corpus::dir::WalkOptions;
use familiar_corpus::{Limits, spec};
use familiar_engine::CloneOptions;
use familiar_engine::corpus::{
    self, AddOptions, Added, CorpusError, Info, Outcome, SourceInfo, UpdateOptions,
};
use familiar_model::Encoder;
use familiar_report::Format;

use crate::output::Target;
use crate::progress::{Bar, When};
use crate::{encoders, values};

/// Build and keep a corpus: code with where it stands and since when
///
/// CORPUS is a path, or a name in FAMILIAR_HOME (default: `familiar` in the platform's data folder).
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Add(Add),
    Update(Update),
    List,
    Info(InfoOf),
    Remove(remove::Arguments),
    Verify(Verify),
    Export(export::Arguments),
    Rebuild(Rebuild),
    Merge(MergeOf),
}

/// Add sources to a corpus, which is made where there is none
///
/// SOURCE is dir:, archive: (zip, tar, gz, xz, bz2, zst, 7z, wheel, jar), jsonl:, submissions: (one folder or archive per author),
/// docs: (rst, md, html), stackexchange: (Posts.xml, .7z or a folder, with PostHistory.xml), codenet: or git: (all commits of all branches
/// and tags), with a path behind it, for git: also a URL; a bare path is recognised. A source that is there already is read again. What cannot be read is listed by `corpus info --skips`.
///
/// pypi:NAME[==VERSION], npm:NAME[@VERSION] and crate:NAME[@VERSION] are packages of a registry, reached as pip, npm and the
/// environment's proxies are configured. Without a version it is the newest release, and `corpus update` looks for a newer one.
/// A release that is there already is not fetched again. list:FILE is a file with one SOURCE a line; what cannot be had is told
/// at the end, and the same command tries it again.
#[derive(clap::Args, Debug)]
#[command(after_help = ADD_EXAMPLES)]
struct Add {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[arg(value_name = "SOURCE", required_unless_present_any = ["base", "vectors"])]
    sources: Vec<String>,
    /// Add PATH as what was handed out: code that stands there too is nobody's copy
    #[arg(long, value_name = "PATH")]
    base: Vec<String>,
    /// Do not keep source text (only for a new corpus)
    #[arg(long)]
    no_text: bool,
    /// Make vectors of all functions, so that `find --types 4` finds what does the same and `clones --in` need not make them: by
    /// builtin, static (faster), weights:FILE, api:URL#MODEL, onnx:DIR; from then on they are made of what is added too, by the
    /// first two unasked
    #[arg(long, value_name = "ENCODER", num_args = 0..=1, require_equals = true, default_missing_value = "builtin")]
    vectors: Option<String>,
    #[command(flatten)]
    reading: Reading,
}

/// Read all sources of a corpus again, of git repositories only what is new, and add newer releases of packages
#[derive(clap::Args, Debug)]
struct Update {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    #[command(flatten)]
    reading: Reading,
}

#[derive(clap::Args, Debug)]
struct Reading {
    /// Leave out paths that match (as in .gitignore), of git: in all commits; updates leave them out too [default: none; of
    /// `update`: what each source leaves out]
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
    /// Take what .gitignore leaves out
    #[arg(long)]
    no_ignore: bool,
    /// Largest file that is read, also inside archives
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    max_file: Option<usize>,
    /// Most bytes that one archive may unpack to
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    max_archive: Option<usize>,
    /// How deep archives may stand in archives
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Largest file that is fetched from a registry
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    max_download: Option<usize>,
    /// Say nothing but errors
    #[arg(long)]
    quiet: bool,
    /// Show progress on stderr: auto (on a terminal), always, never [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = values::progress)]
    progress: Option<When>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Memory to stay within [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    memory: Option<usize>,
}

/// What a corpus holds
#[derive(clap::Args, Debug)]
struct InfoOf {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// List what was not read, and why
    #[arg(long)]
    skips: bool,
    /// text or json
    #[arg(long, value_name = "NAME", value_parser = values::text_or_json, default_value = "text")]
    format: Format,
}

/// Make everything that is looked up anew from the tables
///
/// Where `corpus verify` finds a segment damaged, or a new version makes fingerprints in another way. Needs the source text.
#[derive(clap::Args, Debug)]
struct Rebuild {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Memory to stay within [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    memory: Option<usize>,
    /// Say nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// Merge what a corpus was filled with one after another, and drop what stands nowhere any more
///
/// `add` and `update` merge many small parts by themselves.
#[derive(clap::Args, Debug)]
struct MergeOf {
    #[arg(value_name = "CORPUS")]
    corpus: String,
    /// Memory to stay within [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size)]
    memory: Option<usize>,
    /// Say nothing but errors
    #[arg(long)]
    quiet: bool,
}

/// Compare every file of a corpus with what was written
#[derive(clap::Args, Debug)]
struct Verify {
    #[arg(value_name = "CORPUS")]
    corpus: String,
}

const EXAMPLES: &str = "\
Examples:
  familiar corpus add world ~/src/project downloads/numpy-2.0.zip
  familiar corpus info world
  familiar corpus list";

const ADD_EXAMPLES: &str = "\
Examples:
  familiar corpus add world ~/src/project
  familiar corpus add ./corpus archive:downloads/numpy-2.0.zip stackexchange:dump/Posts.xml
  familiar corpus add world git:~/src/project        # with its history
  familiar corpus add class submissions:homework1 --base homework1-template
  familiar corpus add world pypi:numpy==2.0.0 npm:@babel/core crate:serde list:packages.txt";

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    match &arguments.what {
        What::Add(given) => add(given),
        What::Update(given) => update(given),
        What::List => list(),
        What::Info(given) => info(given),
        What::Remove(given) => remove::run(given),
        What::Verify(given) => verify(given),
        What::Export(given) => export::run(given),
        What::Merge(given) => {
            let memory = given.memory.unwrap_or(CloneOptions::default().memory);
            let progress = Bar::new(When::default(), given.quiet);
            let folder = folder(&given.corpus)?;
            corpus::merge(&folder, memory, &progress)?;
            make_vectors(&folder, None, 0, memory, &progress)?;
            progress.finish();
            Ok(ExitCode::SUCCESS)
        }
        What::Rebuild(given) => {
            let memory = given.memory.unwrap_or(CloneOptions::default().memory);
            let progress = Bar::new(When::default(), given.quiet);
            let folder = folder(&given.corpus)?;
            corpus::rebuild(&folder, given.threads, memory, &progress)?;
            make_vectors(&folder, None, given.threads, memory, &progress)?;
            progress.finish();
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Where corpora with names live.
pub(crate) fn home() -> Option<PathBuf> {
    match std::env::var_os("FAMILIAR_HOME") {
        Some(home) if !home.is_empty() => Some(PathBuf::from(home)),
        _ => Some(choose_native_strategy().ok()?.data_dir().join("familiar")),
    }
}

/// The folder of a corpus that the user names.
pub(crate) fn folder(name: &str) -> anyhow::Result<PathBuf> {
    Ok(corpus::folder(name, home().as_deref())?)
}

/// The encoder of that name, opened for so many threads, or whichever of ours made the vectors of the corpus in `folder`.
pub(crate) fn encoder(folder: &Path, name: Option<&str>, threads: usize) -> anyhow::Result<Arc<dyn Encoder>> {
    let made_by = corpus::vectors_made_by(folder)?;
    let ours = made_by.as_deref().and_then(encoders::made_by);
    match (name, ours, made_by) {
        (Some(name), ..) => encoders::open(name, threads),
        (None, Some(encoder), _) => Ok(encoder),
        (None, None, Some(made_by)) => anyhow::bail!(
            "the vectors of {} were made by {made_by:?}: name it with --encoder, or make them anew with `familiar corpus add CORPUS --vectors`",
            folder.display()
        ),
        (None, None, None) => Err(CorpusError::NoVectors { folder: folder.to_owned() }.into()),
    }
}

/// Makes the vectors that a corpus lacks, where it has vectors or is to have some.
fn make_vectors(
    folder: &Path,
    name: Option<&str>,
    threads: usize,
    memory: usize,
    progress: &Bar,
) -> anyhow::Result<()> {
    if name.is_none() && corpus::vectors_made_by(folder)?.is_none() {
        return Ok(());
    }
    let encoder = encoder(folder, name, threads).context("what is new has no vectors")?;
    Ok(corpus::make_vectors(folder, encoder.as_ref(), threads, memory, progress)?)
}

fn add(given: &Add) -> anyhow::Result<ExitCode> {
    let mut names: Vec<String> = Vec::new();
    for source in &given.sources {
        names.extend(spec::names(source)?);
    }
    let mut base = BTreeSet::new();
    for path in &given.base {
        let name = spec::canonical(path)?;
        let source = spec::source(&name, &WalkOptions::default())?;
        anyhow::ensure!(
            source.remote().is_none(),
            "--base {path}: what was handed out is a path, not a package"
        );
        base.insert(name);
    }
    names.retain(|name| !base.contains(name));
    names.splice(0..0, base.iter().cloned());
    let Reading { exclude, progress, quiet, .. } = &given.reading;
    let walk = given.reading.walk();
    let source = |name: String| Ok((name.clone(), spec::source(&name, &walk)?));
    let options = AddOptions {
        folder: folder(&given.corpus)?,
        sources: names.into_iter().map(source).collect::<Result<_, spec::SpecError>>()?,
        base,
        exclude: exclude.clone(),
        text: !given.no_text,
        reading: given.reading.options(),
    };
    let progress = Bar::new(progress.unwrap_or_default(), *quiet);
    let outcome =
        if options.sources.is_empty() { Outcome::default() } else { corpus::add(&options, &progress)? };
    let corpus::Reading { threads, memory, .. } = options.reading;
    let made = make_vectors(&options.folder, given.vectors.as_deref(), threads, memory, &progress);
    progress.finish();
    let code = tell(&outcome, *quiet)?;
    made?;
    Ok(code)
}

fn update(given: &Update) -> anyhow::Result<ExitCode> {
    let Reading { progress, quiet, .. } = &given.reading;
    let (walk, reading) = (given.reading.walk(), given.reading.options());
    let options = UpdateOptions { folder: folder(&given.corpus)?, walk, reading };
    let progress = Bar::new(progress.unwrap_or_default(), *quiet);
    let outcome = corpus::update(&options, &progress)?;
    let made = make_vectors(&options.folder, None, reading.threads, reading.memory, &progress);
    progress.finish();
    let code = tell(&outcome, *quiet)?;
    made?;
    Ok(code)
}

impl Reading {
    fn walk(&self) -> WalkOptions {
        WalkOptions { exclude: self.exclude.clone(), no_ignore: self.no_ignore, threads: self.threads }
    }

    fn options(&self) -> corpus::Reading {
        let default = Limits::default();
        let limits = Limits {
            item_bytes: self.max_file.map_or(default.item_bytes, |bytes| bytes as u64),
            archive_bytes: self.max_archive.map_or(default.archive_bytes, |bytes| bytes as u64),
            archive_depth: self.max_depth.unwrap_or(default.archive_depth),
            download_bytes: self.max_download.map_or(default.download_bytes, |bytes| bytes as u64),
            ..default
        };
        let memory = self.memory.unwrap_or(CloneOptions::default().memory);
        corpus::Reading { limits, threads: self.threads, memory }
    }
}

/// Says what became of each source; what could not be read is an error.
fn tell(outcome: &Outcome, quiet: bool) -> anyhow::Result<ExitCode> {
    if !quiet {
        print(|out| {
            outcome.added.iter().try_for_each(|added| write_added(out, added))?;
            match outcome.held {
                0 => Ok(()),
                1 => writeln!(out, "1 release is there already"),
                held => writeln!(out, "{held} releases are there already"),
            }
        })?;
    }
    let failed: Vec<String> = outcome.failed.iter().map(ToString::to_string).collect();
    if failed.is_empty() { Ok(ExitCode::SUCCESS) } else { anyhow::bail!("{}", failed.join("\nfamiliar: ")) }
}

fn write_added(out: &mut dyn Write, added: &Added) -> io::Result<()> {
    let Added { source, bytes, occurrences, blobs, fragments, license_files, not_code, skips } = added;
    writeln!(out, "{source}")?;
    let megabytes = *bytes as f64 / 1e6;
    writeln!(
        out,
        "  {occurrences} files of code, {blobs} of them new ({fragments} fragments), {megabytes:.1} MB read"
    )?;
    if *license_files > 0 {
        writeln!(out, "  {license_files} files say something of licenses")?;
    }
    if *not_code > 0 {
        writeln!(out, "  {not_code} files are no code")?;
    }
    if *skips > 0 {
        writeln!(out, "  {skips} left out; `familiar corpus info CORPUS --skips` says why")?;
    }
    Ok(())
}

fn list() -> anyhow::Result<ExitCode> {
    let home = home().ok_or(corpus::NoHome)?;
    let names = corpus::list(&home).with_context(|| format!("cannot read {}", home.display()))?;
    print(|out| names.iter().try_for_each(|name| writeln!(out, "{name}")))?;
    Ok(ExitCode::SUCCESS)
}

fn info(given: &InfoOf) -> anyhow::Result<ExitCode> {
    let folder = folder(&given.corpus)?;
    if given.skips {
        let mut lines = Vec::new();
        corpus::skips(&folder, |source, skip| lines.push((source.to_owned(), skip)))?;
        print(|out| {
            lines.iter().try_for_each(|(source, skip)| match given.format {
                Format::Json => {
                    let row = serde_json::json!({"source": source, "path": skip.path, "reason": skip.reason});
                    writeln!(out, "{row}")
                }
                _ => writeln!(out, "{source} {}: {}", familiar_report::printable(&skip.path), skip.reason),
            })
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    let info = corpus::info(&folder)?;
    print(|out| match given.format {
        Format::Json => {
            serde_json::to_writer_pretty(&mut *out, &info)?;
            writeln!(out)
        }
        _ => write_info(out, &info),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Most lines of a list in the text.
const LISTED: usize = 20;

fn write_info(out: &mut dyn Write, info: &Info) -> io::Result<()> {
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let Info { generation, blobs, occurrences, fragments, lines, license_files, skips, .. } = info;
    writeln!(out, "{blobs} blobs ({:.1} MB, {lines} lines) at {occurrences} places", megabytes(info.bytes))?;
    writeln!(
        out,
        "{fragments} fragments, {license_files} license files, {skips} left out, generation {generation}"
    )?;
    writeln!(
        out,
        "{:.1} MB on disk, {:.1} of them source text",
        megabytes(info.disk_bytes),
        megabytes(info.text_bytes)
    )?;
    if let Some(encoder) = &info.vectors {
        writeln!(out, "vectors of functions by {encoder}")?;
    }
    let mut languages: Vec<_> = info.languages.iter().collect();
    languages.sort_by_key(|(name, count)| (std::cmp::Reverse(**count), **name));
    let languages: Vec<String> = languages.iter().map(|(name, count)| format!("{name} {count}")).collect();
    writeln!(out, "languages: {}", languages.join(", "))?;
    writeln!(out, "sources:")?;
    for source in info.sources.iter().take(LISTED) {
        let base = if source.base { ", handed out" } else { "" };
        let SourceInfo { source, occurrences, skips, without, exclude, .. } = source;
        write!(out, "  {source} ({occurrences} places, {skips} left out{base}")?;
        if !without.is_empty() {
            write!(out, ", without {}", familiar_report::printable(&without.join(", ")))?;
        }
        if !exclude.is_empty() {
            write!(out, ", --exclude {}", familiar_report::printable(&exclude.join(", ")))?;
        }
        writeln!(out, ")")?;
    }
    rest(out, info.sources.len())?;
    writeln!(out, "projects:")?;
    for project in info.projects.iter().take(LISTED) {
        writeln!(out, "  {} ({})", familiar_report::printable(&project.project), project.occurrences)?;
    }
    rest(out, info.projects.len())
}

fn rest(out: &mut dyn Write, count: usize) -> io::Result<()> {
    if count > LISTED { writeln!(out, "  and {} more (--format json)", count - LISTED) } else { Ok(()) }
}

fn verify(given: &Verify) -> anyhow::Result<ExitCode> {
    let damage = corpus::verify(&folder(&given.corpus)?)?;
    if damage.is_empty() {
        print(|out| writeln!(out, "every file is as it was written"))?;
        return Ok(ExitCode::SUCCESS);
    }
    print(|out| damage.iter().try_for_each(|damage| writeln!(out, "{}: {}", damage.file, damage.reason)))?;
    anyhow::bail!(
        "{} files are damaged; `familiar corpus rebuild` mends segments, for tables add their sources again to a new corpus",
        damage.len()
    )
}

fn print(render: impl Fn(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    Target::Stdout.write(render)
}
