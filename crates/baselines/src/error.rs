//! Why a baseline was not trained, or not measured.

use std::io;
use std::path::PathBuf;

use familiar_codenet::DataError;

#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Train(#[from] familiar_train::TrainError),
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}; check the free space and your permissions", path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{} has no {file}: cut a benchmark with `familiar codenet benchmark`, or put the file there", folder.display())]
    NoBenchmark { folder: PathBuf, file: &'static str },
    #[error("{} is no folder of a trained model: {reason}", path.display())]
    NoModel { path: PathBuf, reason: String },
    #[error(
        "{} was trained with other settings or on other data; train into another folder, or remove it",
        path.display()
    )]
    OtherSettings { path: PathBuf },
    #[error(
        "{} has another model: it is {found}, and {asked} is to be trained; take a model that was trained with the same --model and --size",
        path.display()
    )]
    OtherModel { path: PathBuf, found: String, asked: String },
    #[error("{model} does not learn {task}: {hint}")]
    NotForTask { model: &'static str, task: &'static str, hint: &'static str },
    #[error("the task {task} does not learn the label {label}: {hint}")]
    NotForLabel { task: &'static str, label: &'static str, hint: &'static str },
    #[error(
        "{programs} programs of {} say {what}, and at least two different numbers are needed: name data with the column {what}",
        path.display()
    )]
    NoNumbers { path: PathBuf, programs: usize, what: &'static str },
    #[error(
        "only {programs} programs of {problems} problems can be used for {what}: at least two problems with two programs each are needed"
    )]
    TooFew { what: &'static str, programs: usize, problems: usize },
    #[error(
        "the programs do not fit into the memory: give more by --memory, or take fewer (after {0} of them)"
    )]
    Memory(usize),
    #[error(
        "the loss is {loss} at step {step}, so training cannot go on: start again in another folder with a lower --rate. The weights of the best epoch stay"
    )]
    NotANumber { step: usize, loss: f64 },
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
    #[error("the arithmetic failed: {0}")]
    Tensor(#[from] candle_core::Error),
}
