//! Numbers with scores, ordered by score and, among equals, by number.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A score above a place, in one number: the greater is the better score or, among equal scores, the smaller place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Scored(u64);

const SIGN: u32 = 1 << 31;

impl Scored {
    #[inline]
    pub(super) fn new(score: f32, place: u32) -> Self {
        let bits = score.to_bits();
        let ordered = if bits & SIGN == 0 { bits | SIGN } else { !bits };
        Self(u64::from(ordered) << 32 | u64::from(!place))
    }

    #[inline]
    pub(super) fn score(self) -> f32 {
        let ordered = (self.0 >> 32) as u32;
        f32::from_bits(if ordered & SIGN == 0 { !ordered } else { ordered ^ SIGN })
    }

    #[inline]
    pub(super) fn place(self) -> u32 {
        !(self.0 as u32)
    }
}

/// The best of what is offered, at most so many.
#[derive(Debug, Default)]
pub(super) struct Best {
    heap: BinaryHeap<Reverse<Scored>>,
    most: usize,
}

impl Best {
    pub(super) fn new(most: usize) -> Self {
        Self { heap: BinaryHeap::new(), most }
    }

    /// Whether it was taken.
    #[inline]
    pub(super) fn offer(&mut self, scored: Scored) -> bool {
        if !self.takes(scored) {
            return false;
        }
        if self.heap.len() == self.most {
            self.heap.pop();
        }
        self.heap.push(Reverse(scored));
        true
    }

    /// Whether it is among the best so far.
    #[inline]
    pub(super) fn takes(&self, scored: Scored) -> bool {
        self.heap.len() < self.most || self.heap.peek().is_some_and(|worst| scored > worst.0)
    }

    /// Whether there is no room and all are better.
    #[inline]
    pub(super) fn is_full_above(&self, scored: Scored) -> bool {
        self.heap.len() == self.most && self.heap.peek().is_none_or(|worst| scored < worst.0)
    }

    /// The best first.
    pub(super) fn sorted(self) -> Vec<Scored> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(scored)| scored).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_score_is_first_and_among_equals_the_smallest_place() {
        let mut best = Best::new(4);
        for (score, place) in [(-0.5, 1), (0.25, 9), (0.25, 3), (-1.0, 0), (0.75, 7), (0.25, 5)] {
            best.offer(Scored::new(score, place));
        }
        let found: Vec<(f32, u32)> = best.sorted().iter().map(|it| (it.score(), it.place())).collect();
        assert_eq!(found, [(0.75, 7), (0.25, 3), (0.25, 5), (0.25, 9)]);
        assert_eq!(Scored::new(-0.5, 1).score(), -0.5);
    }
}
