//! Why training stopped.

use std::path::PathBuf;

use familiar_model::weights::WeightsError;

#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error("cannot read {path}: {source}")]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {path}: {source}")]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{path} is not a recipe: {reason}")]
    Recipe { path: PathBuf, reason: String },
    #[error("the recipe's rewriting cannot be done: {reason}")]
    Rewriting { reason: String },
    #[error("{path}, line {line}: {reason}")]
    Row { path: PathBuf, line: usize, reason: String },
    #[error(
        "{path} has no group with two rows, so that nothing can be trained; check its filters in the recipe"
    )]
    NoExamples { path: PathBuf },
    #[error("{path} was written for another recipe; train into another folder, or remove it")]
    OtherRecipe { path: PathBuf },
    #[error("{path} was written for a recipe {reason}; give another file to --examples, or remove it")]
    OtherExamples { path: PathBuf, reason: String },
    #[error(
        "{path} is damaged, or no file of examples: {reason}; remove it and give --data and --packages, and it is written again"
    )]
    Examples { path: PathBuf, reason: String },
    #[error("{path} is not there yet; give --data and --packages, so that it can be written")]
    NoExamplesYet { path: PathBuf },
    #[error("there is nothing to learn from; give --data and --packages, or a file of --examples")]
    NoData,
    #[error("training cannot start from {path}: {reason}")]
    Start { path: PathBuf, reason: String },
    #[error("the trained weights cannot be used: {0}")]
    Weights(#[from] WeightsError),
    #[error("the arithmetic failed: {0}")]
    Tensor(#[from] candle_core::Error),
}
