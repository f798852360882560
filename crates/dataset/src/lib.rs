//! How is a new benchmark of clones made? From seed functions over what a language model answers to pairs that are judged and tested.
//!
//! The way is that of GPTCloneBench (Alam et al. 2023, Section III). A benchmark is a folder, a [`Project`]. Each step reads the files of
//! those before it and writes its own, whole or not at all, so every step can be repeated, and goes on after a kill.
//!
//! | step | reads | writes |
//! |---|---|---|
//! | [`seeds`] | sources of code | `seeds.jsonl` |
//! | [`generate`] | seeds and prompts | `requests.jsonl`, `generated.jsonl` |
//! | [`import`] | replies or pairs of others | `seeds.jsonl`, `imported.jsonl` |
//! | [`parse`] | replies | `candidates.jsonl`, `dropped.jsonl` |
//! | [`filter`] | candidates | `pairs.jsonl`, `merged.jsonl` |
//! | `test` | pairs | `tests.jsonl` |
//! | [`judge`] | pairs, and what tests say | `judgements.jsonl`, which only grows |
//! | [`sample`] | a result of `clones`, `find` or `audit` | `sample.jsonl` in a folder of its own, for [`judge`] |
//! | [`release`] | pairs | `releases/VERSION` |
//! | [`inject`] | pairs and a system | a system with the pairs in it |
//! | [`run`] | pairs, or a system with them | what a detector finds |
//!
//! # Files
//!
//! `project` is the folder, `settings` its configuration, `prompt` what is asked, with the words that come with the program in `prompts`.
//! `seed`, `reply`, `candidate` and `pair` are the rows, and `lines` reads and writes files of them. `form` tells copies, `grammar` tells
//! what is no program, and `split` makes parts without leaks. `status` counts,
//! `tested` says what tests say of the pairs as they are now, `validators` what two validators say, and `study` compares prompts.

mod candidate;
mod error;
mod file_names;
pub mod filter;
mod form;
pub mod generate;
mod grammar;
pub mod import;
pub mod inject;
pub mod judge;
mod lines;
mod pair;
pub mod parse;
mod project;
mod prompt;
pub mod release;
mod reply;
pub mod run;
pub mod sample;
mod seed;
pub mod seeds;
mod settings;
mod split;
pub mod status;
pub mod study;
#[cfg(target_os = "linux")]
pub mod test;
mod tested;
mod validators;

pub use candidate::{Candidate, Cause, Dropped};
pub use error::DatasetError;
pub use pair::{Band, BigCloneBand, Contamination, Pair};
pub use project::Project;
pub use prompt::Prompt;
pub use reply::Reply;
pub use seed::Seed;
pub use settings::Settings;
pub use split::Split;

/// So many threads, or one for each processor core where 0.
fn pool(threads: usize) -> Result<rayon::ThreadPool, DatasetError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|source| DatasetError::Threads { threads, source })
}
