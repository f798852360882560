//! Which submissions are in this data set, and can it be trusted?
//!
//! Data sets of submissions in the layout of Project CodeNet (Puri et al. 2021), and tables of rows with code.
//!
//! # Files
//!
//! `table` reads rows of any format, `sample` is a row with code, and `data` gives the samples of a data set. `tokens` are those
//! that are compared, and `duplicates` finds the samples that are nearly the same.
//!
//! `import` makes a set: `layout` says where everything stands in it, `set` reads it, `submission` what is known of a submission and a problem,
//! `metadata` writes that as Parquet. `status`, `language_name` and `clean` bring statuses, languages and texts into one form.

mod clean;
pub mod data;
pub mod duplicates;
pub mod import;
mod language_name;
pub mod layout;
mod metadata;
pub mod sample;
pub mod set;
mod skipped;
pub mod status;
pub mod submission;
pub mod table;
pub mod tokens;

pub use data::DataError;
pub use skipped::Skipped;
