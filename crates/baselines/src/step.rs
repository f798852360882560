//! One step of training, and answers of a model.
//!
//! A batch is cut into shards that are computed side by side (on a GPU in turn), so the result does not depend on the number of threads. The gradient
//! of the loss by the vectors is found first, and each shard then turns its part of it into gradients by the weights (Gao et al.
//! 2021, Section 3.2).

use std::borrow::Cow;
use std::collections::BTreeMap;

use candle_core::backprop::GradStore;
use candle_core::{Result, Tensor, Var};
use familiar_train::device;
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use crate::input::Program;
use crate::network::Network;
use crate::task::{Batch, Head, Targets};
use crate::weights::Weights;

/// Programs of a shard, on a processor and on a GPU.
const SHARD: usize = 8;
const SHARD_ON_GPU: usize = 64;

/// A model with its weights.
pub(crate) struct Baseline {
    pub(crate) network: Box<dyn Network>,
    pub(crate) head: Head,
    pub(crate) weights: Weights,
}

impl Baseline {
    /// The loss of a batch, and its gradient by each weight.
    pub(crate) fn gradients(&self, batch: &Batch<'_>, seed: u64) -> Result<(f64, BTreeMap<String, Tensor>)> {
        if !self.weights.device.is_cpu() {
            self.weights.device.set_seed(seed)?;
        }
        let shards = self.shards(batch, Some(seed))?;
        let detached: Vec<Tensor> = shards.iter().map(Tensor::detach).collect();
        let joined = Var::from_tensor(&Tensor::cat(&detached, 0)?)?;
        let loss = self.head.loss(joined.as_tensor(), &batch.targets)?;
        let of_head = loss.backward()?;
        let mut parts = Vec::with_capacity(shards.len());
        if let Some(of_vectors) = of_head.get(joined.as_tensor()) {
            let mut start = 0;
            for vectors in shards {
                let rows = vectors.dims()[0];
                if vectors.track_op() && rows > 0 {
                    parts.push((vectors, of_vectors.narrow(0, start, rows)?));
                }
                start += rows;
            }
        }
        let backward = |(vectors, gradient): (Tensor, Tensor)| vectors.mul(&gradient)?.sum_all()?.backward();
        let mut all: Vec<GradStore> = device::each(&self.weights.device, parts, backward)?;
        all.push(of_head);
        let mut gradients = BTreeMap::new();
        for (name, weight) in &self.weights.by_name {
            let mut parts = all.iter().filter_map(|store| store.get(weight.as_tensor()));
            if let Some(first) = parts.next() {
                let sum = parts.try_fold(first.clone(), |sum, part| sum + part)?;
                gradients.insert(name.clone(), sum.detach());
            }
        }
        Ok((f64::from(loss.to_scalar::<f32>()?), gradients))
    }

    /// What the model answers.
    pub(crate) fn answers(&self, batch: &Batch<'_>) -> Result<Tensor> {
        Ok(self.head.answers(&self.vectors(batch)?)?.detach())
    }

    /// The vectors of programs, or of their places.
    pub(crate) fn vectors(&self, batch: &Batch<'_>) -> Result<Tensor> {
        Ok(Tensor::cat(&self.shards(batch, None)?, 0)?.detach())
    }

    /// The vectors of each shard. A seed drops numbers, as training does.
    fn shards(&self, batch: &Batch<'_>, seed: Option<u64>) -> Result<Vec<Tensor>> {
        let places: Option<&[Vec<u32>]> = match &batch.targets {
            Targets::Words { places, .. } => Some(places),
            _ => None,
        };
        let size = device::together(&self.weights.device, SHARD, SHARD_ON_GPU);
        let shards = batch.programs.chunks(size).enumerate().collect();
        device::each(&self.weights.device, shards, |(shard, programs): (usize, &[Cow<'_, Program>])| {
            let mut random = seed.map(|seed| {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                random.set_stream(shard as u64);
                random
            });
            let programs: Vec<&Program> = programs.iter().map(AsRef::as_ref).collect();
            let rows = match places {
                None => self.network.vectors(&programs, random.as_mut())?,
                Some(places) => {
                    let places = &places[shard * size..shard * size + programs.len()];
                    let rows = self.network.places(&programs, places, random.as_mut());
                    rows.unwrap_or_else(|| candle_core::bail!("this model knows no places"))?
                }
            };
            // Without a gradient nothing of the way there is kept: it takes far more memory than the rows.
            Ok(if seed.is_some() { rows } else { rows.detach() })
        })
    }
}
