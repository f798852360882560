//! The tables of the static stage: rows that are added up, learnt with the same loss as the network.
//!
//! A row begins as a random direction, as long as the feature is rare (Spärck Jones 1972): before any training the cosine of two
//! vectors is about that of TF-IDF. Few rows have a gradient in a step, so that it is computed for those alone, and each row has a
//! rate of its own (Duchi et al. 2011, one number for each row).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use candle_core::{Device, Tensor, Var};
use familiar_model::Sequence;
use familiar_model::bag::{FORMS, Features, WORDS};
use familiar_model::network::{Sizes, layout};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;
use rayon::prelude::*;

use crate::data::Data;
use crate::loss::supervised_contrastive;
use crate::measure;
use crate::recipe::{BagTraining, Recipe};
use crate::step::Batched;

/// What a bag holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Words,
    Forms,
}

impl Kind {
    pub const ALL: [Self; 2] = [Self::Words, Self::Forms];

    /// What the weight is called in a file of weights.
    pub fn weight(self) -> &'static str {
        match self {
            Self::Words => layout::BAG_WORDS,
            Self::Forms => layout::BAG_FORMS,
        }
    }

    fn rows(self) -> usize {
        match self {
            Self::Words => WORDS,
            Self::Forms => FORMS,
        }
    }

    fn features(self, sequence: &Sequence) -> Vec<(u16, f32)> {
        let mut features = Features::default();
        features.read(sequence);
        match self {
            Self::Words => features.words,
            Self::Forms => features.forms,
        }
    }
}

/// One table while it is learnt.
#[derive(Clone, Debug)]
pub struct Table {
    kind: Kind,
    columns: usize,
    /// Row after row.
    pub values: Vec<f32>,
    /// For each row the sum of the mean squares of its gradients.
    squares: Vec<f32>,
}

impl Table {
    /// Random directions, longer for what fewer of the examples have, times `scale`.
    pub fn new(kind: Kind, columns: usize, scale: f32, data: &Data, seed: u64) -> Self {
        let mut having = vec![0u32; kind.rows()];
        let features: Vec<_> =
            data.examples.par_iter().map(|example| kind.features(&example.sequence)).collect();
        for (row, _) in features.iter().flatten() {
            having[usize::from(*row)] += 1;
        }
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let all = data.examples.len() as f32;
        let row = |having: &u32| {
            let length = scale * (1.0 + all / (1.0 + *having as f32)).ln() / (columns as f32).sqrt();
            let row: Vec<f32> =
                (0..columns).map(|_| length * random.sample::<f32, _>(StandardNormal)).collect();
            row
        };
        Self { kind, columns, values: having.iter().flat_map(row).collect(), squares: vec![0.0; kind.rows()] }
    }

    /// Learns as `recipe` says; tells the mean loss of each hundred steps.
    pub fn train(
        &mut self,
        data: &Data,
        recipe: &Recipe,
        how: &BagTraining,
        mut tell: impl FnMut(usize, f64),
    ) -> candle_core::Result<()> {
        let sizes = unbounded(recipe);
        let mut changed = recipe.clone();
        changed.augmentation = how.augmentation;
        for source in &mut changed.source {
            source.groups_in_batch *= how.times;
        }
        let mut sum = 0.0;
        for step in 0..how.steps {
            let mut random = ChaCha8Rng::seed_from_u64(recipe.seed);
            random.set_stream((1 << 32) + step as u64);
            let batch = Batched::draw(data, &changed, &sizes, &mut random);
            let rate = how.rate * (1.0 - step as f64 / how.steps as f64);
            sum += self.step(&batch, how.temperature, rate as f32)?;
            if (step + 1).is_multiple_of(100) {
                tell(step + 1, sum / 100.0);
                sum = 0.0;
            }
        }
        Ok(())
    }

    fn step(&mut self, batch: &Batched<'_>, temperature: f64, rate: f32) -> candle_core::Result<f64> {
        let features: Vec<Vec<(u16, f32)>> =
            batch.views.par_iter().map(|view| self.kind.features(&view.sequence())).collect();
        let sums: Vec<Vec<f32>> = features.par_iter().map(|features| self.sum(features)).collect();
        let lengths: Vec<f32> = sums.iter().map(|sum| length(sum)).collect();
        let units: Vec<f32> =
            sums.iter().zip(&lengths).flat_map(|(sum, length)| sum.iter().map(move |x| x / length)).collect();
        let units = Tensor::from_vec(units, (sums.len(), self.columns), &Device::Cpu)?;
        let units = Var::from_tensor(&units)?;
        let loss = supervised_contrastive(
            units.as_tensor(),
            &batch.groups,
            &batch.sources,
            |i, j| batch.may_be_clones(i, j),
            temperature,
        )?;
        let gradients = loss.backward()?;
        let Some(gradient) = gradients.get(units.as_tensor()) else { return Ok(0.0) };
        let gradient = gradient.to_vec2::<f32>()?;
        // Of a vector of length 1 by the vector that it was made from.
        let of_sums: Vec<Vec<f32>> = sums
            .iter()
            .zip(&lengths)
            .zip(&gradient)
            .map(|((sum, length), gradient)| {
                let along: f32 = sum.iter().zip(gradient).map(|(x, g)| x / length * g).sum();
                sum.iter().zip(gradient).map(|(x, g)| (g - x / length * along) / length).collect()
            })
            .collect();
        self.descend(&features, &of_sums, rate);
        Ok(f64::from(loss.to_scalar::<f32>()?))
    }

