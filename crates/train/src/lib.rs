//! How are the weights of the built-in encoder made? A recipe and a folder of data go in, and weights come out.
//!
//! # Files
//!
//! `recipe` says what the weights are made of and how fast they learn at each step, `extended` reads
//! recipes that build on others, and the committed recipes stand in `recipes/`. `data` is
//! all that is learnt from. `gathering` makes it of examples, each a `row`: of `labelled` files of
//! solutions, of `packages`, and of `families` of packages in several languages. `examples` is one
//! file of all of these. `problem` says what a problem is called in all files. `rewriting` makes
//! copies of examples that look different and do the same. `batch` draws and changes them.
//! `network` is the network that can be differentiated; `bag` and `projection` are the other parts
//! of a vector. `rows` chooses and sums rows on any `device`. `step`, `loss` and `optimizer` change
//! weights, `background` chooses unrelated code, `measure` shows how training goes, and `run` goes
//! from the first step to the last.

mod background;
pub mod bag;
pub mod batch;
pub mod data;
pub mod device;
mod error;
pub mod examples;
mod extended;
mod families;
pub mod gathering;
mod labelled;
pub mod loss;
pub mod measure;
pub mod network;
pub mod optimizer;
mod packages;
mod problem;
mod projection;
pub mod recipe;
pub mod rewriting;
mod row;
pub mod rows;
pub mod run;
pub mod step;

pub use error::TrainError;
