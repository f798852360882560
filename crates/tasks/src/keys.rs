//! A bag to rows, one for each key of its prefix.

use arrow_array::builder::{BinaryBuilder, Int32Builder, Int64Builder};
use arrow_array::{Array, RecordBatch};

use crate::bag::{decode, encode};
use crate::batch::{Column, batch, bytes, hashes, int};
use crate::{Measure, Order, TaskError};

/// A bag of more elements does not travel with its keys: its prefix is long, and all rows together would grow with the square of
/// its size.
const LARGE: u32 = 1000;

/// Makes keys of bags.
#[derive(Debug)]
pub struct Keys {
    measure: Measure,
    order: Order,
}

#[derive(Default)]
struct Rows {
    key: Int64Builder,
    size: Int32Builder,
    node: BinaryBuilder,
    twin: BinaryBuilder,
    family: Int32Builder,
    bag: BinaryBuilder,
}

impl Keys {
    pub fn new(measure: Measure, order: Order) -> Self {
        Self { measure, order }
    }

    /// Makes rows of `node`, `twin`, `family` and `bag` to rows of `key`, `size`, `node`, `twin`, `family` and `bag`. The bag is null where it is
    /// large, and in the frozen order elsewhere.
    pub fn of(&self, rows: &RecordBatch) -> Result<RecordBatch, TaskError> {
        let (nodes, twins) = (hashes(rows, "node")?, hashes(rows, "twin")?);
        let (families, bags) = (int(rows, "family")?, bytes(rows, "bag")?);
        let (mut out, mut keys, mut ordered) = (Rows::default(), Vec::new(), Vec::new());
        for row in 0..rows.num_rows() {
            let mut bag = decode(if bags.is_valid(row) { bags.value(row) } else { &[] })?;
            self.order.sort(&mut bag);
            self.measure.prefix(&bag, families.value(row), &mut keys);
            let size = self.measure.size(&bag);
            encode(&bag, &mut ordered);
            for &key in &keys {
                out.key.append_value(key);
                out.size.append_value(size.cast_signed());
                out.node.append_value(nodes[row]);
                out.twin.append_value(twins[row]);
                out.family.append_value(families.value(row));
                out.bag.append_option((size <= LARGE).then_some(&ordered));
            }
        }
        batch(vec![
            Column::new("key", out.key.finish()),
            Column::new("size", out.size.finish()),
            Column::new("node", out.node.finish()),
            Column::new("twin", out.twin.finish()),
            Column::new("family", out.family.finish()),
            Column::nullable("bag", out.bag.finish()),
        ])
    }
}
