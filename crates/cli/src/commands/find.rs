//! `familiar find`: who has this code, how much of it, where first?

mod ask;
mod pages;
mod streams;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use ask::Ask;
use familiar_corpus::Document;
use familiar_corpus::dir::{self, Listing, WalkOptions};
use familiar_engine::corpus::{Asked, FindOptions, Library};
use familiar_engine::{CloneOptions, Measure};
use familiar_report::{Format, printable};
use familiar_source::{FragmentKind, Language, Lines, time};

use super::corpus;
use crate::html::{self, HtmlTarget};
use crate::output::Target;
use crate::values::{self, FindFormat};

/// Look code up in a corpus: who has it, how much of it, where first?
///
/// Asks for a file, some lines of one (FILE:START-END), standard input (-), or every file of code below a folder. Answers
/// with the blobs that hold all or part of it, by how much they hold of what few others hold.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A file, some lines of one, a folder, or standard input
    #[arg(value_name = "FILE[:START-END]|DIR|-", required_unless_present_any = ["list", "fingerprints"])]
    queries: Vec<String>,
    /// The corpus: a name or a path
    #[arg(long = "in", value_name = "CORPUS")]
    corpus: String,
    /// Ask for every file that is named in this file, one a line (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "queries")]
    list: Option<PathBuf>,
    /// Ask with what `familiar fingerprint` wrote to this file, without the code itself (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["queries", "list"])]
    fingerprints: Option<PathBuf>,
    /// The language of standard input whose content does not tell, or of files whose names do not
    #[arg(long, value_name = "NAME", value_parser = values::language)]
    lang: Option<Language>,

    /// What is looked for: file, class, function, block, run; edited code of functions alone [default: function,run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::granularity, help_heading = FINDING)]
    granularity: Vec<FragmentKind>,
    /// Clone types: 1 equal, 2 equal but for names and values, 3 edited, 4 written
    /// otherwise (of functions, in a corpus with vectors) [default: 1,2,3]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::clone_type, help_heading = FINDING)]
    types: Vec<u8>,
    /// How alike edited functions are: aligned, token-overlap [default: aligned]
    #[arg(long, value_name = "NAME", value_parser = values::measure, help_heading = FINDING)]
    measure: Option<Measure>,
    /// Least similarity of an edited function [default: the measure's own]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    similarity: Option<f64>,
    /// Least probability that a function does the same, above 0 and below 1 [default: 0.75]
    #[arg(long, value_name = "P", help_heading = FINDING)]
    confidence: Option<f64>,
    /// What makes vectors, as it made those of the corpus [default: whichever of builtin and static made them]
    #[arg(long, value_name = "NAME", help_heading = FINDING)]
    encoder: Option<String>,
    /// Fewest tokens of a run, at least 40 [default: 40; 50 for many files]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_tokens: Option<u32>,
    /// Fewest lines that a blob has of the query [default: 1; 5 for many files]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_lines: Option<u32>,
    /// Least share of the query that a blob has, from 0 to 1 [default: 0]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    coverage: Option<f64>,
    /// Look in blobs of other languages too
    #[arg(long, help_heading = FINDING)]
    cross_language: bool,

    /// Only occurrences in this project; may be repeated
    #[arg(long, value_name = "NAME", help_heading = PLACES)]
    project: Vec<String>,
    /// Only occurrences first seen on this day or later
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help_heading = PLACES)]
    since: Option<i64>,

    /// text, json, ndjson (a result a line), html (pages to browse) [default: text]
    #[arg(long, value_name = "NAME", value_parser = values::find_format, help_heading = OUTPUT)]
    format: Option<FindFormat>,
    /// Write to a file, whole or not at all; html to a folder, or to one page where the name ends in .html
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Most blobs of a result [default: 10 in text, 20 of each of many files in html, 100 otherwise]
    #[arg(long, value_name = "N", help_heading = OUTPUT)]
    limit: Option<usize>,
    /// Tell under which licenses the blobs stand for many files too, as it is told for one and in html
    #[arg(long, help_heading = OUTPUT)]
    licenses: bool,
    /// Do not say which files are left out
    #[arg(long, help_heading = OUTPUT)]
    quiet: bool,

    /// Leave out paths that match, as in .gitignore (repeatable)
    #[arg(long, value_name = "GLOB", help_heading = QUERY)]
    exclude: Vec<String>,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_name = "N", help_heading = RESOURCES)]
    threads: Option<usize>,
    /// Memory to stay within [default: 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = values::size, help_heading = RESOURCES)]
    memory: Option<usize>,
}

