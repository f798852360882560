//! From hashes to numbers: sorted, packed to as few bits as they need, looked up by bucket.
//!
//! A posting is a 32-bit hash and a number of at most 48 bits. The upper bits of the hash choose the bucket, the next [`REST`] stand in the
//! posting, the others are dropped: a look-up may give numbers of other hashes, which whoever asks verifies anyway.

use std::ops::Range;

use rayon::prelude::*;

use super::SegmentError;
use crate::blocks::{Blocks, u32_at};

/// Bits of the hash that stand in a posting.
const REST: u32 = 8;

/// Postings of a bucket, on average.
const PER_BUCKET: usize = 32;

/// Bytes before the buckets: bits of the bucket number, bits of a value, number of postings.
const HEADER: usize = 12;

/// With these and the bits of the hash, a posting that starts amid a byte fits eight bytes.
const MOST_VALUE_BITS: u32 = 48;

/// Bytes after the last posting, so that each can be read as eight bytes.
const PADDING: usize = 8;

/// Packs postings given as hash and value.
pub(super) fn pack(mut postings: Vec<(u32, u64)>) -> Vec<u8> {
    postings.par_sort_unstable();
    postings.dedup();
    let largest = postings.iter().map(|&(_, value)| value).max().unwrap_or(0);
    let value_bits = u64::BITS - largest.leading_zeros();
    let buckets = (postings.len() / PER_BUCKET).max(1).next_power_of_two();
    let bucket_bits = buckets.trailing_zeros().min(u32::BITS - REST);
    let bucket = |hash: u32| (u64::from(hash) >> (u32::BITS - bucket_bits)) as u32;
    let mut out = Vec::new();
    for number in [bucket_bits, value_bits, postings.len() as u32] {
        out.extend(number.to_le_bytes());
    }
    let mut first = 0;
    for number in 0..1u32 << bucket_bits {
        first += postings[first..].partition_point(|&(hash, _)| bucket(hash) < number);
        out.extend((first as u32).to_le_bytes());
    }
    out.extend((postings.len() as u32).to_le_bytes());
    let (mut waiting, mut bits) = (0u128, 0);
    for (hash, value) in postings {
        let rest = hash << bucket_bits >> (u32::BITS - REST);
        waiting |= u128::from((u64::from(rest) << value_bits) | value) << bits;
        bits += REST + value_bits;
        while bits >= 8 {
            out.push(waiting as u8);
            waiting >>= 8;
            bits -= 8;
        }
    }
    out.push(waiting as u8);
    out.resize(out.len() + PADDING, 0);
    out
}

/// A section of postings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Postings {
    section: usize,
    bucket_bits: u32,
    value_bits: u32,
    count: u32,
}

impl Postings {
    pub(super) fn open(blocks: &Blocks, section: usize) -> Result<Self, SegmentError> {
        let header = blocks.get(section, 0..HEADER)?;
        let [bucket_bits, value_bits, count] = [0, 1, 2].map(|at| u32_at(header, at));
        let damaged = || blocks.damaged("its postings have changed");
        if bucket_bits > 24 || value_bits > MOST_VALUE_BITS {
            return Err(damaged());
        }
        let buckets = (1usize << bucket_bits) + 1;
        let width = (REST + value_bits) as usize;
        if blocks.len(section) != HEADER + buckets * 4 + count as usize * width / 8 + 1 + PADDING {
            return Err(damaged());
        }
        Ok(Self { section, bucket_bits, value_bits, count })
    }

