//! Which weights an encoder has, by name and in order.

use super::sizes::{REACH, Sizes, VECTOR};
use crate::bag::FORMS;
use crate::input::{DEPTHS, PIECES, WORDS};
use crate::spelling;

/// How a weight is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Rows that are looked up: `rows` of `columns` numbers.
    Table,
    /// A matrix from `columns` numbers to `rows` numbers, without what is added.
    Matrix,
    /// Numbers that are kept as they are.
    Plain,
}

/// One weight of the encoder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    pub name: String,
    pub kind: Kind,
    pub rows: usize,
    pub columns: usize,
}

/// The tables of the two bags, and how rare runs of letters are.
pub const BAG_WORDS: &str = "bag.words";
pub const BAG_FORMS: &str = "bag.forms";
pub const RARITIES: &str = "spelling.rarities";

/// What puts the parts of a vector together, for each stage.
pub const PROJECTIONS: [&str; 2] = ["projection.static.weight", "projection.whole.weight"];

/// The weights of an encoder of these sizes, in the order of a file of weights.
pub fn weights(sizes: &Sizes) -> Vec<Weight> {
    let mut all = List(Vec::new());
    let (t, s) = (sizes.token, sizes.statement);
    all.add(BAG_WORDS, Kind::Table, WORDS, sizes.bag);
    all.add(BAG_FORMS, Kind::Table, FORMS, sizes.bag);
    all.add(RARITIES, Kind::Plain, 1, spelling::RARITIES);
    for (name, parts) in PROJECTIONS.into_iter().zip([sizes.of_bags(), sizes.unblended()]) {
        all.add(name, Kind::Matrix, parts.min(VECTOR), parts);
    }
    all.add("pieces", Kind::Table, PIECES, t);
    all.add("depths", Kind::Table, DEPTHS, t);
    all.add("words", Kind::Table, WORDS, t);
    all.add("token_in", Kind::Plain, 1, t);
    for block in 0..sizes.token_blocks {
        all.add(&format!("token.{block}.norm"), Kind::Plain, 1, t);
        all.linear(&format!("token.{block}.in"), 4 * t, sizes.token_inner);
        all.linear(&format!("token.{block}.out"), sizes.token_inner, t);
    }
    all.add("token_out", Kind::Plain, 1, t);
    all.linear("statement_in", t, s);
    for layer in 0..sizes.statement_layers {
        all.add(&format!("statement.{layer}.norm"), Kind::Plain, 1, s);
        all.linear(&format!("statement.{layer}.queries_keys_values"), s, 3 * s);
        all.linear(&format!("statement.{layer}.attended"), s, s);
        all.add(&format!("statement.{layer}.distances"), Kind::Plain, 2 * REACH + 1, sizes.heads);
        all.add(&format!("statement.{layer}.norm_inner"), Kind::Plain, 1, s);
        all.linear(&format!("statement.{layer}.in"), s, sizes.statement_inner);
        all.linear(&format!("statement.{layer}.out"), sizes.statement_inner, s);
    }
    all.add("statement_out", Kind::Plain, 1, s);
    all.linear("pooling_scores", s, sizes.pooling_heads);
    all.linear("pooling_values", s, s);
    all.linear("output", 2 * s, sizes.output);
    all.0
}

struct List(Vec<Weight>);

impl List {
    fn add(&mut self, name: &str, kind: Kind, rows: usize, columns: usize) {
        self.0.push(Weight { name: name.to_owned(), kind, rows, columns });
    }

    fn linear(&mut self, name: &str, inputs: usize, outputs: usize) {
        self.add(&format!("{name}.weight"), Kind::Matrix, outputs, inputs);
        self.add(&format!("{name}.bias"), Kind::Plain, 1, outputs);
    }
}
