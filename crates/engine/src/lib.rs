//! The product's operations as plain functions; commands and routes call these.
//!
//! [`clones::run`] finds the clones inside and among trees; [`trend::run`] does so for one tag of a repository after another; [`license::run`] tells under which licenses code stands; [`snippet`] compares snippets by themselves; [`bags`]
//! runs the Type-3 engine on given token bags; [`embed`] writes the vectors of code.

mod above;
pub mod audit;
pub mod bags;
mod baseline;
mod behavior;
pub mod changed;
pub mod clones;
mod copies;
pub mod corpus;
mod declared;
mod detect;
pub mod embed;
mod fixture;
pub mod floor;
mod ingest;
mod input;
pub mod license;
mod memory;
mod nest;
mod options;
pub mod progress;
mod rank;
mod resolve;
mod roots;
pub mod snippet;
pub mod stored;
mod stream;
mod summary;
mod texts;
pub mod trend;

pub use familiar_corpus::named;

pub use baseline::Baseline;
pub use behavior::EncoderError;
pub use memory::TooMuch;
pub use options::{CONFIDENCE, CloneOptions, Measure, OptionsError};
pub use progress::Progress;
pub use texts::lexed;
