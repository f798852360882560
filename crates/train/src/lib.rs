//! How the weights of the built-in encoder are made: a recipe and a folder of data in, weights out.
//!
//! # Files
//!
//! `recipe` says what the weights are made of, and the committed recipes stand in `recipes/`.
//! `data` reads examples, `families` those that stand in several languages, and `batch` draws and
//! changes them. `network` is the network that can be differentiated; `bag` and `projection` are
//! the other parts of a vector. `step`, `loss` and `optimizer` change weights, `background` chooses
//! unrelated code, `measure` shows how training goes, and `run` goes from the first step to the
//! last.

mod background;
pub mod bag;
pub mod batch;
pub mod data;
mod error;
mod families;
pub mod loss;
pub mod measure;
pub mod network;
pub mod optimizer;
mod packages;
mod projection;
pub mod recipe;
mod row;
pub mod run;
pub mod step;

pub use error::TrainError;
