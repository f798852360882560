//! `familiar find`: who has this code, how much of it, where first?

mod ask;
mod pages;
mod queries;
mod streams;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicU64;

use anyhow::Context;
use familiar_engine::{Measure, Progress};
use familiar_files::dir::WalkOptions;
use familiar_files::{TreePath, named};
use familiar_library::{CodeQuery, FindOptions, Library};
use familiar_report::Format;
use familiar_source::{FragmentKind, Language, Lines, time};
use familiar_syntax::Limits;

use crate::common::{Common, OUTPUT};
use crate::formats::FindFormat;
use crate::html::{self, HtmlTarget};
use crate::input::{file_and_lines, listing, stdin_error, text_of};
use crate::notes::Notes;
use crate::output::Target;
use crate::values;
use crate::{corpora, encoders};
use ask::Ask;
use queries::Queries;

/// Look up code in a corpus: who has it, how much of it, and who had it first?
///
/// Asks for a file, for some lines of a file (FILE:START-END), for standard input (-), or for every file of code below a folder. The
/// answer names the files of the corpus that contain all or part of the code. Files that share rare code come before files that
/// share common code.
#[derive(clap::Args, Debug)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Files, some lines of files, and folders; or - alone, for standard input
    #[arg(value_name = "FILE[:START-END]|DIR|-", required_unless_present_any = ["list", "fingerprints"])]
    queries: Vec<String>,
    /// The corpus to search: a name or a path
    #[arg(long = "in", value_name = "CORPUS")]
    corpus: String,
    /// Look up every file that is named in FILE, one name a line (- for standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "queries")]
    list: Option<PathBuf>,
    /// Look up the fingerprints in FILE, which `familiar fingerprint` wrote (- for standard input). The code itself is not needed
    #[arg(long, value_name = "FILE", conflicts_with_all = ["queries", "list"])]
    fingerprints: Option<PathBuf>,
    /// The language of standard input, or of files whose names and contents do not tell it
    #[arg(long, value_name = "NAME", value_parser = values::language)]
    lang: Option<Language>,

    /// Kinds of code to look up: file, class, function, block, run. Edited code is found for functions only [default: function,run]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::granularity, help_heading = FINDING)]
    granularity: Vec<FragmentKind>,
    /// Clone types: 1 equal, 2 equal except for names and values, 3 edited, 4 same behavior in other code (functions only, in
    /// a corpus with vectors) [default: 1,2,3]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::clone_type, help_heading = FINDING)]
    types: Vec<u8>,
    /// How to measure the similarity of edited functions: aligned, token-overlap [default: aligned]
    #[arg(long, value_name = "NAME", value_parser = values::measure, help_heading = FINDING)]
    measure: Option<Measure>,
    /// Lowest similarity of an edited function [default: set by the measure]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    similarity: Option<f64>,
    /// Lowest probability that a function has the same behavior (type 4), above 0 and below 1 [default: 0.75]
    #[arg(long, value_name = "P", help_heading = FINDING)]
    confidence: Option<f64>,
    /// The encoder for type 4, which must be the one that made the vectors of the corpus [default: found in the corpus, if it is
    /// builtin or static]
    #[arg(long, value_name = "NAME", help_heading = FINDING)]
    encoder: Option<String>,
    /// Ignore runs with fewer tokens; at least 40 [default: 40; 50 for more than one file]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_tokens: Option<u32>,
    /// Leave out files that share fewer lines with the code [default: 1; 5 for more than one file]
    #[arg(long, value_name = "N", help_heading = FINDING)]
    min_lines: Option<u32>,
    /// Leave out files that contain less than this share of the code, from 0 to 1 [default: 0]
    #[arg(long, value_name = "X", help_heading = FINDING)]
    coverage: Option<f64>,
    /// Also search files in other languages
    #[arg(long, help_heading = FINDING)]
    cross_language: bool,

    /// Search only this project. May be repeated
    #[arg(long, value_name = "NAME", help_heading = PLACES)]
    project: Vec<String>,
    /// Search only code that was first seen on this day or later
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day, help_heading = PLACES)]
    since: Option<i64>,

    /// Number of files to name in a result [default: 10 in text; 20 in html for more than one file; 100 otherwise]
    #[arg(long, value_name = "N", value_parser = values::at_least_one, help_heading = OUTPUT)]
    limit: Option<usize>,
    /// Say what makes each function alike that has the same behavior (type 4): the words that count, and the statements that
    /// correspond. Needs --types 4 and a corpus with vectors of the encoder builtin
    #[arg(long, help_heading = OUTPUT)]
    explain: bool,
    /// Also show licenses when more than one file is looked up. They are always shown for a single file and in html
    #[arg(long, help_heading = OUTPUT)]
    licenses: bool,
    /// Do not show licenses. Pages (html) show them all the same
    #[arg(long, conflicts_with = "licenses", help_heading = OUTPUT)]
    no_licenses: bool,

    /// Leave out paths that match the glob, written as in .gitignore. May be repeated
    #[arg(long, value_name = "GLOB", help_heading = QUERY)]
    exclude: Vec<String>,
    /// Also look up files that .gitignore leaves out
    #[arg(long, help_heading = QUERY)]
    no_ignore: bool,

    #[command(flatten)]
    common: Common<FindFormat>,
}

