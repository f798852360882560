//! The process that does one job: it reads a task, says on standard output how far it is, and leaves its result in a folder.
//!
//! A job has a process of its own so that it can be ended at any moment, and so that whatever it does to its memory, the server
//! stays. It ends by itself when the server does: then its standard input is closed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use familiar_audit::AuditOptions;
use familiar_audit::license::{self, LicenseInput, LicenseOptions};
use familiar_audit::policy::{Policies, Policy};
use familiar_corpus::archive::Archive;
use familiar_corpus::dir::WalkOptions;
use familiar_corpus::{Limits, spec};
use familiar_engine::{CloneOptions, Progress, clones};
use familiar_library::{self as corpus, AddOptions, Extent, Outcome, Reading, UpdateOptions};
use familiar_license::Expression;
use familiar_model::{Builtin, Encoder, Stage};
use familiar_report::audit::{AuditReport, Decision};
use familiar_report::html::{self, LicensePages, Shown};
use familiar_report::license::LicenseWriter;
use familiar_report::{CloneReport, Format, Style, audit};
use familiar_source::FragmentKind;

mod apprentices;

use apprentices::{Apprentices, words, write_excerpt};

use crate::tasks::{Audit, AuditCounts, Bounds, Clones, Found, Layout, News, Task, What};

/// What a job's folder holds.
pub(crate) const TASK: &str = "task.json";
pub(crate) const RESULT: &str = "result";
/// What the peers answered, where some take part.
pub(crate) const PEERS: &str = "peers.json";
/// In the folder of a result: the report to browse.
pub(crate) const REPORT: &str = "report";

/// The formats in which the results of each kind are kept, and the names of their files.
const CLONES: [(Format, &str); 6] = [
    (Format::Json, "clones.json"),
    (Format::Csv, "clones.csv"),
    (Format::Ndjson, "clones.ndjson"),
    (Format::Markdown, "clones.md"),
    (Format::Sarif, "clones.sarif"),
    (Format::Gitlab, "clones.gitlab.json"),
];
const AUDIT: [(audit::Format, &str); 7] = [
    (audit::Format::Text, "audit.txt"),
    (audit::Format::Json, "audit.json"),
    (audit::Format::Csv, "audit.csv"),
    (audit::Format::Ndjson, "audit.ndjson"),
    (audit::Format::Sarif, "audit.sarif"),
    (audit::Format::SpdxJson, "audit.spdx.json"),
    (audit::Format::CycloneDx, "audit.cdx.json"),
];
const LICENSES: [(Format, &str); 4] = [
    (Format::Text, "licenses.txt"),
    (Format::Json, "licenses.json"),
    (Format::Csv, "licenses.csv"),
    (Format::Ndjson, "licenses.ndjson"),
];

/// The file that holds a result of some kind in a format.
pub(crate) fn file_of(kind: &str, format: &str) -> Option<&'static str> {
    let plain = |all: &[(Format, &'static str)]| {
        all.iter().find(|(known, _)| known.name() == format).map(|&(_, name)| name)
    };
    match kind {
        "clones" => plain(&CLONES),
        "audit" => AUDIT.iter().find(|(known, _)| known.name() == format).map(|&(_, name)| name),
        "licenses" => plain(&LICENSES),
        _ => None,
    }
    .or_else(|| (format == "excerpt").then_some(EXCERPT))
}

/// What is left for a server that asked for it.
const EXCERPT: &str = "excerpt.ndjson.zst";

/// Most pairs of one class in the formats that enumerate them.
const MOST_PAIRS_PER_CLASS: u64 = 1000;

/// Why a job failed, in words for who asked for it.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Does the job in `folder`. What becomes of it is said on standard output.
pub fn run(folder: &Path) -> io::Result<()> {
    end_with_the_server();
    let news = Telling::default();
    let outcome = std::fs::read(folder.join(TASK))
        .map_err(Failure::from)
        .and_then(|bytes| Ok(serde_json::from_slice::<Task>(&bytes)?))
        .and_then(|task| perform(&task, folder, &news));
    say(&match outcome {
        Ok(found) => News::Finished(found),
        Err(error) => News::Failed(error.to_string()),
    })
}

/// Ends this process when standard input ends: whoever started it is gone.
fn end_with_the_server() {
    std::thread::spawn(|| {
        let _ended = io::stdin().read(&mut [0]);
        std::process::exit(1);
    });
}

