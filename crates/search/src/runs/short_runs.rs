//! What short runs say of their own.
//!
//! The heads of two functions, and short stretches of two tests, are often alike because there is one way to begin: they
//! check their arguments, take a lock, set up what many tests need. Such a run is a copy only if its statements say something
//! that no other code of the tree says ([`crate::statements`]).

use std::io;

use familiar_index::Collection;
use familiar_source::Span;

use crate::Place;
use crate::evidence::Commonness;
use crate::information::{Evidence, has_bits};
use crate::similar::Sequence;

// Chosen by 2,284 judged pairs; `docs/precision.md` says what each limit leaves out, and what a limit of 100 tokens would.

/// The head of a function of fewer tokens is short.
const SHORT_HEAD: u32 = 75;

/// With at least so much of its function, a run is more than its head.
const MOST_OF_FUNCTION: f64 = 0.5;

/// A run in tests that says less than this is short, in bits.
const SHORT_IN_TESTS: u32 = 340;

/// Tells short runs that say something; keeps its memory from one pair to the next.
#[derive(Debug)]
pub(super) struct ShortRuns<'c> {
    collection: &'c Collection,
    commonness: Option<&'c Commonness>,
    evidence: Evidence,
    scopes: Vec<u32>,
    tokens: [Vec<u32>; 2],
    starts: Vec<u32>,
}

impl<'c> ShortRuns<'c> {
    pub(super) fn new(
        collection: &'c Collection,
        commonness: Option<&'c Commonness>,
        evidence: Evidence,
    ) -> Self {
        let (scopes, tokens, starts) = Default::default();
        Self { collection, commonness, evidence, scopes, tokens, starts }
    }

    /// Whether two runs of `copies`, whose `pieces` are alike, are more than the heads of two functions or a stretch of two
    /// tests.
    pub(super) fn is_enough(&mut self, pieces: &[(Place, Place)], copies: usize) -> io::Result<bool> {
        let (Some(&first), Some(&last)) = (pieces.first(), pieces.last()) else { return Ok(true) };
        let whole = |first: Place, last: Place| Place {
            tokens: Span::new(first.tokens.start, last.tokens.end),
            ..first
        };
        let (left, right) = (whole(first.0, last.0), whole(first.1, last.1));
        let least = if self.are_short_heads(left, right)? {
            self.evidence.unique_in_heads
        } else if self.are_short_in_tests(left, right)? {
            self.evidence.unique_in_tests
        } else {
            0
        };
        let Some(commonness) = self.commonness.filter(|_| least > 0) else { return Ok(true) };
        let Self { collection, tokens: [a, b], starts, .. } = self;
        let mut unique = Vec::new();
        for &(one, other) in pieces {
            collection.line_starts_in(one.file, one.tokens.start..one.tokens.end, starts)?;
            let symbols = collection.tokens.get(one.file, one.tokens.start..one.tokens.end, a)?;
            let right = collection.tokens.get(other.file, other.tokens.start..other.tokens.end, b)?;
            let left = Sequence { symbols, line_starts: starts };
            commonness.statements().add_unique(left, right, copies, &mut unique);
        }
        Ok(has_bits(&unique, least))
    }

    /// Whether two runs begin functions, and hold less than half of one of them.
    fn are_short_heads(&mut self, left: Place, right: Place) -> io::Result<bool> {
        if left.tokens.len().min(right.tokens.len()) >= SHORT_HEAD {
            return Ok(false);
        }
        let [left, right] = [self.share_of_function(left)?, self.share_of_function(right)?];
        Ok(left.max(right) < 1.0 && left.min(right) < MOST_OF_FUNCTION)
    }

    /// The share of the function that a run begins; 1 where it begins none, or holds all of it.
    fn share_of_function(&mut self, Place { file, tokens }: Place) -> io::Result<f64> {
        let scopes = self.collection.scopes.file(file, &mut self.scopes)?;
        Ok(begun(scopes, tokens.start, tokens.end))
    }

    /// Whether two runs are a short stretch of two tests, equal as written.
    fn are_short_in_tests(&mut self, left: Place, right: Place) -> io::Result<bool> {
        let is_test = |place: &Place| self.collection.files[place.file as usize].is_test(place.tokens.start);
        if ![left, right].iter().all(is_test) {
            return Ok(false);
        }
        let [a, b] = &mut self.tokens;
        let left = self.collection.tokens.get(left.file, left.tokens.start..left.tokens.end, a)?;
        let right = self.collection.tokens.get(right.file, right.tokens.start..right.tokens.end, b)?;
        Ok(left == right && !has_bits(left, SHORT_IN_TESTS))
    }
}

/// The share of its function that a run from `start` to `end` begins; 1 where it begins none of `scopes`, or holds one as a
/// whole: then it is more than a head.
fn begun(scopes: &[u32], start: u32, end: u32) -> f64 {
    let mut inside = scopes.chunks_exact(2).filter(|scope| (start..end).contains(&scope[0]));
    let share = |scope: &[u32]| f64::from(end - scope[0]) / f64::from(scope[1] - scope[0]);
    inside.next_back().map_or(1.0, |scope| if scope[1] > end { share(scope) } else { 1.0 })
}

#[cfg(test)]
mod tests {
    use familiar_index::Side;

    use super::*;
    use crate::information::Limit;
    use crate::testing;

    #[test]
    fn a_head_is_the_beginning_of_a_function_that_goes_on() {
        assert_eq!(begun(&[0, 100, 10, 50], 10, 20), 0.25);
        assert_eq!(begun(&[0, 100, 10, 50], 10, 50), 1.0, "that is all of it");
        assert_eq!(begun(&[0, 100, 10, 50], 12, 20), 1.0, "that begins nothing");
        assert_eq!(begun(&[0, 100, 10, 50], 0, 60), 1.0, "that holds a method of a class");
        assert_eq!(begun(&[0, 100, 10, 50], 0, 20), 0.25, "that ends in the head of a method");
    }

    #[test]
    fn a_stretch_of_two_tests_says_something_of_its_own() {
        let common = vec!["server", "=", "start", "(", "port", ",", "folder", ",", "user", ")", ";"];
        let rare = vec!["total", "=", "price", "*", "rate", "-", "discount", "+", "tax", "/", "days", ";"];
        let rarer = vec!["sum", "=", "ledger", "(", "account", ",", "currency", ",", "month", ")", ";"];
        let mut files = vec![(vec![common.clone(), rare.clone(), rarer.clone()], 0, Side::Both); 2];
        files.extend(vec![(vec![common.clone()], 0, Side::Both); 3]);
        let (mut collection, _) = testing::collection(&files);
        let place = |file, from: u32, to: u32| Place { file, tokens: Span::new(from, to) };
        let enough = |collection: &Collection, from, to| {
            let commonness = Commonness::of(collection).expect("in memory");
            let evidence = Limit::among(u64::MAX).evidence();
            let (left, right) = (place(0, from, to), place(1, from, to));
            let mut short_runs = ShortRuns::new(collection, Some(&commonness), evidence);
            short_runs.is_enough(&[(left, right)], 2).expect("in memory")
        };
        assert!(enough(&collection, 0, 11), "this is no test");
        collection.files.iter_mut().for_each(|file| file.tests_from = 0);
        assert!(!enough(&collection, 0, 11), "five tests begin like that");
        assert!(enough(&collection, 0, 34), "two tests say more");
    }
}
