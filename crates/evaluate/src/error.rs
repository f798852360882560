//! Why an evaluation has no result.

use std::io;
use std::path::PathBuf;

/// Why there is no result. A row that cannot be used is none of these: it is recorded as skipped.
#[derive(Debug, thiserror::Error)]
pub enum EvaluateError {
    #[error("{}", familiar_engine::named::cannot_read(path, source))]
    Read { path: PathBuf, source: io::Error },
    #[error("{}:{line}: {reason}", path.display())]
    Row { path: PathBuf, line: u64, reason: String },
    #[error("--similarity {0} is out of range: give a number above 0 and at most 1")]
    Similarity(f64),
    #[error("{} contains no usable pair: {reason}", path.display())]
    NoPairs { path: PathBuf, reason: String },
    #[error("{} contains no program that can be rewritten: {reason}", path.display())]
    NoPrograms { path: PathBuf, reason: String },
    #[error("{} contains no two programs of different problems: {reason}", path.display())]
    NoNonClones { path: PathBuf, reason: String },
    #[error("the set {set} has {members} transformations; its diversity can be measured up to {most}")]
    LargeSet { set: &'static str, members: usize, most: usize },
    #[error("--false-positives {0} is out of range: give a number from 0 to below 1, such as 0.01")]
    FalsePositives(f64),
    #[error("{} contains no query that can be answered: {reason}", path.display())]
    NoQueries { path: PathBuf, reason: String },
    #[error(
        "{} contains more than {most} rows, which is too many for a measure that compares each with each: \
         give --encoder, or choose fewer rows with --where, --lang, --one-of or --max-per-group",
        path.display()
    )]
    TooManyRows { path: PathBuf, most: usize },
    #[error(transparent)]
    Command(#[from] crate::attack::AnswerError),
    #[error(transparent)]
    Verify(#[from] familiar_engine::verify::VerifyError),
    #[error(transparent)]
    Encode(#[from] familiar_model::EncodeError),
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error(transparent)]
    Join(#[from] familiar_engine::bags::JoinError),
    #[error("cannot write the result: {0}")]
    Write(#[from] io::Error),
}
