//! A bag to the keys of its prefix, packed by the buckets in which they meet.

use std::collections::BTreeMap;

use arrow_array::{Array, RecordBatch};
use rustc_hash::FxHashMap;

use crate::bag::{decode, encode};
use crate::batch::{bytes, hashes, int, long};
use crate::counts::Tally;
use crate::packs::{Packs, mixed, number};
use crate::{Measure, Order, TaskError};

/// Nodes whose keys a bucket has, about.
const OF_BUCKET: u64 = 1024;

/// How the rows of keys are shared out.
#[derive(Clone, Copy, Debug)]
pub struct Cut {
    /// How many nodes there are: no key has more rows.
    pub nodes: u64,
    /// How many buckets there are at least.
    pub buckets: u32,
    /// A bag of more elements does not travel with its keys: its prefix is long, and all of it together would grow with the square of
    /// its size.
    pub largest: u32,
    /// Rows of one key that are compared with one another, about. A key that more rows may have is cut into blocks of so many, and
    /// each two blocks are a cell of their own.
    pub cell: u32,
}

/// What another side asks for, where only rows of different sides are compared.
#[derive(Debug)]
pub struct Asked {
    /// How many rows of that side a key has. Of a key that is not here it has at most one block.
    rows: FxHashMap<i64, i64>,
    /// Whether each key that is asked for is here.
    is_whole: bool,
    /// Whether the rows at hand are what is searched, and not what asks.
    is_known: bool,
}

impl Asked {
    /// What rows of `number`, a key, and `count`, how many rows it has, say.
    pub fn of(rows: &RecordBatch, is_whole: bool, is_known: bool) -> Result<Self, TaskError> {
        let (keys, counts) = (long(rows, "number")?, long(rows, "count")?);
        let rows = keys.values().iter().copied().zip(counts.values().iter().copied()).collect();
        Ok(Self { rows, is_whole, is_known })
    }
}

/// Makes keys of bags.
#[derive(Debug)]
pub struct Keys {
    measure: Measure,
    order: Order,
    cut: Cut,
    asked: Option<Asked>,
    packs: Packs,
    /// Of the bag at hand, for each bucket the keys and cells that meet there.
    met: BTreeMap<u32, Vec<u8>>,
}

impl Keys {
    /// Without `asked`, all rows are compared with one another.
    pub fn new(measure: Measure, order: Order, cut: Cut, asked: Option<Asked>) -> Self {
        let buckets = u32::try_from(cut.nodes.div_ceil(OF_BUCKET)).unwrap_or(u32::MAX).max(cut.buckets);
        Self { measure, order, cut, asked, packs: Packs::new(buckets), met: BTreeMap::new() }
    }

    /// Takes rows of `node`, `twin`, `family` and `bag`. Gives rows of `bucket` and `pack` where there is enough. The bag in a pack is
    /// left out where it is large, and in the frozen order elsewhere.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        let (nodes, twins) = (hashes(rows, "node")?, hashes(rows, "twin")?);
        let (families, bags) = (int(rows, "family")?, bytes(rows, "bag")?);
        let (mut keys, mut ordered) = (Vec::new(), Vec::new());
        for row in 0..rows.num_rows() {
            let mut bag = decode(if bags.is_valid(row) { bags.value(row) } else { &[] })?;
            let family = families.value(row);
            self.order.sort(&mut bag);
            self.measure.prefix(&bag, family, &mut keys);
            for &(key, token) in &keys {
                self.meet(key, token, &nodes[row]);
            }
            let size = self.measure.size(&bag);
            encode(&bag, &mut ordered);
            let travels = size <= self.cut.largest;
            for (bucket, met) in std::mem::take(&mut self.met) {
                self.packs.write(bucket, |pack| {
                    pack.extend_from_slice(&nodes[row]);
                    pack.extend_from_slice(&twins[row]);
                    pack.extend_from_slice(&family.to_le_bytes());
                    number(u64::from(size), pack);
                    number(if travels { ordered.len() as u64 } else { 0 }, pack);
                    pack.extend_from_slice(if travels { &ordered } else { &[] });
                    number(met.len() as u64, pack);
                    pack.extend_from_slice(&met);
                });
            }
        }
        self.packs.full()
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        self.packs.finish()
    }

    /// Takes note of the cells in which a node meets others by a key.
    fn meet(&mut self, key: i64, token: u64, node: &[u8; 16]) {
        let most = self.order.most(token).min(i64::try_from(self.cut.nodes).unwrap_or(i64::MAX));
        let blocks = self.blocks(most);
        let Some(asked) = &self.asked else {
            // What stands in one bag alone meets nothing.
            if most > 1 {
                let block = block(node, blocks);
                for other in 0..blocks {
                    self.cell(key, block.min(other), block.max(other), block);
                }
            }
            return;
        };
        let left = match asked.rows.get(&key) {
            Some(&rows) => self.blocks(rows),
            None if asked.is_whole => return,
            None => 1,
        };
        // Blocks of what asks are numbered first, and those of what is searched behind them.
        if asked.is_known {
            let block = left + block(node, blocks);
            (0..left).for_each(|other| self.cell(key, other, block, block));
        } else {
            let block = block(node, left);
            (0..blocks).for_each(|other| self.cell(key, block, left + other, block));
        }
    }

    fn blocks(&self, rows: i64) -> u32 {
        let rows = rows.max(1).cast_unsigned();
        u32::try_from(rows.div_ceil(u64::from(self.cut.cell.max(1)))).unwrap_or(u32::MAX)
    }

    /// Blocks `a` and `b` of a key are compared in one cell. The row is in `block`.
    fn cell(&mut self, key: i64, a: u32, b: u32, block: u32) {
        let of_blocks = mixed(u64::from(a) << 32 | u64::from(b));
        let bucket = self.packs.bucket(mixed(key.cast_unsigned() ^ of_blocks));
        let met = self.met.entry(bucket).or_default();
        met.extend_from_slice(&key.to_le_bytes());
        for part in [a, b, block] {
            number(u64::from(part), met);
        }
    }
}

fn block(node: &[u8; 16], blocks: u32) -> u32 {
    let hash = u64::from_le_bytes(*node.first_chunk().unwrap_or(&[0; 8]));
    (mixed(hash) % u64::from(blocks)) as u32
}

/// Counts how many rows each key has.
#[derive(Debug)]
pub struct KeyCounts {
    measure: Measure,
    order: Order,
    rows: Tally,
}

impl KeyCounts {
    /// Counts go to so many buckets.
    pub fn new(measure: Measure, order: Order, buckets: u32) -> Self {
        Self { measure, order, rows: Tally::new(buckets) }
    }

    /// Takes rows of `family` and `bag`. Gives rows of `bucket` and `pack`, for [`crate::sums`], where the task has enough of them.
    pub fn push(&mut self, rows: &RecordBatch) -> Result<Option<RecordBatch>, TaskError> {
        let (families, bags) = (int(rows, "family")?, bytes(rows, "bag")?);
        let mut keys = Vec::new();
        for row in 0..rows.num_rows() {
            let mut bag = decode(if bags.is_valid(row) { bags.value(row) } else { &[] })?;
            self.order.sort(&mut bag);
            self.measure.prefix(&bag, families.value(row), &mut keys);
            for (key, _) in &keys {
                self.rows.add(key.cast_unsigned());
            }
        }
        self.rows.full()
    }

    /// Gives what is left.
    pub fn finish(&mut self) -> Result<RecordBatch, TaskError> {
        self.rows.finish()
    }
}
