//! AdamW (Loshchilov and Hutter 2019) whose state can be kept, so that training goes on where it stopped.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use candle_core::{Device, Tensor, Var};

const FIRST: f64 = 0.9;
const SECOND: f64 = 0.98;

/// The moments of each weight.
#[derive(Debug, Default)]
pub struct AdamW {
    pub moments: BTreeMap<String, (Tensor, Tensor)>,
    pub step: usize,
}

impl AdamW {
    /// One step against `gradients`, which are scaled down to the length `clip` where they are longer. Tells their length.
    pub fn step(
        &mut self,
        weights: &BTreeMap<String, Var>,
        gradients: &BTreeMap<String, Tensor>,
        rate: f64,
        decay: f64,
        clip: f64,
    ) -> candle_core::Result<f64> {
        self.step += 1;
        // One answer for all, since a GPU is waited for at each.
        let squares = gradients.values().map(|gradient| gradient.sqr()?.sum_all());
        let squares = match squares.collect::<candle_core::Result<Vec<_>>>()? {
            squares if squares.is_empty() => Vec::new(),
            squares => Tensor::stack(&squares, 0)?.to_vec1::<f32>()?,
        };
        let length = squares.into_iter().map(f64::from).sum::<f64>().sqrt();
        let scale = if length > clip { clip / length } else { 1.0 };
        let first_bias = 1.0 - FIRST.powf(self.step as f64);
        let second_bias = 1.0 - SECOND.powf(self.step as f64);
        for (name, gradient) in gradients {
            let gradient = (gradient * scale)?;
            let (first, second) = match self.moments.get(name) {
                Some((first, second)) => (
                    ((first * FIRST)? + (&gradient * (1.0 - FIRST))?)?,
                    ((second * SECOND)? + (gradient.sqr()? * (1.0 - SECOND))?)?,
                ),
                None => ((&gradient * (1.0 - FIRST))?, (gradient.sqr()? * (1.0 - SECOND))?),
            };
            let weight = &weights[name];
            let towards = ((&first / first_bias)? / ((&second / second_bias)?.sqrt()? + 1e-8)?)?;
            let decayed = if weight.dims().len() > 1 {
                (weight.as_tensor() * (1.0 - rate * decay))?
            } else {
                weight.as_tensor().clone()
            };
            weight.set(&(decayed - (towards * rate)?)?)?;
            self.moments.insert(name.clone(), (first.detach(), second.detach()));
        }
        Ok(length)
    }

    /// Writes the weights, their moments and the number of steps, whole or not at all.
    pub fn save(&self, path: &Path, weights: &BTreeMap<String, Var>) -> candle_core::Result<()> {
        let mut tensors: HashMap<String, Tensor> = HashMap::new();
        for (name, weight) in weights {
            tensors.insert(format!("weight.{name}"), weight.as_tensor().clone());
        }
        for (name, (first, second)) in &self.moments {
            tensors.insert(format!("first.{name}"), first.clone());
            tensors.insert(format!("second.{name}"), second.clone());
        }
        tensors.insert("step".to_owned(), Tensor::new(self.step as u32, &Device::Cpu)?);
        let unfinished = path.with_extension("unfinished");
        candle_core::safetensors::save(&tensors, &unfinished)?;
        std::fs::rename(&unfinished, path).map_err(candle_core::Error::from)
    }

    /// Goes on from what [`AdamW::save`] wrote.
    pub fn load(
        &mut self,
        path: &Path,
        weights: &BTreeMap<String, Var>,
        device: &Device,
    ) -> candle_core::Result<()> {
        let mut tensors = candle_core::safetensors::load(path, device)?;
        let mut take = |name: String| {
            tensors
                .remove(&name)
                .ok_or_else(|| candle_core::Error::Msg(format!("{} lacks {name}", path.display())))
        };
        self.step = take("step".to_owned())?.to_scalar::<u32>()? as usize;
        for (name, weight) in weights {
            weight.set(&take(format!("weight.{name}"))?)?;
            let moments = (take(format!("first.{name}"))?, take(format!("second.{name}"))?);
            self.moments.insert(name.clone(), moments);
        }
        Ok(())
    }
}
