//! Why a step of a benchmark cannot be done.

use std::io;
use std::path::PathBuf;

use familiar_corpus::SourceError;
use familiar_endpoint::ChatError;
use familiar_files::named;
use familiar_library::CorpusError;
use familiar_model::EncodeError;

/// Why a step cannot be done. What stood in the folder before is as it was. A row that cannot be used is none of these: it is recorded.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    #[error("{} is no benchmark: it has no benchmark.toml; make one with `familiar benchmark new`, or draw one of a result with `familiar benchmark sample`", .0.display())]
    NoProject(PathBuf),
    #[error("{} exists already and is not an empty folder; give another name", .0.display())]
    Exists(PathBuf),
    #[error("{}", named::cannot_read(path, source))]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: {reason}", path.display())]
    Settings { path: PathBuf, reason: String },
    #[error("{}, line {line}: {reason}; make the file again with `familiar benchmark {step}`", path.display())]
    Damaged { path: PathBuf, line: u64, reason: String, step: &'static str },
    #[error(
        "two implementations have the name {0}: import their replies again with `familiar benchmark import`, which numbers them, or give seeds and prompts other names"
    )]
    SameName(String),
    #[error("there are no {what} yet: run `familiar benchmark {step}` first")]
    Missing { what: &'static str, step: &'static str },
    #[error("{} holds nothing that can be used: {reason}", path.display())]
    NothingToImport { path: PathBuf, reason: String },
    #[error("{}: {reason}; give what `familiar clones`, `find` or `audit` writes with --format json or ndjson", path.display())]
    NoResult { path: PathBuf, reason: String },
    #[error("nothing can be drawn of {}: {reason}", path.display())]
    NothingDrawn { path: PathBuf, reason: String },
    #[error("--judges: {0}")]
    Rules(familiar_judging::RulesError),
    #[error("the benchmark has no sources yet: name one, such as a folder")]
    NoSources,
    #[error("--lang {language}: Familiar finds no functions in this language; give some of {known}")]
    NoFunctions { language: &'static str, known: String },
    #[error("no function of the sources can be a seed: {0}")]
    NoSeeds(String),
    #[error(
        "{} has replies to {seeds} seeds that would go, and would be of no use: keep these seeds with --add, or delete that file", path.display()
    )]
    SeedsInUse { path: PathBuf, seeds: u64 },
    #[error("no pair can stand in {} ({reasons})", host.display())]
    NoHost { host: PathBuf, reasons: String },
    #[error(
        "`{command}` fails in the system, and no line that it names is in a pair: does the system compile without them? It said: {said}"
    )]
    Compile { command: String, said: String },
    #[error("{} lies in the system, which stays as it is; give another folder", .0.display())]
    InHost(PathBuf),
    #[error("another command writes {}; wait until it ends", .0.display())]
    Busy(PathBuf),
    #[error("the judges doubt all pairs, and nothing is left to release; see `familiar benchmark agree {}`", .0.display())]
    NothingLeft(PathBuf),
    #[error("{} is a release already; give another version", .0.display())]
    Released(PathBuf),
    #[error("--version {0}: give letters, digits, dots, hyphens and underscores, such as 1.0")]
    Version(String),
    #[error("cannot write {}: {source}", path.display())]
    Parquet { path: PathBuf, source: parquet::errors::ParquetError },
    #[error("{name} is no prompt of this benchmark; it has {known}")]
    NoPrompt { name: String, known: String },
    #[error(
        "an output says what a detector found in files: name the folder of a system with --injected, or a release with --standalone"
    )]
    NoSystem,
    #[error("{} has no injected.jsonl: put the pairs into a system with `familiar benchmark inject`", .0.display())]
    NotInjected(PathBuf),
    #[error(
        "{} has no pairs with their places; make a release with `familiar benchmark release`, and name its version", .0.display()
    )]
    NoPlaces(PathBuf),
    #[error("a command is asked about pairs, and cannot search files: leave out --injected and --standalone")]
    NoSearch,
    #[error("{} names no judges: write groups = [[\"ada\", \"bob\"]] into its table [judge]", .0.display())]
    NoJudges(PathBuf),
    #[error("somebody judges {} now: end `familiar benchmark judge` there first", .0.display())]
    JudgedNow(PathBuf),
    #[error("{}: {source}", path.display())]
    Judgements { path: PathBuf, source: familiar_judging::exchange::ExchangeError },
    #[error("{0} is no judge of this benchmark; benchmark.toml has the judges")]
    NoJudge(String),
    #[error("{0} is no label; benchmark.toml has the labels")]
    NoLabel(String),
    #[error("{name} is no stratum with judged pairs; those that have some are {known}")]
    NoStratum { name: String, known: String },
    #[error(
        "nobody has judged a pair yet, so nothing can be compared: judge pairs with `familiar benchmark judge` first, or add judgements with `familiar benchmark agree NAME --import FILE`"
    )]
    NothingJudged,
    #[error(
        "{one} and {other} may have pairs in common, and the test is for two parts without: give two of one kind, such as kind=type3,kind=type4"
    )]
    Overlap { one: String, other: String },
    #[error(transparent)]
    Refused(#[from] familiar_judging::Refusal),
    #[error(transparent)]
    Clones(#[from] familiar_engine::clones::CloneError),
    #[error(transparent)]
    Detector(#[from] familiar_detectors::DetectorError),
    #[error(transparent)]
    Evaluate(#[from] familiar_evaluate::EvaluateError),
    #[cfg(target_os = "linux")]
    #[error(transparent)]
    Sandbox(#[from] familiar_functional::SandboxError),
    #[error(transparent)]
    Spec(#[from] familiar_corpus::spec::SpecError),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    #[error(transparent)]
    Chat(#[from] ChatError),
    #[error(transparent)]
    Encode(#[from] EncodeError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}
