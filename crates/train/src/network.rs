//! The encoder as a differentiable function; `familiar_model` computes the same for use.

use std::collections::BTreeMap;

use candle_core::{D, DType, Device, Tensor, Var};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use familiar_model::input::{DEPTHS, PIECES, WORDS};
use familiar_model::network::layout::{self, Kind};
use familiar_model::network::{REACH, Sizes};
use familiar_model::weights::Weights;
use familiar_model::{Blends, Unblended};

use crate::batch::Batch;
use crate::rows::Numbers;

/// The weights by name.
#[derive(Clone, Debug)]
pub struct Network {
    pub sizes: Sizes,
    pub weights: BTreeMap<String, Var>,
    pub device: Device,
}

/// Why a network cannot begin with the weights of another.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    #[error("its {0} has another size")]
    Size(String),
    #[error("its {0} has no place in the network of the recipe")]
    Unknown(String),
    #[error(transparent)]
    Tensor(#[from] candle_core::Error),
}

impl Network {
    /// Weights drawn at random.
    pub fn new(sizes: Sizes, device: &Device, random: &mut ChaCha8Rng) -> candle_core::Result<Self> {
        let mut network = Self { sizes, weights: BTreeMap::new(), device: device.clone() };
        let (t, s) = (sizes.token, sizes.statement);
        network.table("pieces", PIECES, t, random)?;
        network.table("depths", DEPTHS, t, random)?;
        network.table("words", WORDS, t, random)?;
        network.ones("token_in", t)?;
        for block in 0..sizes.token_blocks {
            network.ones(&format!("token.{block}.norm"), t)?;
            network.linear(&format!("token.{block}.in"), 4 * t, sizes.token_inner, 2.0, random)?;
            network.linear(&format!("token.{block}.out"), sizes.token_inner, t, 0.5, random)?;
        }
        network.ones("token_out", t)?;
        network.linear("statement_in", t, s, 1.0, random)?;
        for layer in 0..sizes.statement_layers {
            network.ones(&format!("statement.{layer}.norm"), s)?;
            network.linear(&format!("statement.{layer}.queries_keys_values"), s, 3 * s, 1.0, random)?;
            network.linear(&format!("statement.{layer}.attended"), s, s, 0.5, random)?;
            network.zeros(&format!("statement.{layer}.distances"), 2 * REACH + 1, sizes.heads)?;
            network.ones(&format!("statement.{layer}.norm_inner"), s)?;
            network.linear(&format!("statement.{layer}.in"), s, sizes.statement_inner, 2.0, random)?;
            network.linear(&format!("statement.{layer}.out"), sizes.statement_inner, s, 0.5, random)?;
        }
        network.ones("statement_out", s)?;
        network.linear("pooling_scores", s, sizes.pooling_heads, 1.0, random)?;
        network.linear("pooling_values", s, s, 1.0, random)?;
        network.linear("output", 2 * s, sizes.output, 1.0, random)?;
        Ok(network)
    }

    /// Takes over `values`, by the names of the weights. A layer that they lack adds nothing at first (Chen et al. 2016, section 2.3:
    /// growth that keeps the function).
    pub fn begin_with(&self, mut values: BTreeMap<String, Vec<f32>>) -> Result<(), BeginError> {
        for (name, weight) in &self.weights {
            let dims = weight.dims();
            let is_matrix = name.ends_with(".weight");
            let tensor = match values.remove(name) {
                Some(values) if values.len() != weight.elem_count() => {
                    return Err(BeginError::Size(name.clone()));
                }
                Some(values) if is_matrix => {
                    Tensor::from_vec(values, (dims[1], dims[0]), &self.device).and_then(|rows| rows.t())
                }
                Some(values) => Tensor::from_vec(values, dims, &self.device),
                None if name.ends_with(".out.weight") || name.ends_with(".attended.weight") => {
                    weight.zeros_like()
                }
                None => continue,
            };
            tensor.and_then(|tensor| weight.set(&tensor.contiguous()?))?;
        }
        values.retain(|name, _| !["bag.", "spelling.", "projection."].iter().any(|of| name.starts_with(of)));
        match values.into_keys().next() {
            Some(name) => Err(BeginError::Unknown(name)),
            None => Ok(()),
        }
    }

