//! Which submissions are in this data set, and can it be trusted?
//!
//! Data sets of submissions in the layout of Project CodeNet (Puri et al. 2021), and tables of rows with code.
//!
//! # Files
//!
//! `table` reads rows of any format, `sample` is a row with code, and `data` gives the samples of a data set. `tokens` are those
//! that are compared, and `duplicates` finds the samples that are nearly the same.
//!
//! `import` makes a set: `layout` says where everything stands in it, `set` reads it, `submission` what is known of a submission and
//! a problem, `metadata` writes that as Parquet. `status`, `language_name` and `clean` bring statuses, languages and texts into one form.
//! `select` takes some of a set's submissions by a condition, `run` runs them on the sample input of their problem, `stats` counts
//! them, `evolution` compares those that follow each other, `problems` finds problems that are one, `benchmark` cuts a benchmark, and
//! `translations` pairs solutions in two languages. `page` is what pages for a browser share.

pub mod benchmark;
mod clean;
pub mod data;
pub mod duplicates;
pub mod evolution;
pub mod import;
mod language_name;
pub mod layout;
mod metadata;
mod page;
pub mod problems;
#[cfg(target_os = "linux")]
pub mod run;
pub mod sample;
pub mod select;
pub mod set;
mod skipped;
pub mod stats;
pub mod status;
pub mod submission;
pub mod table;
mod tokens;
pub mod translations;

pub use data::DataError;
pub use skipped::Skipped;