const QUERY: &str = "What is looked up";
const FINDING: &str = "What is found";
const PLACES: &str = "Where";

const EXAMPLES: &str = "\
Examples:
  familiar find src/parser.py --in world
  familiar find src/parser.py:120-180 --in world --format json
  pbpaste | familiar find - --lang python --in world
  familiar find src --in world --coverage 0.5 --format ndjson
      Every file in src of which some file in the corpus contains at least half
  familiar find src/parser.py --in world --types 4 --cross-language --explain
      Functions with the same behavior, also in other languages, and what makes them alike
  familiar find src --in world --format html --output report
      Pages to browse: open report/index.html
  familiar fingerprint src --output src.fp
  familiar find --fingerprints src.fp --in world
      The code does not leave the machine on which the first command runs";

fn day(text: &str) -> Result<i64, String> {
    time::parse(text).ok_or_else(|| "give a day such as 2026-01-31".to_owned())
}

/// Where results go.
enum Output {
    Stream(Target, Format),
    Pages(HtmlTarget),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let output = arguments.output()?;
    let queries = arguments.read_queries(arguments.notes())?;
    let asked = arguments.open(&queries)?;
    arguments.say_what_counts();
    let progress = arguments.common.bar();
    let ask = arguments.ask(&asked, &progress, arguments.notes());
    let written = match &output {
        Output::Stream(target, format) => streams::write(&ask, &queries, *format, target),
        Output::Pages(target) => pages::write(&ask, &queries, &arguments.roots(), &arguments.corpus, target),
    };
    progress.finish();
    ask.failure().map_or(written, Err)?;
    ask.warn_of_nothing();
    // The process ends. To unmap hundreds of files one after another would take it some milliseconds more.
    std::mem::forget(asked);
    Ok(ExitCode::SUCCESS)
}

/// An open corpus, and how it is asked.
struct Asked {
    library: Library,
    options: FindOptions,
    pool: rayon::ThreadPool,
}

impl Arguments {
    /// Writes the results as rows. `code` takes the place of standard input.
    pub(crate) fn rows(
        &self,
        code: Option<Vec<u8>>,
        progress: &dyn Progress,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let quiet = Notes { quiet: true };
        let queries = match code {
            Some(bytes) => Queries::One { name: "-".to_owned(), bytes, lines: None },
            None => self.read_queries(quiet)?,
        };
        let asked = self.open(&queries)?;
        let ask = self.ask(&asked, progress, quiet);
        let written = streams::write_to(&ask, &queries, Format::Ndjson, out);
        ask.failure().map_or(written, Err)
    }

    fn open(&self, queries: &Queries) -> anyhow::Result<Asked> {
        anyhow::ensure!(
            !self.corpus.contains("://"),
            "--in {}: `find` looks up code in a corpus on this machine, and this is an address; name a corpus or its folder",
            self.corpus
        );
        let folder = corpora::existing(&self.corpus)?;
        let mut library = Library::open(&folder)?;
        let options = self.options_for(queries, &folder)?;
        self.prepare(&mut library, &options)?;
        let threads = self.common.resources.threads();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        Ok(Asked { library, options, pool })
    }

    fn ask<'a>(&self, asked: &'a Asked, progress: &'a dyn Progress, notes: Notes) -> Ask<'a> {
        Ask {
            library: &asked.library,
            options: &asked.options,
            pool: &asked.pool,
            language: self.lang,
            memory: self.common.resources.memory(),
            notes,
            progress,
            left_out: ask::LeftOut::default(),
            asked: AtomicU64::new(0),
            found: AtomicU64::new(0),
            failed: std::sync::Mutex::default(),
        }
    }

    /// What counts as a result of `queries`, with the encoder that made the vectors of the corpus in `folder` where one is needed.
    fn options_for(&self, queries: &Queries, folder: &Path) -> anyhow::Result<FindOptions> {
        let mut options = self.options(!matches!(queries, Queries::One { .. }));
        if options.types.contains(&4) {
            anyhow::ensure!(
                self.fingerprints.is_none(),
                "type 4 needs the code itself, and --fingerprints gives only fingerprints; leave out type 4"
            );
            let threads = self.common.resources.threads();
            options.encoder = Some(corpora::encoder(folder, self.encoder.as_deref(), threads)?);
        } else if let Some(name) = &self.encoder {
            encoders::check(name)?;
        }
        options.check()?;
        Ok(options)
    }

