//! Convolutions over a sequence of symbols (Puri et al. 2021, Figure 5).
//!
//! An embedding, three convolutions over 15, 5 and 1 symbols, and the largest number of each channel. Different from the figure:
//! what stands behind the end of a program is never the largest.

use candle_core::{Result, Tensor};
use rand_chacha::ChaCha8Rng;

use super::common::{Network, padded};
use crate::input::Program;
use crate::rows::{largest, windows};
use crate::weights::{Dense, Table, Weights, dropout};

/// How many numbers there are for each symbol, and behind each convolution.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) embedding: usize,
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) third: usize,
}

/// How many symbols the first two convolutions see.
const FIRST: usize = 15;
const SECOND: usize = 5;

pub(super) struct Convolutions {
    sizes: Sizes,
    dropout: f32,
    embedding: Table,
    first: Dense,
    second: Dense,
    third: Dense,
}

impl Convolutions {
    pub(super) fn new(sizes: Sizes, dropout: f32, symbols: usize, weights: &mut Weights) -> Result<Self> {
        Ok(Self {
            sizes,
            dropout,
            embedding: weights.table("symbols", symbols, sizes.embedding)?,
            first: weights.dense("first", FIRST * sizes.embedding, sizes.first)?,
            second: weights.dense("second", SECOND * sizes.first, sizes.second)?,
            third: weights.dense("third", sizes.second, sizes.third)?,
        })
    }
}

impl Network for Convolutions {
    fn width(&self) -> usize {
        self.sizes.third
    }

    fn vectors(&self, programs: &[&Program], random: Option<&mut ChaCha8Rng>) -> Result<Tensor> {
        let (rows, length) = padded(programs);
        let embedded = self.embedding.of(rows)?;
        let first = self.first.of(&windows(&embedded, FIRST, length)?)?.relu()?;
        let second = self.second.of(&windows(&first, SECOND, length)?)?.relu()?;
        let third = self.third.of(&second)?;
        let spans = programs.iter().enumerate().map(|(at, it)| (at * length, it.symbols.len()));
        dropout(&largest(&third, spans.collect())?, self.dropout, random)
    }
}
