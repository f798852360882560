//! Candidates to verified, grouped and ranked clone pairs, over a `familiar_index::Collection`.

mod place;
pub mod runs;

pub use place::Place;
