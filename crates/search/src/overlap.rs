//! Placeholder.

use std::io;

use familiar_index::Collection;

use crate::Link;
use crate::equal::Equal;
use crate::similar::{Sequence, SimilarSettings, Similarity};

/// Placeholder.
#[derive(Debug)]
pub struct TokenOverlap;

impl Similarity for TokenOverlap {
    fn reads_lines(&self) -> bool {
        false
    }

    fn of(&self, _left: Sequence<'_>, _right: Sequence<'_>) -> f64 {
        0.0
    }

    fn links(
        &self,
        _collection: &Collection,
        _equal: &Equal,
        _settings: &SimilarSettings,
    ) -> io::Result<Vec<Link>> {
        Ok(Vec::new())
    }
}