    /// The postings of `hash` (and of the few hashes that look like it).
    #[inline]
    pub(super) fn find<'b>(&self, blocks: &'b Blocks, hash: u32) -> Result<Values<'b>, SegmentError> {
        let bucket = (u64::from(hash) >> (u32::BITS - self.bucket_bits)) as usize;
        let at = HEADER + bucket * 4;
        let ends = blocks.get(self.section, at..at + 8)?;
        let (start, end) = (u32_at(ends, 0), u32_at(ends, 1));
        if start > end || end > self.count {
            return Err(blocks.damaged("its postings have changed"));
        }
        let rest = u64::from(hash << self.bucket_bits >> (u32::BITS - REST));
        let width = REST + self.value_bits;
        let base = HEADER + ((1usize << self.bucket_bits) + 1) * 4;
        let first_bit = u64::from(start) * u64::from(width);
        let first_byte = (first_bit / 8) as usize;
        let last_byte = (u64::from(end) * u64::from(width) / 8) as usize + 1 + PADDING;
        let bytes = blocks.get(self.section, base + first_byte..base + last_byte)?;
        let values = Values { bytes, first_byte, width, value_bits: self.value_bits, range: start..end };
        // The postings of a bucket are sorted.
        let first_after = |from: u32, after: &dyn Fn(u64) -> bool| {
            let (mut low, mut high) = (from, end);
            while low < high {
                let middle = low.midpoint(high);
                if after(values.posting(middle) >> self.value_bits) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        let first = first_after(start, &|key| key >= rest);
        let range = first..first_after(first, &|key| key > rest);
        Ok(Values { range, ..values })
    }
}

/// The postings of a hash.
#[derive(Clone, Debug)]
pub struct Values<'b> {
    /// From `first_byte` of the packed postings on.
    bytes: &'b [u8],
    first_byte: usize,
    width: u32,
    value_bits: u32,
    range: Range<u32>,
}

impl Values<'_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.range.len()
    }

    /// The values; those of one hash are ascending.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let mask = (1u64 << self.value_bits) - 1;
        self.range.clone().map(move |number| self.posting(number) & mask)
    }

    #[inline]
    fn posting(&self, number: u32) -> u64 {
        let bit = u64::from(number) * u64::from(self.width) - self.first_byte as u64 * 8;
        let at = (bit / 8) as usize;
        let word: [u8; 8] = self.bytes[at..at + 8].try_into().expect("eight bytes");
        (u64::from_le_bytes(word) >> (bit % 8)) & ((1u64 << self.width) - 1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::blocks::{self, Layout};

    const TEST: Layout = Layout { kind: *b"test", version: 1, sections: &[1] };

    proptest! {
        #[test]
        fn every_posting_is_found(
            given in prop::collection::vec((prop::sample::select(vec![0u32, 1, 7, u32::MAX, 1 << 31, 12345 << 12]), 0u64..1 << 48), 0..50),
            more in prop::collection::vec((any::<u32>(), 0u64..1000), 0..3000),
        ) {
            for postings in [given, more] {
                let dir = tempfile::tempdir().expect("the temporary folder can be written");
                let path = dir.path().join("a");
                blocks::write(&path, &TEST, &[pack(postings.clone())]).expect("just made");
                let blocks = Blocks::open(&path, &TEST).expect("whole");
                let packed = Postings::open(&blocks, 0).expect("whole");
                for &(hash, value) in &postings {
                    let values = packed.find(&blocks, hash).expect("whole");
                    prop_assert!(values.iter().any(|known| known == value));
                    prop_assert!(values.count() == values.iter().count());
                }
            }
        }
    }

    #[test]
    fn a_header_that_says_too_much_is_damage() {
        let dir = tempfile::tempdir().expect("the temporary folder can be written");
        for (number, header) in [[25, 8, 1], [4, u32::MAX, 1], [u32::MAX, 8, u32::MAX]].iter().enumerate() {
            let path = dir.path().join(number.to_string());
            let mut section = pack(vec![(7, 1)]);
            section[..HEADER].copy_from_slice(&header.map(u32::to_le_bytes).concat());
            blocks::write(&path, &TEST, &[section]).expect("just made");
            let blocks = Blocks::open(&path, &TEST).expect("whole");
            assert!(Postings::open(&blocks, 0).is_err(), "{header:?}");
        }
    }
}