fn perform(task: &Task, folder: &Path, news: &Telling) -> Result<Option<Found>, Failure> {
    let Task { what, bounds } = task;
    match what {
        What::Clones(wanted) => find_clones(wanted, *bounds, folder, news).map(Some),
        What::Audit(wanted) => audit_uploads(wanted, *bounds, folder, news).map(Some),
        What::Licenses { upload } => read_licenses(upload, *bounds, folder, news).map(Some),
        What::CorpusAdd { folder, sources, uploads } => {
            let mut names = Vec::new();
            for source in sources {
                names.extend(spec::names(source)?);
            }
            for upload in uploads {
                names.push(spec::canonical(&source_of(upload)?)?);
            }
            let outcome = add(folder, &names, &BTreeSet::new(), *bounds, news)?;
            vectors(folder, *bounds, news)?;
            told(&outcome)
        }
        What::CorpusUpdate { folder } => {
            let reading = reading(*bounds);
            let options = UpdateOptions { folder: folder.clone(), walk: WalkOptions::default(), reading };
            let outcome = corpus::update(&options, news)?;
            vectors(folder, *bounds, news)?;
            told(&outcome)
        }
        What::CorpusRemove { folder, source } => {
            corpus::remove(folder, source)?;
            Ok(None)
        }
    }
}

/// Sources that could not be read make a job fail, though the others are there.
fn told(outcome: &Outcome) -> Result<Option<Found>, Failure> {
    let failed: Vec<String> = outcome.failed.iter().map(ToString::to_string).collect();
    if failed.is_empty() { Ok(None) } else { Err(failed.join("\n").into()) }
}

fn reading(bounds: Bounds) -> Reading {
    let default = Limits::default();
    let limits = Limits {
        item_bytes: bounds.file.min(default.item_bytes),
        archive_bytes: bounds.unpacked,
        download_bytes: bounds.unpacked.min(default.download_bytes),
        archive_entries: 1_000_000,
        ..default
    };
    Reading { limits, threads: bounds.threads, memory: bounds.memory }
}

/// The vectors of what is new, where the corpus has some that one of our encoders made.
fn vectors(folder: &Path, bounds: Bounds, news: &Telling) -> Result<(), Failure> {
    let Some(made_by) = corpus::vectors_made_by(folder)? else { return Ok(()) };
    let ours = [Builtin::shipped().clone(), Builtin::shipped().at_stage(Stage::Static)];
    let Some(encoder) = ours.into_iter().find(|encoder| encoder.name() == made_by) else {
        let reason = "the vectors of this corpus were made by another encoder; bring them up to date with `familiar corpus add CORPUS --vectors`";
        return Err(reason.into());
    };
    Ok(corpus::make_vectors(folder, &encoder, bounds.threads, bounds.memory, news)?)
}

fn add(
    folder: &Path,
    names: &[String],
    base: &BTreeSet<String>,
    bounds: Bounds,
    news: &Telling,
) -> Result<Outcome, Failure> {
    let walk = WalkOptions { threads: bounds.threads, no_ignore: true, ..WalkOptions::default() };
    let mut sources = Vec::new();
    for name in names {
        sources.push((name.clone(), spec::source(name, &walk)?));
    }
    let options = AddOptions {
        folder: folder.to_owned(),
        sources,
        base: base.clone(),
        exclude: Vec::new(),
        text: true,
        reading: reading(bounds),
    };
    Ok(corpus::add(&options, news)?)
}

/// What an upload is: an archive, or one file.
fn source_of(upload: &Path) -> Result<String, Failure> {
    let kind = if Archive::is_archive(upload)? { "archive" } else { "dir" };
    Ok(format!("{kind}:{}", upload.to_str().ok_or("the name of the server's folder is not text")?))
}

