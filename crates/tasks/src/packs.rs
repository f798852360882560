//! Many rows in one, on their way from task to task.
//!
//! What meets by a key travels as rows of a bucket and a pack: bytes that hold all that one task has for the keys of that bucket. So an
//! engine moves few rows, however many there are in them, and what several keys of a bucket share travels once.

use arrow_array::builder::{BinaryBuilder, Int32Builder};
use arrow_array::{LargeBinaryArray, RecordBatch};
use rustc_hash::FxHashMap;
use std::ops::Range;

use crate::TaskError;
use crate::batch::{Column, batch, binaries};

/// Bytes that a task holds before it hands over what it has.
const MOST: usize = 32 << 20;

/// Packs that are being filled.
#[derive(Debug)]
pub(crate) struct Packs {
    buckets: u32,
    packs: FxHashMap<u32, Vec<u8>>,
    bytes: usize,
}

impl Packs {
    /// Packs of so many buckets, of one at least.
    pub(crate) fn new(buckets: u32) -> Self {
        Self { buckets: buckets.clamp(1, i32::MAX.cast_unsigned()), packs: FxHashMap::default(), bytes: 0 }
    }

    /// The bucket of what has this hash.
    pub(crate) fn bucket(&self, hash: u64) -> u32 {
        (hash % u64::from(self.buckets)) as u32
    }

    /// Writes to the pack of a bucket.
    pub(crate) fn write(&mut self, bucket: u32, row: impl FnOnce(&mut Vec<u8>)) {
        let pack = self.packs.entry(bucket).or_default();
        let before = pack.len();
        row(pack);
        self.bytes += pack.len() - before;
    }

    /// All packs, where there are bytes enough.
    pub(crate) fn full(&mut self) -> Result<Option<RecordBatch>, TaskError> {
        if self.bytes < MOST { Ok(None) } else { self.finish().map(Some) }
    }

    /// All packs: rows of `bucket` and `pack`.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        let mut packs: Vec<(u32, Vec<u8>)> = self.packs.drain().collect();
        packs.sort_unstable_by_key(|(bucket, _)| *bucket);
        self.bytes = 0;
        let (mut bucket, mut pack) = (Int32Builder::new(), BinaryBuilder::new());
        for (of, bytes) in packs {
            bucket.append_value(of.cast_signed());
            pack.append_value(bytes);
        }
        batch(vec![Column::new("bucket", bucket.finish()), Column::new("pack", pack.finish())])
    }
}

/// The packs of each row of `packs`, a list for each bucket.
pub(crate) struct Buckets {
    lists: Vec<Range<usize>>,
    packs: LargeBinaryArray,
}

impl Buckets {
    pub(crate) fn of(rows: &RecordBatch) -> Result<Self, TaskError> {
        let (lists, packs) = binaries(rows, "packs")?;
        Ok(Self { lists, packs })
    }

    /// The readers of the packs of each bucket.
    pub(crate) fn iter(&self) -> impl Iterator<Item = impl Iterator<Item = Pack<'_>>> {
        self.lists.iter().map(|list| list.clone().map(|row| Pack::of(self.packs.value(row))))
    }
}

/// What is left to read of a pack.
pub(crate) struct Pack<'p>(&'p [u8]);

impl<'p> Pack<'p> {
    pub(crate) fn of(bytes: &'p [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn take<const N: usize>(&mut self) -> Result<[u8; N], TaskError> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(TaskError::Pack)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn bytes(&mut self, len: u64) -> Result<&'p [u8], TaskError> {
        let len = usize::try_from(len).map_err(|_| TaskError::Pack)?;
        let (taken, rest) = self.0.split_at_checked(len).ok_or(TaskError::Pack)?;
        self.0 = rest;
        Ok(taken)
    }

    /// A number as [`number`] writes it.
    pub(crate) fn number(&mut self) -> Result<u64, TaskError> {
        let (mut number, mut shift) = (0_u64, 0_u32);
        loop {
            let [byte] = self.take()?;
            if shift > 63 {
                return Err(TaskError::Pack);
            }
            number |= u64::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
    }

    /// The same, of at most 32 bits.
    pub(crate) fn short(&mut self) -> Result<u32, TaskError> {
        u32::try_from(self.number()?).map_err(|_| TaskError::Pack)
    }
}

/// Writes a number in as many bytes as it needs, seven bits in each.
pub(crate) fn number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Spreads what is no hash itself over buckets.
pub(crate) fn mixed(number: u64) -> u64 {
    let mixed = (number ^ (number >> 32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 29)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_read_back(numbers in prop::collection::vec(any::<u64>(), 0..9)) {
            let mut out = Vec::new();
            for &one in &numbers {
                number(one, &mut out);
            }
            let mut pack = Pack(&out);
            for &one in &numbers {
                prop_assert_eq!(pack.number().ok(), Some(one));
            }
            prop_assert!(pack.is_empty());
        }

        #[test]
        fn other_bytes_are_an_error_or_a_number(bytes in prop::collection::vec(any::<u8>(), 0..20)) {
            let _ = Pack(&bytes).number();
        }
    }
}
