//! The comparison of bags that share a key.

use std::cell::OnceCell;

use arrow_array::RecordBatch;
use arrow_array::builder::{BinaryBuilder, Float64Builder};

use crate::bag::{Bag, decode};
use crate::batch::{Column, batch, bytes_where_given, hashes};
use crate::measure::Similarity;
use crate::packs::{Buckets, Pack};
use crate::{Measure, TaskError};

#[derive(Debug)]
struct Row<'r> {
    node: [u8; 16],
    twin: [u8; 16],
    size: u32,
    family: i32,
    /// The bytes of the bag. None where it is too large to be here.
    bag: Option<&'r [u8]>,
    /// What is read of them, once the row has a partner.
    compared: OnceCell<Compared>,
}

#[derive(Debug)]
struct Compared {
    /// Ascending by token.
    bag: Bag,
    signature: [u64; 2],
    /// The keys of the prefix, in the frozen order.
    keys: Box<[i64]>,
}

/// The rows of pairs.
#[derive(Default)]
pub(crate) struct Found {
    left: BinaryBuilder,
    right: BinaryBuilder,
    similarity: Float64Builder,
    multiset: Float64Builder,
}

/// A row of a key: what is compared with what has the same `key`, `a` and `b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    key: i64,
    /// The two blocks of the key that are compared here, or one block twice, and the one in which the row is.
    a: u32,
    b: u32,
    size: u32,
    node: [u8; 16],
    block: u32,
    row: u32,
}

/// Compares the bags that share a key. Each row of `buckets` holds `packs`, a list of those that [`crate::Keys`] made for one bucket. Two
/// blocks of a key may also be the two sides of a search, and a node may stand on both.
///
/// Gives rows of `left`, `right` (the smaller node first), `similarity` and `multiset`, each pair once, or
/// twice where both of its nodes stand on both sides. Both numbers are null where a bag is not there: such a pair may come several
/// times, and is for [`verify`].
pub fn links(measure: Measure, buckets: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let mut found = Found::default();
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    for packs in Buckets::of(buckets)?.iter() {
        rows.clear();
        places.clear();
        for mut pack in packs {
            while !pack.is_empty() {
                read(&mut pack, &mut rows, &mut places)?;
            }
        }
        places.sort_unstable();
        // Two elements of a prefix may share a key; the node stands there once. It may stand on both of two sides, though.
        places.dedup_by_key(|place| Place { row: 0, ..*place });
        for of_cell in places.chunk_by(|one, two| (one.key, one.a, one.b) == (two.key, two.a, two.b)) {
            let Place { key, a, b, .. } = of_cell[0];
            Cell { measure, key, is_one_block: a == b, rows: &rows }.compare(of_cell, &mut found)?;
        }
    }
    found.finish()
}

/// Reads a node and its places.
fn read<'p>(pack: &mut Pack<'p>, rows: &mut Vec<Row<'p>>, places: &mut Vec<Place>) -> Result<(), TaskError> {
    let (node, twin) = (pack.take()?, pack.take()?);
    let (family, size) = (i32::from_le_bytes(pack.take()?), pack.short()?);
    let len = pack.number()?;
    // The bag of nothing has bytes, too.
    let bag = (len > 0).then(|| pack.bytes(len)).transpose()?;
    let len = pack.number()?;
    let mut met = Pack::of(pack.bytes(len)?);
    let row = u32::try_from(rows.len()).map_err(|_| TaskError::Pack)?;
    rows.push(Row { node, twin, size, family, bag, compared: OnceCell::new() });
    while !met.is_empty() {
        let key = i64::from_le_bytes(met.take()?);
        let (a, b, block) = (met.short()?, met.short()?, met.short()?);
        places.push(Place { key, a, b, size, node, block, row });
    }
    Ok(())
}

/// A key, and how the bags that share it are compared.
struct Cell<'c, 'r> {
    measure: Measure,
    key: i64,
    is_one_block: bool,
    rows: &'c [Row<'r>],
}

