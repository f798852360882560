//! Labelled data in; recall, precision and robustness out.
//!
//! [`pairs::run`] scores labelled pairs of code under a measure of similarity; [`bags::run`] runs the Type-3 engine on
//! given token bags. Both read JSON lines, plain or compressed by zstd.

pub mod bags;
mod error;
pub mod pairs;

pub use error::EvaluateError;