    /// The file of weights that this network is, with the tables of the `bags` and a `background`.
    pub fn export(
        &self,
        name: &str,
        blends: &Blends,
        background: &Unblended,
        bags: &BTreeMap<String, Vec<f32>>,
    ) -> candle_core::Result<Vec<u8>> {
        let mut values: BTreeMap<&str, Vec<f32>> =
            bags.iter().map(|(name, rows)| (name.as_str(), rows.clone())).collect();
        for (name, weight) in &self.weights {
            let weight = weight.as_tensor();
            let is_matrix = name.ends_with(".weight");
            let rows = if is_matrix { weight.t()?.contiguous()? } else { weight.clone() };
            values.insert(name.as_str(), rows.flatten_all()?.to_vec1::<f32>()?);
        }
        debug_assert!(
            layout::weights(&self.sizes)
                .iter()
                .all(|w| (w.kind == Kind::Matrix) == w.name.ends_with(".weight"))
        );
        Ok(Weights::write(name, &self.sizes, blends, background, |weight| {
            values.remove(weight.name.as_str()).unwrap_or_default()
        }))
    }

    fn add(&mut self, name: &str, values: Vec<f32>, shape: &[usize]) -> candle_core::Result<()> {
        let tensor = Tensor::from_vec(values, shape, &self.device)?;
        self.weights.insert(name.to_owned(), Var::from_tensor(&tensor)?);
        Ok(())
    }

    fn table(
        &mut self,
        name: &str,
        rows: usize,
        columns: usize,
        random: &mut ChaCha8Rng,
    ) -> candle_core::Result<()> {
        self.normal(name, rows, columns, 0.5, random)
    }

    fn normal(
        &mut self,
        name: &str,
        rows: usize,
        columns: usize,
        scale: f32,
        random: &mut ChaCha8Rng,
    ) -> candle_core::Result<()> {
        let values = (0..rows * columns).map(|_| scale * random.sample::<f32, _>(StandardNormal)).collect();
        self.add(name, values, &[rows, columns])
    }

    fn linear(
        &mut self,
        name: &str,
        inputs: usize,
        outputs: usize,
        gain: f32,
        random: &mut ChaCha8Rng,
    ) -> candle_core::Result<()> {
        self.normal(&format!("{name}.weight"), inputs, outputs, (gain / inputs as f32).sqrt(), random)?;
        self.add(&format!("{name}.bias"), vec![0.0; outputs], &[outputs])
    }

    fn ones(&mut self, name: &str, size: usize) -> candle_core::Result<()> {
        self.add(name, vec![1.0; size], &[size])
    }

    fn zeros(&mut self, name: &str, rows: usize, columns: usize) -> candle_core::Result<()> {
        self.add(name, vec![0.0; rows * columns], &[rows, columns])
    }

    fn weight(&self, name: &str) -> &Tensor {
        self.weights[name].as_tensor()
    }

    fn apply(&self, name: &str, x: &Tensor) -> candle_core::Result<Tensor> {
        x.matmul(self.weight(&format!("{name}.weight")))?.broadcast_add(self.weight(&format!("{name}.bias")))
    }

    /// Root mean square normalization (Zhang and Sennrich 2019).
    fn norm(&self, name: &str, x: &Tensor) -> candle_core::Result<Tensor> {
        let scale = (x.sqr()?.mean_keepdim(D::Minus1)? + 1e-5)?.sqrt()?;
        x.broadcast_div(&scale)?.broadcast_mul(self.weight(name))
    }

    /// One vector of length 1 for each sequence of `batch`.
    pub fn forward(&self, batch: &Batch) -> candle_core::Result<Tensor> {
        let statements = self.tokens(batch)?;
        let device = &self.device;
        let (b, l, s) = (batch.sequences, batch.places, self.sizes.statement);
        let grid = Numbers::new(batch.grid.clone(), batch.statement_weights.len(), device)?;
        let present = Tensor::from_slice(&batch.grid_present, (b, 1, 1, l), device)?;
        let absent = ((present - 1.0)? * 1e9)?;
        let mut x = grid.choose(&statements)?;
        let distances = self.distances(l)?;
        for layer in 0..self.sizes.statement_layers {
            x = self.layer(layer, &x, &absent, &distances, b, l)?;
        }
        let x = self.norm("statement_out", &x)?;
        let heads = self.sizes.pooling_heads;
        let scores = self.apply("pooling_scores", &x)?.reshape((b, l, heads))?.transpose(1, 2)?;
        let weights = softmax(&scores.broadcast_add(&absent.reshape((b, 1, l))?)?)?;
        let values = self.apply("pooling_values", &x)?.reshape((b, l, heads, s / heads))?.transpose(1, 2)?;
        let pooled = weights.unsqueeze(2)?.matmul(&values.contiguous()?)?.reshape((b, s))?;
        let present = Tensor::from_slice(&batch.grid_present, (b, 1, l), device)?;
        let mean = present
            .broadcast_div(&present.sum_keepdim(2)?)?
            .matmul(&x.reshape((b, l, s))?)?
            .reshape((b, s))?;
        let out = self.apply("output", &Tensor::cat(&[pooled, mean], 1)?)?;
        let length = (out.sqr()?.sum_keepdim(1)? + 1e-12)?.sqrt()?;
        out.broadcast_div(&length)
    }

