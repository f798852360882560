//! The order of tokens in which prefixes are cut: the rarest first.
//!
//! Any order that is the same in all tasks finds the same pairs; the rarer the tokens of prefixes, the fewer are compared. So only the
//! most frequent tokens are counted and frozen, and all others stand before them.

use arrow_array::RecordBatch;
use rustc_hash::FxHashMap;

use crate::TaskError;
use crate::bag::decode;
use crate::batch::{bytes, long};
use crate::counts::Tally;

/// Counts in how many bags each token stands.
#[derive(Debug)]
pub struct Counts(Tally);

impl Counts {
    /// Counts go to so many buckets.
    pub fn new(buckets: u32) -> Self {
        Self(Tally::new(buckets))
    }

    /// Counts the rows' `bag`. Gives rows of `bucket` and `pack`, for [`crate::sums`], where the task has enough of them.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        for bag in bytes(rows, "bag")?.iter().flatten() {
            for (token, _) in decode(bag)? {
                self.0.add(token);
            }
        }
        self.0.full()
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        self.0.finish()
    }
}

/// The frozen order: how often the most frequent tokens stand in bags.
#[derive(Clone, Debug, Default)]
pub struct Order {
    bags: FxHashMap<u64, i64>,
    /// In how many bags any other token stands at most.
    rest: i64,
}

impl Order {
    /// The order of rows of `number`, a token, and `count`, in how many bags it stands. It is whole where no other token stands in two bags.
    pub fn of(rows: &RecordBatch, is_whole: bool) -> Result<Self, TaskError> {
        let (tokens, bags) = (long(rows, "number")?, long(rows, "count")?);
        let rest = if is_whole { 1 } else { bags.values().iter().copied().min().unwrap_or(i64::MAX) };
        let pairs = tokens.values().iter().zip(bags.values());
        Ok(Self { bags: pairs.map(|(token, bags)| (token.cast_unsigned(), *bags)).collect(), rest })
    }

    /// In how many bags a token stands at most.
    pub(crate) fn most(&self, token: u64) -> i64 {
        self.bags.get(&token).copied().unwrap_or(self.rest)
    }

    /// Brings a bag into the order.
    pub(crate) fn sort(&self, bag: &mut [(u64, u32)]) {
        bag.sort_unstable_by_key(|(token, _)| (self.bags.get(token).copied().unwrap_or(0), *token));
    }
}
