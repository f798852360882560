//! How often each statement of a collection stands in it, as written.
//!
//! The set-up that many tests repeat, and the first lines of many functions, are made of statements that stand all over a
//! tree. What a copy says of its own is what is left without them.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

use crate::sequence::Sequence;

/// So many times as many counters as tokens, so that few statements share one.
const SLOTS_PER_TOKEN: u64 = 2;

/// The counters' number, log₂: at least, and at most.
const SLOTS_LOG2: std::ops::RangeInclusive<u32> = 12..=24;

/// The number of counters for `tokens` tokens.
fn slots(tokens: u64) -> usize {
    let slots = tokens.saturating_mul(SLOTS_PER_TOKEN).max(1).ilog2();
    1 << slots.clamp(*SLOTS_LOG2.start(), *SLOTS_LOG2.end())
}

/// Counts of statements. A statement that shares a counter with another counts for both.
#[derive(Clone, Debug)]
pub(crate) struct Statements {
    counts: Vec<u8>,
}

impl Statements {
    /// A table for the statements of a collection of `tokens` tokens.
    pub(crate) fn among(tokens: u64) -> Self {
        Self { counts: vec![0; slots(tokens)] }
    }

    /// Whether a table for the statements of `tokens` tokens has as many counters.
    pub(crate) fn is_for(&self, tokens: u64) -> bool {
        self.counts.len() == slots(tokens)
    }

    /// Counts the statements of a file.
    pub(crate) fn add(&mut self, file: Sequence<'_>) {
        for statement in file.statements() {
            let slot = self.slot(statement);
            self.counts[slot] = self.counts[slot].saturating_add(1);
        }
    }

    /// Takes the statements of a file back. A counter that is full stays so.
    pub(crate) fn remove(&mut self, file: Sequence<'_>) {
        for statement in file.statements() {
            let slot = self.slot(statement);
            if self.counts[slot] < u8::MAX {
                self.counts[slot] = self.counts[slot].saturating_sub(1);
            }
        }
    }

    /// Adds to `out` the symbols of the statements that both of two equally long stretches have at the same places, and that
    /// stand nowhere but in their `copies`.
    pub(crate) fn add_unique(&self, left: Sequence<'_>, right: &[u32], copies: usize, out: &mut Vec<u32>) {
        let mut occurrences: FxHashMap<usize, usize> = FxHashMap::default();
        for statement in left.statements() {
            *occurrences.entry(self.slot(statement)).or_default() += 1;
        }
        let mut start = 0;
        for statement in left.statements() {
            let end = start + statement.len();
            let slot = self.slot(statement);
            let is_unique = usize::from(self.counts[slot]) <= copies * occurrences[&slot];
            if is_unique && right.get(start..end) == Some(statement) {
                out.extend_from_slice(statement);
            }
            start = end;
        }
    }

    /// The symbols of the statements of `left` that stand anywhere in `right`, too, and nowhere but in their `copies`.
    pub(crate) fn unique_anywhere(&self, left: Sequence<'_>, right: Sequence<'_>, copies: usize) -> Vec<u32> {
        let occurrences = |side: Sequence<'_>| {
            let mut occurrences: FxHashMap<usize, usize> = FxHashMap::default();
            side.statements()
                .for_each(|statement| *occurrences.entry(self.slot(statement)).or_default() += 1);
            occurrences
        };
        let (here, there) = (occurrences(left), occurrences(right));
        let is_unique = |statement: &&[u32]| {
            let slot = self.slot(statement);
            let most = there.get(&slot).map(|&there| there.max(here[&slot]));
            most.is_some_and(|most| usize::from(self.counts[slot]) <= copies * most)
        };
        left.statements().filter(is_unique).flatten().copied().collect()
    }

    fn slot(&self, statement: &[u32]) -> usize {
        let mut hasher = FxHasher::default();
        for &symbol in statement {
            hasher.write_u32(symbol);
        }
        (hasher.finish() >> 20) as usize & (self.counts.len() - 1)
    }
}