    /// One row for each statement, row 0 for none.
    fn tokens(&self, batch: &Batch) -> candle_core::Result<Tensor> {
        let device = &self.device;
        let (rows, t) = (batch.pieces.len(), self.sizes.token);
        let numbers = |list: &[u32], count: usize| Numbers::new(list.to_vec(), count, device);
        let column = |values: &[f32]| Tensor::from_slice(values, (values.len(), 1), device);
        let present = column(&batch.present)?;
        let names = numbers(&batch.names, batch.name_weights.len())?;
        let name_weights = column(&batch.name_weights)?;
        let mut x = (numbers(&batch.pieces, PIECES)?.choose(self.weight("pieces"))?
            + numbers(&batch.depths, DEPTHS)?.choose(self.weight("depths"))?)?;
        if !batch.words.is_empty() {
            let words = numbers(&batch.words, WORDS)?.choose(self.weight("words"))?;
            let words = words.broadcast_mul(&column(&batch.word_weights)?)?;
            x = numbers(&batch.word_rows, rows)?.add(&x, &words)?;
        }
        x = self.norm("token_in", &x)?.broadcast_mul(&present)?;
        let empty = Tensor::zeros((1, t), DType::F32, device)?;
        for block in 0..self.sizes.token_blocks {
            let n = self.norm(&format!("token.{block}.norm"), &x)?;
            let of_name = names.choose(&names.sum(&n)?.broadcast_mul(&name_weights)?)?;
            let before = Tensor::cat(&[&empty, &n.narrow(0, 0, rows - 1)?], 0)?;
            let after = Tensor::cat(&[&n.narrow(0, 1, rows - 1)?, &empty], 0)?;
            let seen = Tensor::cat(&[&before, &n, &after, &of_name], 1)?;
            let inner = self.apply(&format!("token.{block}.in"), &seen)?.relu()?;
            x = (x + self.apply(&format!("token.{block}.out"), &inner)?.broadcast_mul(&present)?)?;
        }
        let x = self.norm("token_out", &x)?;
        let sums = numbers(&batch.statements, batch.statement_weights.len())?.sum(&x)?;
        self.apply("statement_in", &sums.broadcast_mul(&column(&batch.statement_weights)?)?)
    }

    fn layer(
        &self,
        layer: usize,
        x: &Tensor,
        absent: &Tensor,
        distances: &Numbers,
        b: usize,
        l: usize,
    ) -> candle_core::Result<Tensor> {
        let (s, heads) = (self.sizes.statement, self.sizes.heads);
        let name = |part: &str| format!("statement.{layer}.{part}");
        let n = self.norm(&name("norm"), x)?;
        let all = self.apply(&name("queries_keys_values"), &n)?.reshape((b, l, 3, heads, s / heads))?;
        let part = |at: usize| all.narrow(2, at, 1)?.squeeze(2)?.transpose(1, 2)?.contiguous();
        let (queries, keys, values) = (part(0)?, part(1)?, part(2)?);
        let scores = (queries.matmul(&keys.transpose(2, 3)?.contiguous()?)? / ((s / heads) as f64).sqrt())?;
        let distances = distances.choose(self.weight(&name("distances")))?;
        let distances = distances.reshape((l, l, heads))?.permute((2, 0, 1))?.contiguous()?.unsqueeze(0)?;
        let weights = softmax(&scores.broadcast_add(&distances)?.broadcast_add(absent)?)?;
        let attended = weights.matmul(&values)?.transpose(1, 2)?.reshape((b * l, s))?;
        let x = (x + self.apply(&name("attended"), &attended)?)?;
        let n = self.norm(&name("norm_inner"), &x)?;
        let inner = self.apply(&name("in"), &n)?.relu()?;
        x + self.apply(&name("out"), &inner)?
    }

    /// For each two places the row of the table of distances.
    fn distances(&self, l: usize) -> candle_core::Result<Numbers> {
        let row = |i: usize, j: usize| (j + REACH).saturating_sub(i).min(2 * REACH) as u32;
        let rows: Vec<u32> = (0..l).flat_map(|i| (0..l).map(move |j| row(i, j))).collect();
        Numbers::new(rows, 2 * REACH + 1, &self.device)
    }
}

fn softmax(x: &Tensor) -> candle_core::Result<Tensor> {
    let highest = x.max_keepdim(D::Minus1)?.detach();
    let powers = x.broadcast_sub(&highest)?.exp()?;
    powers.broadcast_div(&powers.sum_keepdim(D::Minus1)?)
}