const QUERY: &str = "What is asked for";
const FINDING: &str = "What is found";
const PLACES: &str = "Where";
const OUTPUT: &str = "Output";
const RESOURCES: &str = "Resources";

const EXAMPLES: &str = "\
Examples:
  familiar find src/parser.py --in world
  familiar find src/parser.py:120-180 --in world --format json
  pbpaste | familiar find - --lang python --in world
  familiar find src --in world --coverage 0.5 --format ndjson
      Every file of src of which some blob has half
  familiar find src --in world --format html --output report
      Pages to browse: open report/index.html
  familiar fingerprint src --output src.fp    then elsewhere    familiar find --fingerprints src.fp --in world
      The code itself stays in its house";

fn day(text: &str) -> Result<i64, String> {
    time::parse(text).ok_or_else(|| "give a day as YYYY-MM-DD".to_owned())
}

/// What is asked for, one after another.
enum Queries {
    /// One file, or some lines of it.
    One {
        name: String,
        bytes: Vec<u8>,
        lines: Option<Lines>,
    },
    Many(Listing),
    Fingerprints(Vec<Asked>),
}

/// Where results go.
enum Output {
    Stream(Target, Format),
    Pages(HtmlTarget),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output()?;
    let queries = arguments.read_queries()?;
    let folder = corpus::folder(&arguments.corpus)?;
    let mut library = Library::open(&folder)?;
    let mut options = arguments.options(!matches!(queries, Queries::One { .. }));
    if options.licenses && arguments.threads != Some(1) {
        familiar_engine::corpus::read_rules();
    }
    let by_vectors = options.types.contains(&4);
    if by_vectors {
        anyhow::ensure!(
            arguments.fingerprints.is_none(),
            "type 4 needs the code itself, which fingerprints do not hold"
        );
        options.encoder =
            Some(corpus::encoder(&folder, arguments.encoder.as_deref(), arguments.threads.unwrap_or(0))?);
    }
    options.check()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.unwrap_or(0)).build()?;
    if let Some(encoder) = &options.encoder {
        library.open_vectors(encoder.as_ref())?;
    }
    let ask = Ask {
        library: &library,
        options: &options,
        pool: &pool,
        language: arguments.lang,
        memory: arguments.memory.unwrap_or(CloneOptions::default().memory),
        notes: arguments.notes(),
        left_out: ask::LeftOut::default(),
        failed: std::sync::Mutex::default(),
    };
    let written = match &output {
        Output::Stream(target, format) => streams::write(&ask, &queries, *format, target),
        Output::Pages(target) => pages::write(&ask, &queries, &arguments.roots(), &arguments.corpus, target),
    };
    ask.failure().map_or(written, Err)?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn output(&self) -> anyhow::Result<Output> {
        let format = match self.format {
            Some(FindFormat::Html) => {
                let target = HtmlTarget::new(self.output.as_deref().context(html::NEEDS_PLACE)?);
                target.check()?;
                return Ok(Output::Pages(target));
            }
            Some(FindFormat::Stream(format)) => format,
            None => Format::Text,
        };
        let target = Target::new(self.output.clone());
        target.check()?;
        Ok(Output::Stream(target, format))
    }

    /// What was asked for, as it was given.
    fn roots(&self) -> Vec<String> {
        let file = self.list.as_ref().or(self.fingerprints.as_ref());
        file.map_or_else(|| self.queries.clone(), |file| vec![file.to_string_lossy().into_owned()])
    }

    fn limit(&self, many: bool) -> usize {
        self.limit.unwrap_or(match self.format {
            None | Some(FindFormat::Stream(Format::Text)) => 10,
            Some(FindFormat::Html) if many => 20,
            _ => FindOptions::default().limit,
        })
    }

    fn options(&self, many: bool) -> FindOptions {
        let default = FindOptions::default();
        let or = |least: u32, one: u32| if many { least } else { one };
        FindOptions {
            types: if self.types.is_empty() { default.types } else { self.types.clone() },
            granularity: if self.granularity.is_empty() {
                default.granularity
            } else {
                self.granularity.clone()
            },
            measure: self.measure.unwrap_or(default.measure),
            similarity: self.similarity,
            min_tokens: self.min_tokens.unwrap_or_else(|| or(50, default.min_tokens)),
            min_lines: self.min_lines.unwrap_or_else(|| or(5, default.min_lines)),
            encoder: None,
            confidence: self.confidence.unwrap_or(default.confidence),
            min_coverage: self.coverage.unwrap_or(default.min_coverage),
            projects: self.project.clone(),
            since: self.since,
            cross_language: self.cross_language,
            licenses: !many || self.licenses || self.format == Some(FindFormat::Html),
            limit: self.limit(many),
        }
    }

    fn read_queries(&self) -> anyhow::Result<Queries> {
        if let Some(file) = &self.fingerprints {
            let row = |line: &str| -> anyhow::Result<Asked> {
                let row = serde_json::from_str(line);
                let row =
                    row.with_context(|| format!("{} holds a line that is no fingerprint", file.display()))?;
                Ok(Asked::of_fingerprint(&row)?)
            };
            return Ok(Queries::Fingerprints(
                text_of(file)?.lines().map(row).collect::<anyhow::Result<_>>()?,
            ));
        }
        if let Some(list) = &self.list {
            let text = text_of(list)?;
            let paths: Vec<PathBuf> =
                text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect();
            return Ok(Queries::Many(listing(&paths, &self.exclude, self.notes())?));
        }
        if let [one] = self.queries.as_slice() {
            if one == "-" {
                let mut bytes = Vec::new();
                io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
                return Ok(Queries::One { name: one.clone(), bytes, lines: None });
            }
            let (path, lines) = file_and_lines(one);
            if !path.is_dir() {
                let read = std::fs::read(&path);
                let bytes = read.with_context(|| {
                    format!("cannot read {}; check that it exists and that you may read it", path.display())
                })?;
                return Ok(Queries::One { name: path.to_string_lossy().into_owned(), bytes, lines });
            }
        }
        let paths: Vec<PathBuf> = self.queries.iter().map(PathBuf::from).collect();
        Ok(Queries::Many(listing(&paths, &self.exclude, self.notes())?))
    }

    fn notes(&self) -> Notes {
        Notes { quiet: self.quiet }
    }
}