    /// Opens of the corpus what the options need beside its code.
    fn prepare(&self, library: &mut Library, options: &FindOptions) -> anyhow::Result<()> {
        if options.licenses && self.common.resources.threads() != 1 && !library.knows_licenses() {
            familiar_library::read_rules();
        }
        if let Some(encoder) = &options.encoder {
            library.open_vectors(encoder.as_ref())?;
        }
        Ok(())
    }

    fn output(&self) -> anyhow::Result<Output> {
        let writing = &self.common.writing;
        match writing.format() {
            FindFormat::Html => {
                let target =
                    HtmlTarget::new(writing.output.as_deref().context(html::NEEDS_PLACE)?, writing.quiet());
                target.check()?;
                Ok(Output::Pages(target))
            }
            FindFormat::Stream(format) => {
                let target = writing.target();
                target.check()?;
                Ok(Output::Stream(target, format))
            }
        }
    }

    /// What was asked for, as it was given.
    fn roots(&self) -> Vec<String> {
        let file = self.list.as_ref().or(self.fingerprints.as_ref());
        file.map_or_else(|| self.queries.clone(), |file| vec![TreePath::new(file).as_str().to_owned()])
    }

    fn limit(&self, many: bool) -> usize {
        self.limit.unwrap_or(match self.common.writing.format() {
            FindFormat::Stream(Format::Text) => 10,
            FindFormat::Html if many => 20,
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
            explain: self.explain.then(|| Limits::of_memory(self.common.resources.memory())),
            licenses: self.common.writing.format() == FindFormat::Html
                || (self.licenses || !many) && !self.no_licenses,
            limit: self.limit(many),
        }
    }

    fn read_queries(&self, notes: Notes) -> anyhow::Result<Queries> {
        let most = self.common.resources.memory() as u64;
        if let Some(file) = &self.fingerprints {
            let row = |line: &str| -> anyhow::Result<CodeQuery> {
                let row = serde_json::from_str(line);
                let row =
                    row.with_context(|| format!("{} has a line that is not a fingerprint", file.display()))?;
                Ok(CodeQuery::of_fingerprint(&row)?)
            };
            let text = text_of(file, most)?;
            return Ok(Queries::Fingerprints(text.lines().map(row).collect::<anyhow::Result<_>>()?));
        }
        if let Some(list) = &self.list {
            let text = text_of(list, most)?;
            let paths: Vec<PathBuf> =
                text.lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect();
            return self.many(&paths, BTreeMap::new(), notes);
        }
        if let [one] = self.queries.as_slice() {
            if one == "-" {
                let bytes = named::read_stdin(most).map_err(stdin_error)?;
                anyhow::ensure!(
                    !bytes.trim_ascii().is_empty(),
                    "standard input is empty, so there is nothing to look up; pass it code, as in familiar find - --in CORPUS < FILE"
                );
                return Ok(Queries::One { name: one.clone(), bytes, lines: None });
            }
            let (path, lines) = file_and_lines(one)?;
            if !path.is_dir() {
                let bytes = named::read(&path, most);
                let bytes = bytes.map_err(|error| anyhow::Error::msg(named::cannot_read(&path, &error)))?;
                return Ok(Queries::One { name: path.to_string_lossy().into_owned(), bytes, lines });
            }
        }
        let (mut paths, mut lines) = (Vec::new(), BTreeMap::new());
        for (root, query) in (0..).zip(&self.queries) {
            anyhow::ensure!(
                query != "-",
                "- (standard input) can only be looked up alone; leave out the other names"
            );
            let (path, range) = file_and_lines(query)?;
            anyhow::ensure!(range.is_none() || !path.is_dir(), "{query}: a folder has no lines; name a file");
            lines.extend(range.map(|range| (root, range)));
            paths.push(path);
        }
        self.many(&paths, lines, notes)
    }

    /// Every file below some paths.
    fn many(&self, paths: &[PathBuf], lines: BTreeMap<u32, Lines>, notes: Notes) -> anyhow::Result<Queries> {
        let walk = WalkOptions {
            exclude: self.exclude.clone(),
            no_ignore: self.no_ignore,
            threads: self.common.resources.threads(),
        };
        Ok(Queries::Many { listing: listing(paths, &walk, notes)?, lines })
    }

    /// Says which flags count as others.
    fn say_what_counts(&self) {
        let least = FindOptions::default().min_tokens;
        if let Some(given) = self.min_tokens.filter(|&given| given < least) {
            self.notes().say(&format!("--min-tokens {given} counts as {least}: no shorter run is looked up"));
        }
    }

    fn notes(&self) -> Notes {
        Notes { quiet: self.common.writing.quiet() }
    }
}
