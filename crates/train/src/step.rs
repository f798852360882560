//! One step: vectors of a batch, their loss, its gradient, new weights.

use std::collections::BTreeMap;

use candle_core::{Tensor, Var};
use familiar_model::network::Sizes;
use rand_chacha::ChaCha8Rng;

use crate::batch::{self, Batch, View};
use crate::data::Data;
use crate::device;
use crate::loss::supervised_contrastive;
use crate::network::Network;
use crate::optimizer::AdamW;
use crate::recipe::Recipe;

/// Sequences that go through the network together, on a processor and on a GPU.
pub(crate) const CHUNK: usize = 16;
pub(crate) const CHUNK_ON_GPU: usize = 128;

/// From which overlap of their tokens on two functions of packages may be clones, and are not held against each other.
const MAY_BE_CLONES: f64 = 0.8;

/// The examples of one step, ordered by length.
pub struct Batched<'d> {
    pub(crate) views: Vec<View<'d>>,
    pub(crate) groups: Vec<u32>,
    pub(crate) sources: Vec<u32>,
    /// The tokens of what comes from packages, ascending; else empty.
    bags: Vec<Vec<u16>>,
}

impl<'d> Batched<'d> {
    /// Draws examples and changes each.
    pub fn draw(data: &'d Data, recipe: &Recipe, sizes: &Sizes, random: &mut ChaCha8Rng) -> Self {
        let numbers = batch::draw(data, recipe, random);
        let view = |number: u32| {
            let sequence = data.examples[number as usize].seen(recipe.rewriting.as_ref(), random);
            View::augmented(sequence, sizes, &recipe.augmentation, random)
        };
        let views: Vec<View<'d>> = numbers.iter().copied().map(view).collect();
        let mut drawn: Vec<(u32, View<'d>)> = numbers.into_iter().zip(views).collect();
        drawn.sort_by_key(|(number, view)| (view.len(), *number));
        let example = |number: u32| &data.examples[number as usize];
        let bag = |number: u32| {
            let mut bag = Vec::new();
            if !recipe.source[example(number).source as usize].packages.is_empty() {
                bag.clone_from(&example(number).sequence.pieces);
                bag.sort_unstable();
            }
            bag
        };
        Self {
            groups: drawn.iter().map(|(number, _)| example(*number).group).collect(),
            sources: drawn.iter().map(|(number, _)| example(*number).source).collect(),
            bags: drawn.iter().map(|(number, _)| bag(*number)).collect(),
            views: drawn.into_iter().map(|(_, view)| view).collect(),
        }
    }

    pub(crate) fn may_be_clones(&self, i: usize, j: usize) -> bool {
        let (a, b) = (&self.bags[i], &self.bags[j]);
        !a.is_empty() && !b.is_empty() && overlap(a, b) > MAY_BE_CLONES
    }
}

/// Changes the weights so that the batch loses less; tells what it lost before.
///
/// Chunks are computed side by side, on a GPU in turn: the gradient of the loss by the vectors is found first, and each chunk then turns its
/// part of it into gradients by the weights (Gao et al. 2021, section 3.2, without computing anything twice).
pub fn train(
    network: &Network,
    optimizer: &mut AdamW,
    recipe: &Recipe,
    batch: &Batched<'_>,
) -> candle_core::Result<f64> {
    let device = &network.device;
    let chunks = batch.views.chunks(device::together(device, CHUNK, CHUNK_ON_GPU)).collect();
    let vectors = device::each(device, chunks, |chunk| network.forward(&Batch::new(chunk)))?;
    let detached: Vec<Tensor> = vectors.iter().map(Tensor::detach).collect();
    let joined = Var::from_tensor(&Tensor::cat(&detached, 0)?)?;
    let may_be_clones = |i: usize, j: usize| batch.may_be_clones(i, j);
    let temperature = recipe.training.temperature;
    let loss = supervised_contrastive(
        joined.as_tensor(),
        &batch.groups,
        &batch.sources,
        may_be_clones,
        temperature,
    )?;
    let of_vectors = loss.backward()?;
    let Some(of_vectors) = of_vectors.get(joined.as_tensor()) else { return Ok(0.0) };
    let mut start = 0;
    let mut parts = Vec::with_capacity(vectors.len());
    for vectors in vectors {
        let rows = vectors.dims()[0];
        parts.push((vectors, of_vectors.narrow(0, start, rows)?));
        start += rows;
    }
    let backward = |(vectors, gradient): (Tensor, Tensor)| vectors.mul(&gradient)?.sum_all()?.backward();
    let of_chunks = device::each(device, parts, backward)?;
    let mut gradients: BTreeMap<String, Tensor> = BTreeMap::new();
    for (name, weight) in &network.weights {
        let mut total: Option<Tensor> = None;
        for gradient in of_chunks.iter().filter_map(|chunk| chunk.get(weight.as_tensor())) {
            total = Some(match total {
                Some(total) => (total + gradient)?,
                None => gradient.clone(),
            });
        }
        if let Some(total) = total {
            gradients.insert(name.clone(), total.detach());
        }
    }
    let rate = recipe.training.rate_at(optimizer.step);
    optimizer.step(&network.weights, &gradients, rate, recipe.training.weight_decay, recipe.training.clip)?;
    Ok(f64::from(loss.to_scalar::<f32>()?))
}

/// What two ascending bags have in common, over the larger one.
fn overlap(a: &[u16], b: &[u16]) -> f64 {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, common) = (i + 1, j + 1, common + 1),
        }
    }
    f64::from(common) / a.len().max(b.len()).max(1) as f64
}