fn find_clones(wanted: &Clones, bounds: Bounds, folder: &Path, news: &Telling) -> Result<Found, Failure> {
    let mut corpora = Vec::new();
    if !wanted.uploads.is_empty() {
        // Beside corpora, projects are named behind it.
        let corpus = folder.join("uploads");
        let (names, base) = sources(wanted, folder)?;
        let outcome = add(&corpus, &names, &base, bounds, news)?;
        told(&outcome)?;
        corpora.push(corpus);
    }
    let mut names = wanted.names.clone();
    let (corpora, mut beside) = if corpora.is_empty() {
        (wanted.corpora.clone(), Vec::new())
    } else {
        names.splice(0..0, ["uploads".to_owned()]);
        (corpora, wanted.corpora.clone())
    };
    let apprentices = Apprentices::gather(&wanted.peers, folder, bounds, news)?;
    for (name, corpus) in apprentices.corpora {
        names.push(name);
        beside.push(corpus);
    }
    let mut granularity = Vec::new();
    for name in &wanted.granularity {
        granularity
            .push(FragmentKind::from_name(name).ok_or_else(|| format!("{name} is not a kind of fragment"))?);
    }
    granularity.sort_unstable();
    granularity.dedup();
    let mut types = wanted.types.clone();
    types.sort_unstable();
    types.dedup();
    let encoder = types.contains(&4).then(|| std::sync::Arc::new(Builtin::shipped().clone()) as _);
    let options = CloneOptions {
        corpora,
        beside,
        corpus_names: names,
        // Who asked for an excerpt leaves it out, knowing all places.
        include_handed_out: wanted.excerpt,
        between_projects: wanted.between_projects || wanted.layout == Layout::Submissions,
        granularity,
        types,
        min_tokens: wanted.min_tokens,
        min_lines: wanted.min_lines,
        cross_language: wanted.cross_language,
        threads: bounds.threads,
        memory: bounds.memory,
        max_pairs_per_class: Some(MOST_PAIRS_PER_CLASS),
        alignments: true,
        encoder,
        ..CloneOptions::default()
    };
    let mut report = clones::run(&options, None, news)?;
    report.summary.unanswered = words(&apprentices.unanswered);
    news.stage("writing", 0);
    let result = folder.join(RESULT);
    std::fs::create_dir_all(&result)?;
    if wanted.excerpt {
        let found = report.fragments.iter().filter_map(|fragment| fragment.blob.as_deref()?.parse().ok());
        write_excerpt(&wanted.names, &wanted.corpora, &found.collect(), Extent::Standing, &result)?;
    } else {
        leave_clones(&report, &result)?;
    }
    let summary = &report.summary;
    Ok(Found {
        files: summary.files,
        classes: summary.classes,
        pairs: summary.pairs,
        duplication: summary.duplication,
        verdicts: None,
        unanswered: apprentices.unanswered,
    })
}

/// Leaves a result in every format, with the pages to browse.
fn leave_clones(report: &CloneReport, result: &Path) -> Result<(), Failure> {
    for (format, name) in CLONES {
        let style = Style { color: false, width: 100, show: Some(100) };
        keep(&result.join(name), |out| familiar_report::write(report, format, style, out))?;
    }
    leave_pages(&Shown::from(report), result)
}

fn leave_audit(report: &AuditReport, result: &Path) -> Result<(), Failure> {
    for (format, name) in AUDIT {
        let (style, stamp) = (audit::Style::default(), audit::Stamp::of_environment(None));
        keep(&result.join(name), |out| audit::write(report, format, style, stamp, out))?;
    }
    leave_pages(&Shown::from(report), result)
}

fn leave_pages(shown: &Shown<'_>, result: &Path) -> Result<(), Failure> {
    let pages = result.join(REPORT);
    std::fs::create_dir_all(&pages)?;
    Ok(html::write_folder(shown, &pages)?)
}

