//! How often each of many numbers stands in rows that are shared out: each task counts its own, and the counts of one number meet.

use arrow_array::{Int64Array, RecordBatch};
use rustc_hash::FxHashMap;

use crate::TaskError;
use crate::batch::{Column, batch};
use crate::packs::{Buckets, Packs, mixed, number};

/// Numbers that one task counts before it hands over what it has.
const MOST: usize = 1 << 20;

/// The counts of one task.
#[derive(Debug)]
pub(crate) struct Tally {
    counts: FxHashMap<u64, u64>,
    packs: Packs,
}

impl Tally {
    /// Counts go to so many buckets, by their numbers.
    pub(crate) fn new(buckets: u32) -> Self {
        Self { counts: FxHashMap::default(), packs: Packs::new(buckets) }
    }

    pub(crate) fn add(&mut self, number: u64) {
        *self.counts.entry(number).or_insert(0) += 1;
    }

    /// Rows of `bucket` and `pack` for [`sums`], where there are enough.
    pub(crate) fn full(&mut self) -> Result<Option<RecordBatch>, TaskError> {
        if self.counts.len() < MOST { Ok(None) } else { self.finish().map(Some) }
    }

    /// The same of what is left.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        let mut counts: Vec<(u64, u64)> = self.counts.drain().collect();
        counts.sort_unstable();
        for (of, count) in counts {
            self.packs.write(self.packs.bucket(mixed(of)), |pack| {
                number(of, pack);
                number(count, pack);
            });
        }
        self.packs.finish()
    }
}

/// Adds up what tasks counted. Makes rows of `packs`, a list for each bucket, to rows of `number` and `count`, of all that were counted
/// at least so often.
pub fn sums(least: u64, buckets: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let (mut numbers, mut counts) = (Vec::new(), Vec::new());
    for packs in Buckets::of(buckets)?.iter() {
        let mut summed: FxHashMap<u64, u64> = FxHashMap::default();
        for mut pack in packs {
            while !pack.is_empty() {
                let of = pack.number()?;
                *summed.entry(of).or_insert(0) += pack.number()?;
            }
        }
        let mut summed: Vec<(u64, u64)> = summed.into_iter().filter(|(_, count)| *count >= least).collect();
        summed.sort_unstable();
        numbers.extend(summed.iter().map(|(of, _)| of.cast_signed()));
        counts.extend(summed.iter().map(|(_, count)| count.cast_signed()));
    }
    batch(vec![
        Column::new("number", Int64Array::from(numbers)),
        Column::new("count", Int64Array::from(counts)),
    ])
}