impl Row<'_> {
    /// What is compared, where the bag is here.
    fn compared(&self, measure: Measure) -> Result<Option<&Compared>, TaskError> {
        let Some(bag) = self.bag else { return Ok(None) };
        if self.compared.get().is_none() {
            let made = Compared::of(decode(bag)?, measure, self.family);
            return Ok(Some(self.compared.get_or_init(|| made)));
        }
        Ok(self.compared.get())
    }
}

impl Compared {
    fn of(mut bag: Bag, measure: Measure, family: i32) -> Self {
        let mut prefix = Vec::new();
        measure.prefix(&bag, family, &mut prefix);
        let keys = prefix.into_iter().map(|(key, _)| key).collect();
        bag.sort_unstable();
        let mut signature = [0; 2];
        for (token, _) in &bag {
            let bit = token.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57;
            signature[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        Self { bag, signature, keys }
    }
}

impl Cell<'_, '_> {
    /// Compares rows that are sorted by size.
    fn compare(&self, places: &[Place], found: &mut Found) -> Result<(), TaskError> {
        for (at, larger) in places.iter().enumerate() {
            let least = self.measure.least(larger.size);
            let first = places[..at].partition_point(|place| place.size < least);
            for smaller in &places[first..at] {
                let belongs = self.is_one_block || smaller.block != larger.block;
                let (one, two) = (&self.rows[smaller.row as usize], &self.rows[larger.row as usize]);
                if belongs && one.twin != two.twin {
                    self.pair(one, two, found)?;
                }
            }
        }
        Ok(())
    }

    fn pair(&self, smaller: &Row<'_>, larger: &Row<'_>, found: &mut Found) -> Result<(), TaskError> {
        let (Some(one), Some(two)) = (smaller.compared(self.measure)?, larger.compared(self.measure)?) else {
            found.add(smaller.node, larger.node, None);
            return Ok(());
        };
        let apart: u32 = (0..2).map(|at| (one.signature[at] ^ two.signature[at]).count_ones()).sum();
        if apart > self.most_apart(smaller.size, larger.size) || !is_first(self.key, &one.keys, &two.keys) {
            return Ok(());
        }
        if let Some(similarity) = self.measure.similarity(&one.bag, &two.bag) {
            found.add(smaller.node, larger.node, Some(similarity));
        }
        Ok(())
    }

    /// How many tokens may stand in one of the bags alone: each bit in which their signatures differ is one.
    fn most_apart(&self, smaller: u32, larger: u32) -> u32 {
        smaller + larger - (2 * self.measure.least(larger)).min(smaller + larger)
    }
}

/// Whether `key` is the first of the smaller bag's prefix that the larger one has, too: a pair is taken there alone.
fn is_first(key: i64, smaller: &[i64], larger: &[i64]) -> bool {
    smaller.iter().find(|it| larger.contains(it)) == Some(&key)
}

impl Found {
    pub(crate) fn add(&mut self, one: [u8; 16], two: [u8; 16], similarity: Option<Similarity>) {
        self.left.append_value(one.min(two));
        self.right.append_value(one.max(two));
        self.similarity.append_option(similarity.map(|it| it.first));
        self.multiset.append_option(similarity.map(|it| it.multiset));
    }

    pub(crate) fn finish(mut self) -> Result<RecordBatch, TaskError> {
        batch(vec![
            Column::new("left", self.left.finish()),
            Column::new("right", self.right.finish()),
            Column::nullable("similarity", self.similarity.finish()),
            Column::nullable("multiset", self.multiset.finish()),
        ])
    }
}

/// Of rows of `left`, `right`, `left_bag` and `right_bag` those that are alike, as [`links`] gives them.
pub fn verify(measure: Measure, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let (left, right) = (hashes(rows, "left")?, hashes(rows, "right")?);
    let bag = |name: &str| bytes_where_given(rows, name)?.ok_or(TaskError::Bag);
    let (left_bags, right_bags) = (bag("left_bag")?, bag("right_bag")?);
    let mut found = Found::default();
    for row in 0..rows.num_rows() {
        let (mut one, mut two) = (decode(left_bags.value(row))?, decode(right_bags.value(row))?);
        one.sort_unstable();
        two.sort_unstable();
        if let Some(similarity) = measure.similarity(&one, &two) {
            found.add(left[row], right[row], Some(similarity));
        }
    }
    found.finish()
}
