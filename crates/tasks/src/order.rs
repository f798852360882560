//! The order of tokens in which prefixes are cut: the rarest first.
//!
//! Any order that is the same in all tasks finds the same pairs; the rarer the tokens of prefixes, the fewer are compared. So only the
//! most frequent tokens are counted and frozen, and all others stand before them.

use arrow_array::{Int64Array, RecordBatch};
use rustc_hash::FxHashMap;

use crate::TaskError;
use crate::bag::decode;
use crate::batch::{Column, batch, bytes, long};

/// Tokens that one task counts before it hands over what it has.
const MOST: usize = 1 << 20;

/// Counts in how many bags each token stands.
#[derive(Debug, Default)]
pub struct Counts {
    bags: FxHashMap<u64, i64>,
}

impl Counts {
    /// Counts the rows' `bag`. Gives rows of `token` and `bags` where the task has enough of them; the sum over all rows of a token counts.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        for bag in bytes(rows, "bag")?.iter().flatten() {
            for (token, _) in decode(bag)? {
                *self.bags.entry(token).or_insert(0) += 1;
            }
        }
        if self.bags.len() < MOST { Ok(None) } else { self.finish().map(Some) }
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        let mut counted: Vec<(u64, i64)> = self.bags.drain().collect();
        counted.sort_unstable();
        let tokens: Int64Array = counted.iter().map(|(token, _)| token.cast_signed()).collect();
        let bags: Int64Array = counted.iter().map(|(_, bags)| *bags).collect();
        batch(vec![Column::new("token", tokens), Column::new("bags", bags)])
    }
}

/// The frozen order: how often the most frequent tokens stand in bags.
#[derive(Clone, Debug, Default)]
pub struct Order {
    bags: FxHashMap<u64, i64>,
}

impl Order {
    /// The order of rows of `token` and `bags`.
    pub fn of<'r>(batches: impl IntoIterator<Item = &'r RecordBatch>) -> Result<Self, TaskError> {
        let mut order = Self::default();
        for rows in batches {
            let (tokens, bags) = (long(rows, "token")?, long(rows, "bags")?);
            let pairs = tokens.values().iter().zip(bags.values());
            order.bags.extend(pairs.map(|(token, bags)| (token.cast_unsigned(), *bags)));
        }
        Ok(order)
    }

    /// Brings a bag into the order.
    pub(crate) fn sort(&self, bag: &mut [(u64, u32)]) {
        bag.sort_unstable_by_key(|(token, _)| (self.bags.get(token).copied().unwrap_or(0), *token));
    }
}