    fn sum(&self, features: &[(u16, f32)]) -> Vec<f32> {
        let mut sum = vec![0.0; self.columns];
        for &(row, weight) in features {
            let row = &self.values[usize::from(row) * self.columns..][..self.columns];
            for (sum, x) in sum.iter_mut().zip(row) {
                *sum += weight * x;
            }
        }
        sum
    }

    /// Moves the rows of `features` against the gradients of the sums that they are in.
    fn descend(&mut self, features: &[Vec<(u16, f32)>], of_sums: &[Vec<f32>], rate: f32) {
        let mut uses: Vec<(u16, u32, f32)> = (0u32..)
            .zip(features)
            .flat_map(|(example, features)| features.iter().map(move |&(row, weight)| (row, example, weight)))
            .collect();
        uses.par_sort_unstable_by_key(|&(row, example, _)| (row, example));
        let rows: Vec<&[(u16, u32, f32)]> = uses.chunk_by(|a, b| a.0 == b.0).collect();
        let gradients: Vec<(usize, Vec<f32>)> = rows
            .par_iter()
            .map(|uses| {
                let mut gradient = vec![0.0; self.columns];
                for &(_, example, weight) in *uses {
                    for (to, g) in gradient.iter_mut().zip(&of_sums[example as usize]) {
                        *to += weight * g;
                    }
                }
                (usize::from(uses[0].0), gradient)
            })
            .collect();
        for (row, gradient) in gradients {
            let square = gradient.iter().map(|g| g * g).sum::<f32>() / self.columns as f32;
            self.squares[row] += square;
            let rate = rate / (self.squares[row].sqrt() + 1e-10);
            for (x, g) in self.values[row * self.columns..].iter_mut().zip(&gradient) {
                *x -= rate * g;
            }
        }
    }

    /// MAP@R of the examples of `groups`; among examples in other languages alone where it is `across` them.
    pub fn map_at_r(&self, data: &Data, groups: &[Vec<u32>], across: bool) -> f64 {
        let members = measure::members(groups);
        let unit = |&(_, member): &(u32, u32)| {
            let mut sum = self.sum(&self.kind.features(&data.examples[member as usize].sequence));
            let length = length(&sum);
            for x in &mut sum {
                *x /= length;
            }
            sum
        };
        let values: Vec<Vec<f32>> = members.par_iter().map(unit).collect();
        let candidate = measure::candidates(data, &members, across);
        let groups: Vec<u32> = members.iter().map(|(group, _)| *group).collect();
        measure::map_at_r(&values.concat(), self.columns, &groups, candidate)
    }

    /// Writes both tables, to be read by [`Table::load`].
    pub fn save(tables: &[Self], path: &Path) -> candle_core::Result<()> {
        let mut tensors = HashMap::new();
        for table in tables {
            let tensor = Tensor::from_slice(
                &table.values,
                (table.values.len() / table.columns, table.columns),
                &Device::Cpu,
            )?;
            tensors.insert(table.kind.weight().to_owned(), tensor);
        }
        let unfinished = path.with_extension("unfinished");
        candle_core::safetensors::save(&tensors, &unfinished)?;
        std::fs::rename(&unfinished, path).map_err(candle_core::Error::from)
    }

    /// The rows of the tables that [`Table::save`] wrote, by the names of the weights.
    pub fn load(path: &Path) -> candle_core::Result<BTreeMap<String, Vec<f32>>> {
        let tensors = candle_core::safetensors::load(path, &Device::Cpu)?;
        tensors
            .into_iter()
            .map(|(name, tensor)| Ok((name, tensor.flatten_all()?.to_vec1::<f32>()?)))
            .collect()
    }
}

fn length(vector: &[f32]) -> f32 {
    vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-6)
}

/// Sizes without a context: a bag has no order to forget.
fn unbounded(recipe: &Recipe) -> Sizes {
    let mut sizes = recipe.sizes().unwrap_or_else(|_| unreachable!("the recipe's sizes were read before"));
    (sizes.context, sizes.statements) = (usize::MAX, usize::MAX);
    sizes
}
