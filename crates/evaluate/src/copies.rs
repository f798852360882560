//! What is a copy, where data has no say.

use familiar_engine::Measure;
use familiar_engine::snippet::{self, Snippet};

/// Token overlap from which on a snippet is an edited copy of another.
const COPY: f64 = 0.8;

/// Whether one snippet is a renamed or edited copy of the other. Data sets have one problem under several names.
pub(crate) fn are_copies(left: &Snippet, right: &Snippet) -> bool {
    snippet::similarity(Measure::TokenOverlap, left, right) >= COPY
}