/// The text of a file, or of standard input for `-`.
fn text_of(file: &Path) -> anyhow::Result<String> {
    if file == Path::new("-") {
        return io::read_to_string(io::stdin()).context("cannot read standard input");
    }
    std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// What is said beside the results.
#[derive(Clone, Copy)]
pub(crate) struct Notes {
    pub(crate) quiet: bool,
}

impl Notes {
    /// Says which file is not asked for, and why.
    #[allow(clippy::print_stderr)]
    pub(crate) fn left_out(self, name: &str, reason: &dyn std::fmt::Display) {
        if !self.quiet {
            eprintln!("familiar: {} is left out: {reason}", printable(name));
        }
    }
}

/// `FILE:START-END` or `FILE:LINE`, unless there is a file with that very name.
fn file_and_lines(text: &str) -> (PathBuf, Option<Lines>) {
    let whole = PathBuf::from(text);
    let Some((file, range)) = text.rsplit_once(':').filter(|_| !whole.exists()) else { return (whole, None) };
    let (start, end) = range.split_once('-').unwrap_or((range, range));
    match (start.parse(), end.parse()) {
        (Ok(start), Ok(end)) if 0 < start && start <= end => {
            (PathBuf::from(file), Some(Lines { start, end }))
        }
        _ => (whole, None),
    }
}

/// The files below some paths; their names are the paths as given with what lies below.
pub(crate) fn documents(
    paths: &[PathBuf],
    exclude: &[String],
    notes: Notes,
) -> anyhow::Result<Vec<Document>> {
    Ok(listing(paths, exclude, notes)?.documents)
}

/// The same, with what is left out.
fn listing(paths: &[PathBuf], exclude: &[String], notes: Notes) -> anyhow::Result<Listing> {
    let listing = dir::walk(paths, &WalkOptions { exclude: exclude.to_vec(), ..WalkOptions::default() })?;
    for skip in &listing.skips {
        notes.left_out(skip.path.as_str(), &skip.reason);
    }
    Ok(listing)
}
