//! The product's operations as plain functions; commands and routes call these.
//!
//! [`clones::run`] finds the clones inside and among trees; [`trend::run`] does so for one tag of a repository after another; [`license::run`] tells under which licenses code stands; [`snippet`] compares snippets by themselves; [`bags`]
//! runs the Type-3 engine on given token bags; [`embed`] writes the vectors of code.

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
