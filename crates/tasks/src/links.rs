//! The comparison of bags that share a key.

use std::cell::OnceCell;

use arrow_array::builder::{BinaryBuilder, Float64Builder};
use arrow_array::{Array, RecordBatch};

use crate::bag::{Bag, decode};
use crate::batch::{Column, batch, bytes, bytes_where_given, hashes, int, long, structures};
use crate::measure::Similarity;
use crate::{Measure, TaskError};

#[derive(Debug)]
struct Row<'r> {
    node: [u8; 16],
    twin: [u8; 16],
    size: u32,
    block: i32,
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

/// Compares the bags that share a key. Each row of `cells` holds a `key` and its `rows`, a list of structures of `block`, `size`, `node`,
/// `twin`, `family` and `bag`, as [`crate::Keys`] gives them. Of a key that many bags have, `a` and `b` are the two blocks that are
/// compared, or one block twice. Two blocks may also be the two sides of a search, and a node may stand on both.
///
/// Gives rows of `left`, `right` (the smaller node first), `similarity` and `multiset`, each pair once, or
/// twice where both of its nodes stand on both sides. Both numbers are null where a bag is not there: such a pair may come several
/// times, and is for [`verify`].
pub fn links(measure: Measure, cells: &RecordBatch) -> Result<RecordBatch, TaskError> {
    let (key, a, b) = (long(cells, "key")?, int(cells, "a")?, int(cells, "b")?);
    let (lists, rows) = structures(cells, "rows")?;
    let (block, size, family) = (int(&rows, "block")?, int(&rows, "size")?, int(&rows, "family")?);
    let (nodes, twins, bags) = (hashes(&rows, "node")?, hashes(&rows, "twin")?, bytes(&rows, "bag")?);
    let mut found = Found::default();
    let row = |row: usize| Row {
        size: size.value(row).cast_unsigned(),
        node: nodes[row],
        twin: twins[row],
        block: block.value(row),
        family: family.value(row),
        bag: bags.is_valid(row).then(|| bags.value(row)),
        compared: OnceCell::new(),
    };
    for (cell, range) in lists.into_iter().enumerate() {
        let mut held: Vec<Row<'_>> = range.map(row).collect();
        held.sort_unstable_by_key(|row| (row.size, row.node, row.block));
        // Two elements of a prefix may share a key; the node stands there once. It may stand on both of two sides, though.
        held.dedup_by_key(|row| (row.node, row.block));
        let cell = Cell { measure, key: key.value(cell), is_one_block: a.value(cell) == b.value(cell) };
        cell.compare(&held, &mut found)?;
    }
    found.finish()
}

/// A key, and how the bags that share it are compared.
struct Cell {
    measure: Measure,
    key: i64,
    is_one_block: bool,
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
        bag.sort_unstable();
        let mut signature = [0; 2];
        for (token, _) in &bag {
            let bit = token.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57;
            signature[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        Self { bag, signature, keys: prefix.into() }
    }
}

impl Cell {
    /// Compares rows that are sorted by size.
    fn compare(&self, rows: &[Row<'_>], found: &mut Found) -> Result<(), TaskError> {
        for (at, larger) in rows.iter().enumerate() {
            let least = self.measure.least(larger.size);
            let first = rows[..at].partition_point(|row| row.size < least);
            for smaller in &rows[first..at] {
                let belongs = self.is_one_block || smaller.block != larger.block;
                if belongs && smaller.twin != larger.twin {
                    self.pair(smaller, larger, found)?;
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
