//! Sums over queries, as far as they were asked.

use super::rank::Sums;

/// What the queries gave so far.
pub(super) struct Tally {
    pub(super) total: Sums,
    /// For each language of queries.
    pub(super) by_language: Vec<Sums>,
    /// For each language of queries, each language of candidates.
    pub(super) by_pair: Vec<Sums>,
}

impl Tally {
    pub(super) fn new(languages: usize) -> Self {
        Self {
            total: Sums::default(),
            by_language: vec![Sums::default(); languages],
            by_pair: vec![Sums::default(); languages * languages],
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.total.add(&other.total);
        self.by_language.iter_mut().zip(&other.by_language).for_each(|(sum, more)| sum.add(more));
        self.by_pair.iter_mut().zip(&other.by_pair).for_each(|(sum, more)| sum.add(more));
    }
}
