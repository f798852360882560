//! The product's operations as plain functions; commands and routes call these.
//!
//! [`clones::run`] finds the clones inside and among trees or corpora; [`trend::run`] does so for one
//! tag of a repository after another. [`snippet`] compares snippets by themselves, [`bags`] runs the
//! Type-3 engine on given token bags, and [`embed`] writes the vectors of code. [`stored`] reads
//! results back, and [`floor`] is the measure under every figure of speed.
//!
//! `familiar_detect` does the search, and `familiar_library` opens corpora. The operations of
//! `familiar_audit` (audits, and the licenses of trees) stand beside this crate.

pub mod bags;
pub mod clones;
pub mod embed;
pub mod floor;
pub mod snippet;
pub mod stored;
mod texts;
pub mod trend;

pub use familiar_corpus::named;
pub use familiar_model::CONFIDENCE;
pub use familiar_search::Measure;
pub use familiar_source::Progress;

pub use familiar_detect::{Baseline, CloneOptions, DetectError, OptionsError};
pub use texts::lexed;
