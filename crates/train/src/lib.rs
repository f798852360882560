//! How are the weights of the built-in encoder made? A recipe and a folder of data go in, and weights come out.
//!
//! # Files
//!
//! `recipe` says what the weights are made of and how fast they learn at each step, `extended` reads
//! recipes that build on others, and the committed recipes stand in `recipes/`. `data` reads
//! examples, each as a `row`: from files of solutions, from `packages`, and from `families` of
//! packages in several languages. `problem` says what a problem is called in all files. `rewriting`
//! makes copies of examples that look different and do the same. `batch` draws and changes them. `network` is the network that can be differentiated; `bag` and `projection`
//! are the other parts of a vector. `step`, `loss` and `optimizer` change weights, `background`
//! chooses unrelated code, `measure` shows how training goes, and `run` goes from the first step to
//! the last.

mod background;
pub mod bag;
pub mod batch;
pub mod data;
mod error;
mod extended;
mod families;
pub mod loss;
pub mod measure;
pub mod network;
pub mod optimizer;
mod packages;
mod problem;
mod projection;
pub mod recipe;
mod rewriting;
mod row;
pub mod run;
pub mod step;

pub use error::TrainError;
