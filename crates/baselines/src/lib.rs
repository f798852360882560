//! How well do the usual models do on this data set?
//!
//! The baselines of Project CodeNet (Puri et al. 2021, Section 7 and Appendices B to D): each is trained on a benchmark that
//! `familiar codenet benchmark` cut, and measured on its test. Layers come from `candle`.
//!
//! # Files
//!
//! `settings` says which model learns which task, and how large it is. `benchmark` reads programs, and `input` makes what models see
//! of them: words, masked words, or trees. `few` takes some of them. `network` has the models, each of which makes one vector of a program. `task` has what is
//! asked of these vectors: classes, similar pairs, ranks, a masked word, or a number (`scale` says how it is learnt). `weights` draws them, `rows` has
//! functions that the library is slow at, `step` is one step of training,
//! `training` goes from the first to the last, `start` has the weights of another model that it may start from, and `saved` is the folder of
//! a model. `measure` measures, `errors` says how far numbers are off, and `aroma` is the baseline
//! that is not trained.

pub mod aroma;
pub mod benchmark;
mod error;
pub mod errors;
mod few;
pub mod input;
pub mod measure;
mod network;
mod rows;
pub mod saved;
pub mod scale;
pub mod settings;
mod start;
mod step;
mod task;
pub mod training;
mod weights;

pub use error::BaselineError;

/// So many threads, or one for each processor core where 0.
fn pool(threads: usize) -> Result<rayon::ThreadPool, BaselineError> {
    // The environment may say how many threads the arithmetic has, which is another matter.
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|source| BaselineError::Threads { threads, source })
}