/// Writes a file that is there after a crash.
fn keep(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    write(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

fn audit_uploads(wanted: &Audit, bounds: Bounds, folder: &Path, news: &Telling) -> Result<Found, Failure> {
    let corpus = folder.join("corpus");
    let name = |upload: &PathBuf| Ok(spec::canonical(&source_of(upload)?)?);
    let names = wanted.uploads.iter().map(name).collect::<Result<Vec<_>, Failure>>()?;
    told(&add(&corpus, &names, &BTreeSet::new(), bounds, news)?)?;
    let license = wanted.license.as_deref().map(Expression::parse).transpose()?;
    let apprentices = Apprentices::gather(&wanted.peers, folder, bounds, news)?;
    let (mut against, mut against_names) = (wanted.against.clone(), wanted.names.clone());
    for (name, corpus) in apprentices.corpora {
        against.push(corpus);
        against_names.push(name);
    }
    let options = AuditOptions {
        clones: CloneOptions {
            threads: bounds.threads,
            memory: bounds.memory,
            alignments: true,
            ..CloneOptions::default()
        },
        corpora: vec![corpus],
        against,
        against_names,
        policies: Policies { here: Policy { license, ..Policy::default() }, ..Policies::default() },
        ..AuditOptions::default()
    };
    let result = folder.join(RESULT);
    std::fs::create_dir_all(&result)?;
    if wanted.excerpt {
        // Whoever asked compares them, knowing all places.
        let blobs = familiar_audit::candidates(&options, news)?;
        news.stage("writing", 0);
        write_excerpt(&wanted.names, &wanted.against, &blobs, Extent::Everything, &result)?;
        return Ok(Found::default());
    }
    let mut report = familiar_audit::run(&options, news)?;
    report.summary.unanswered = words(&apprentices.unanswered);
    news.stage("writing", 0);
    leave_audit(&report, &result)?;
    let (pairs, findings) = (report.pairs.len() as u64, report.findings.len() as u64);
    Ok(Found {
        files: report.summary.files,
        classes: findings,
        pairs,
        duplication: report.summary.duplication,
        verdicts: Some(verdicts(&report)),
        unanswered: apprentices.unanswered,
    })
}

/// What an audit comes to.
fn verdicts(report: &AuditReport) -> AuditCounts {
    let mut verdicts = AuditCounts::default();
    for finding in &report.findings {
        *verdicts.by_decision.entry(finding.decision.name().to_owned()).or_default() += 1;
        if finding.decision != Decision::Own {
            *verdicts.by_verdict.entry(finding.status.name().to_owned()).or_default() += 1;
        }
    }
    verdicts
}

fn read_licenses(upload: &Path, bounds: Bounds, folder: &Path, news: &Telling) -> Result<Found, Failure> {
    let walk = WalkOptions { threads: bounds.threads, no_ignore: true, ..WalkOptions::default() };
    let input = LicenseInput::open(&source_of(upload)?, &walk)?;
    let limits = Limits { item_bytes: LicenseOptions::default().limits.item_bytes, ..reading(bounds).limits };
    let options =
        LicenseOptions { walk, limits, shown: true, threads: bounds.threads, ..LicenseOptions::default() };
    let result = folder.join(RESULT);
    std::fs::create_dir_all(&result)?;
    let mut files = 0;
    let mut outs = Vec::new();
    for (_, name) in LICENSES {
        outs.push(BufWriter::new(File::create(result.join(name))?));
    }
    let mut writers = Vec::new();
    for ((format, _), out) in LICENSES.into_iter().zip(&mut outs) {
        writers.push(LicenseWriter::start(format, out)?);
    }
    let pages = result.join(REPORT);
    std::fs::create_dir_all(&pages)?;
    let root = upload.file_name().unwrap_or_default().to_string_lossy();
    let mut pages = LicensePages::in_folder(&root, &pages)?;
    let rest = license::run(&input, &options, news, &mut |file| {
        files += 1;
        pages.file(file)?;
        writers.iter_mut().try_for_each(|writer| writer.file(file))
    })?;
    pages.end(&rest.packages, &rest.skipped)?;
    for writer in writers {
        writer.end(&rest.packages, &rest.skipped)?;
    }
    for out in outs {
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    }
    Ok(Found { files, ..Found::default() })
}

/// The sources that the uploads are, and which of them were handed out.
fn sources(wanted: &Clones, folder: &Path) -> Result<(Vec<String>, BTreeSet<String>), Failure> {
    let (mut names, mut base) = (Vec::new(), BTreeSet::new());
    match (wanted.layout, wanted.uploads.as_slice()) {
        (Layout::Submissions, [one]) if Archive::is_archive(one)? => {
            let path = one.to_str().ok_or("the name of the server's folder is not text")?;
            names.push(spec::canonical(&format!("submissions:{path}"))?);
        }
        (Layout::Submissions, many) => {
            let root = folder.join("submissions");
            std::fs::create_dir_all(&root)?;
            for (number, upload) in many.iter().enumerate() {
                std::fs::hard_link(upload, free_name(&root, upload, number))?;
            }
            let path = root.to_str().ok_or("the name of the server's folder is not text")?;
            names.push(spec::canonical(&format!("submissions:{path}"))?);
        }
        (Layout::Tree, many) => {
            for upload in many {
                names.push(spec::canonical(&source_of(upload)?)?);
            }
        }
    }
    for upload in &wanted.base {
        let name = spec::canonical(&source_of(upload)?)?;
        base.insert(name.clone());
        names.insert(0, name);
    }
    Ok((names, base))
}

/// Where an upload of this name may stand among others.
fn free_name(root: &Path, upload: &Path, number: usize) -> PathBuf {
    let name = upload.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let path = root.join(&name);
    if path.exists() { root.join(format!("{number}-{name}")) } else { path }
}

/// Says on standard output how far the job is, some times in a second.
#[derive(Default)]
struct Telling {
    done: AtomicU64,
    last: Mutex<Option<Instant>>,
}

const PAUSE: Duration = Duration::from_millis(200);

/// Says something in a line of its own.
fn say(news: &News) -> io::Result<()> {
    let mut line = serde_json::to_vec(news)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

impl Progress for Telling {
    fn stage(&self, name: &str, total: u64) {
        self.done.store(0, Ordering::Relaxed);
        // A source's name holds where an upload lies.
        let name = if name.contains('/') { "reading" } else { name };
        let _ = say(&News::Stage { name: name.to_owned(), total });
    }

    fn advance(&self, done: u64) {
        let done = self.done.fetch_add(done, Ordering::Relaxed) + done;
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.is_none_or(|last| last.elapsed() >= PAUSE) {
            *last = Some(Instant::now());
            let _ = say(&News::Done(done));
        }
    }
}
