//! The comparison of bags that share a key.

use arrow_array::builder::{BinaryBuilder, Float64Builder};
use arrow_array::{Array, RecordBatch};

use crate::bag::{Bag, decode};
use crate::batch::{Column, batch, bytes, bytes_where_given, hashes, int, long};
use crate::measure::Similarity;
use crate::{Measure, TaskError};

/// Compares the rows that share a key. They come in a row; of a key that many share, in cells: two blocks of rows, or one.
#[derive(Debug)]
pub struct Links {
    measure: Measure,
    /// Key and cell of the rows that are held.
    cell: Option<(i64, i32, i32)>,
    held: Vec<Row>,
    keys: Vec<i64>,
}

#[derive(Debug)]
struct Row {
    node: [u8; 16],
    twin: [u8; 16],
    size: u32,
    block: i32,
    /// None where the bag is too large to be here.
    compared: Option<Compared>,
}

#[derive(Debug)]
struct Compared {
    /// Ascending by token.
    bag: Bag,
    signature: [u64; 2],
    /// The keys of the prefix, in the frozen order.
    keys: Box<[i64]>,
}

#[derive(Default)]
struct Found {
    left: BinaryBuilder,
    right: BinaryBuilder,
    similarity: Float64Builder,
    multiset: Float64Builder,
}

impl Links {
    pub fn new(measure: Measure) -> Self {
        Self { measure, cell: None, held: Vec::new(), keys: Vec::new() }
    }

    /// Takes rows of `key`, `a`, `b`, `block`, `size`, `node`, `twin`, `family` and `bag`, sorted by the first three and by size. Gives rows of
    /// `left`, `right` (the smaller node first), `similarity` and `multiset`, each pair once. Both numbers are null where a bag is not
    /// there: such a pair may come several times, and is for [`verify`].
    pub fn push(&mut self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let (key, a, b) = (long(rows, "key")?, int(rows, "a")?, int(rows, "b")?);
        let (block, size, family) = (int(rows, "block")?, int(rows, "size")?, int(rows, "family")?);
        let (nodes, twins) = (hashes(rows, "node")?, hashes(rows, "twin")?);
        let bags = bytes(rows, "bag")?;
        let mut found = Found::default();
        for row in 0..rows.num_rows() {
            let cell = (key.value(row), a.value(row), b.value(row));
            if self.cell != Some(cell) {
                self.compare(&mut found);
                self.cell = Some(cell);
            }
            let bag = bags.is_valid(row).then(|| decode(bags.value(row))).transpose()?;
            let compared = bag.map(|bag| self.compared(bag, family.value(row)));
            let (node, twin) = (nodes[row], twins[row]);
            let size = size.value(row).cast_unsigned();
            // Two elements of a prefix may share a key; the node stands there once.
            if self.held.last().is_none_or(|last| last.node != node) {
                self.held.push(Row { node, twin, size, block: block.value(row), compared });
            }
        }
        found.finish()
    }

    /// Gives what the last rows have in common.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        let mut found = Found::default();
        self.compare(&mut found);
        found.finish()
    }

    fn compared(&mut self, mut bag: Bag, family: i32) -> Compared {
        self.measure.prefix(&bag, family, &mut self.keys);
        bag.sort_unstable();
        let mut signature = [0; 2];
        for (token, _) in &bag {
            let bit = token.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 57;
            signature[(bit >> 6) as usize] |= 1 << (bit & 63);
        }
        Compared { bag, signature, keys: self.keys.as_slice().into() }
    }

    /// Compares the rows that are held, and lets them go.
    fn compare(&mut self, found: &mut Found) {
        let held = std::mem::take(&mut self.held);
        let Some((key, a, b)) = self.cell else { return };
        for (at, larger) in held.iter().enumerate() {
            let least = self.measure.least(larger.size);
            // They come by size.
            let first = held[..at].partition_point(|row| row.size < least);
            for smaller in &held[first..at] {
                let belongs = a == b || smaller.block != larger.block;
                if belongs && smaller.twin != larger.twin {
                    self.pair(key, smaller, larger, found);
                }
            }
        }
    }

    fn pair(&self, key: i64, smaller: &Row, larger: &Row, found: &mut Found) {
        let (Some(one), Some(two)) = (&smaller.compared, &larger.compared) else {
            found.add(smaller.node, larger.node, None);
            return;
        };
        let apart: u32 = (0..2).map(|at| (one.signature[at] ^ two.signature[at]).count_ones()).sum();
        if apart > self.most_apart(smaller.size, larger.size) || !is_first(key, &one.keys, &two.keys) {
            return;
        }
        if let Some(similarity) = self.measure.similarity(&one.bag, &two.bag) {
            found.add(smaller.node, larger.node, Some(similarity));
        }
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
    fn add(&mut self, one: [u8; 16], two: [u8; 16], similarity: Option<Similarity>) {
        self.left.append_value(one.min(two));
        self.right.append_value(one.max(two));
        self.similarity.append_option(similarity.map(|it| it.first));
        self.multiset.append_option(similarity.map(|it| it.multiset));
    }

    fn finish(mut self) -> Result<RecordBatch, TaskError> {
        batch(vec![
            Column::new("left", self.left.finish()),
            Column::new("right", self.right.finish()),
            Column::nullable("similarity", self.similarity.finish()),
            Column::nullable("multiset", self.multiset.finish()),
        ])
    }
}

/// Of rows of `left`, `right`, `left_bag` and `right_bag` those that are alike, as [`Links`] gives them.
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
