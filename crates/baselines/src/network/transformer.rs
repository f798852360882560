//! A small transformer (Vaswani et al. 2017) that normalizes before each layer, and knows places by their distances (Raffel et al.
//! 2020, Section 2.1).

use candle_core::{Result, Tensor};
use familiar_train::rows::Numbers;
use rand_chacha::ChaCha8Rng;

use super::common::{Network, absent, padded};
use crate::input::Program;
use crate::rows::{Attention, largest};
use crate::weights::{Dense, Norm, Stack, Table, Weights, dropout};

/// Places that are farther apart are equally far.
const REACH: usize = 24;

#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) width: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) inner: usize,
}

pub(super) struct Transformer {
    sizes: Sizes,
    length: usize,
    dropout: f32,
    symbols: Table,
    layers: Vec<Layer>,
    last: Norm,
}

struct Layer {
    norm: Norm,
    /// How much a place counts by how far before or behind it is.
    distances: Tensor,
    queries_keys_values: Dense,
    attended: Dense,
    norm_inner: Norm,
    inner: Stack,
}

impl Transformer {
    pub(super) fn new(
        sizes: Sizes,
        length: usize,
        dropout: f32,
        symbols: usize,
        weights: &mut Weights,
    ) -> Result<Self> {
        let width = sizes.width;
        let embedding = weights.table("symbols", symbols, width)?;
        let mut layers = Vec::new();
        for at in 0..sizes.layers {
            let name = |part: &str| format!("layer.{at}.{part}");
            layers.push(Layer {
                norm: weights.norm(&name("norm"), width)?,
                distances: weights.add(
                    &name("distances"),
                    near(sizes.heads),
                    &[2 * REACH + 1, sizes.heads],
                )?,
                queries_keys_values: weights.dense(&name("queries_keys_values"), width, 3 * width)?,
                attended: weights.dense(&name("attended"), width, width)?,
                norm_inner: weights.norm(&name("norm_inner"), width)?,
                inner: weights.stack(&name("inner"), &[width, sizes.inner, width])?,
            });
        }
        let last = weights.norm("last", width)?;
        Ok(Self { sizes, length, dropout, symbols: embedding, layers, last })
    }

    /// A row for each place of each program.
    fn rows(&self, programs: &[&Program], mut random: Option<&mut ChaCha8Rng>) -> Result<(Tensor, usize)> {
        let (symbols, length) = padded(programs);
        debug_assert!(length <= self.length);
        let mut rows = self.symbols.of(symbols)?;
        let width = self.sizes.width / self.sizes.heads;
        let attention = Attention {
            spans: programs.iter().map(|program| program.symbols.len()).collect(),
            length,
            heads: self.sizes.heads,
            scale: 1.0 / (width as f64).sqrt(),
            reach: REACH,
        };
        for layer in &self.layers {
            let attended = self.attended(layer, &layer.norm.of(&rows)?, &attention)?;
            rows = (rows + dropout(&attended, self.dropout / 2.0, random.as_deref_mut())?)?;
            let inner = layer.inner.of(&layer.norm_inner.of(&rows)?)?;
            rows = (rows + dropout(&inner, self.dropout / 2.0, random.as_deref_mut())?)?;
        }
        Ok((self.last.of(&rows)?, length))
    }

    fn attended(&self, layer: &Layer, rows: &Tensor, attention: &Attention) -> Result<Tensor> {
        let (width, heads) = (self.sizes.width, self.sizes.heads);
        let (count, length) = (attention.spans.len(), attention.length);
        let all = layer.queries_keys_values.of(rows)?.reshape((count, length, 3, heads, width / heads))?;
        let part = |at: usize| all.narrow(2, at, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
        let (queries, keys, values) = (part(0)?, part(1)?, part(2)?);
        let scores = queries.matmul(&keys.transpose(2, 3)?)?;
        let shares = attention.shares(&scores, &layer.distances)?;
        let attended = shares.matmul(&values)?.transpose(1, 2)?.reshape((count * length, width))?;
        layer.attended.of(&attended)
    }
}

/// How much distances count at first: near places count more (Press et al. 2022, Section 3), and each head looks to one side.
fn near(heads: usize) -> Vec<f32> {
    let of = |number: usize, head: usize| {
        let is_other_side = if head.is_multiple_of(2) { number > REACH } else { number < REACH };
        let slope = 0.5_f32.powf(1.0 + (head / 2) as f32);
        -slope * number.abs_diff(REACH) as f32 - if is_other_side { 4.0 } else { 0.0 }
    };
    (0..=2 * REACH).flat_map(|number| (0..heads).map(move |head| of(number, head))).collect()
}

impl Network for Transformer {
    fn width(&self) -> usize {
        2 * self.sizes.width
    }

    fn place_width(&self) -> usize {
        self.sizes.width
    }

    /// The mean and the largest number of all places.
    fn vectors(&self, programs: &[&Program], mut random: Option<&mut ChaCha8Rng>) -> Result<Tensor> {
        let (rows, length) = self.rows(programs, random.as_deref_mut())?;
        let (count, device) = (programs.len(), rows.device());
        let rows = rows.reshape((count, length, self.sizes.width))?;
        let absent = absent(programs, length);
        let shares: Vec<f32> = absent
            .chunks_exact(length)
            .zip(programs)
            .flat_map(|(row, program)| {
                let share = 1.0 / program.symbols.len().max(1) as f32;
                row.iter().map(move |&it| if it < 0.0 { 0.0 } else { share })
            })
            .collect();
        let shares = Tensor::from_vec(shares, (count, 1, length), device)?;
        let means = shares.matmul(&rows)?.squeeze(1)?;
        let spans = programs.iter().enumerate().map(|(at, it)| (at * length, it.symbols.len()));
        let largest = largest(&rows.reshape((count * length, self.sizes.width))?, spans.collect())?;
        dropout(&Tensor::cat(&[means, largest], 1)?, self.dropout, random)
    }

    fn places(
        &self,
        programs: &[&Program],
        places: &[Vec<u32>],
        random: Option<&mut ChaCha8Rng>,
    ) -> Option<Result<Tensor>> {
        let chosen = self.rows(programs, random).and_then(|(rows, length)| {
            let all = (0_u32..).zip(places);
            let numbers: Vec<u32> = all
                .flat_map(|(program, places)| places.iter().map(move |at| program * length as u32 + at))
                .collect();
            Numbers::new(numbers, rows.dims2()?.0, rows.device())?.choose(&rows)
        });
        Some(chosen)
    }
}
