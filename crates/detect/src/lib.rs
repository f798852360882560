//! Which fragments of these documents are clones?
//!
//! [`Search::read`] makes a collection of numbers of the documents ([`CloneOptions`] says how), and [`Search::report`] finds the
//! clones among them and reads the files that hold some once more. [`among`] does both for documents of one side, [`between`] for
//! those of two.

mod baseline;
mod behavior;
mod changed;
mod copies;
mod fixture;
mod ingest;
mod matching;
mod memory;
mod naming;
mod nest;
mod options;
mod rank;
mod resolve;
pub mod roots;
mod search;
mod searches;
mod stream;
mod summary;
pub mod texts;

pub use baseline::Baseline;
pub use behavior::EncoderError;
pub use changed::ChangedError;
pub use memory::TooMuch;
pub use options::{CloneOptions, OptionsError};
pub use search::{DetectError, Scope, Search, Sides, among, between, pool};
