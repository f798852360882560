//! Weights that are drawn by a seed, and layers that use them.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Result, Tensor, Var};
use familiar_train::rows::Numbers;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rand_distr::StandardNormal;

use crate::rows::{normalized, scaled, shifted};

/// Weights by name.
pub(crate) struct Weights {
    pub(crate) by_name: BTreeMap<String, Var>,
    pub(crate) device: Device,
    random: ChaCha8Rng,
}

/// A scale and a shift for each column of rows that have been brought to mean 0 and variance 1.
pub(crate) struct Norm {
    scale: Tensor,
    shift: Tensor,
}

/// A dense layer. It holds a row of weights for each output.
pub(crate) struct Dense {
    weight: Tensor,
    bias: Tensor,
}

/// A row of numbers for each symbol.
pub(crate) struct Table(Tensor);

/// Dense layers, with rectifiers between them.
pub(crate) struct Stack(Vec<Dense>);

impl Weights {
    pub(crate) fn new(device: &Device, seed: u64) -> Self {
        Self { by_name: BTreeMap::new(), device: device.clone(), random: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// How many numbers there are.
    pub(crate) fn count(&self) -> usize {
        self.by_name.values().map(|weight| weight.elem_count()).sum()
    }

    pub(crate) fn normal(&mut self, name: &str, shape: &[usize], deviation: f32) -> Result<Tensor> {
        let count = shape.iter().product();
        let random = &mut self.random;
        let values: Vec<f32> =
            (0..count).map(|_| deviation * random.sample::<f32, _>(StandardNormal)).collect();
        self.add(name, values, shape)
    }

    fn same(&mut self, name: &str, size: usize, value: f32) -> Result<Tensor> {
        self.add(name, vec![value; size], &[size])
    }

    pub(crate) fn add(&mut self, name: &str, values: Vec<f32>, shape: &[usize]) -> Result<Tensor> {
        let weight = Var::from_vec(values, shape, &self.device)?;
        let tensor = weight.as_tensor().clone();
        let before = self.by_name.insert(name.to_owned(), weight);
        debug_assert!(before.is_none(), "two weights are called {name}");
        Ok(tensor)
    }

    /// Variances stay about the same from layer to layer (Glorot and Bengio 2010, Equation 12).
    pub(crate) fn dense(&mut self, name: &str, inputs: usize, outputs: usize) -> Result<Dense> {
        self.scaled(name, inputs, outputs, 1.0)
    }

    fn scaled(&mut self, name: &str, inputs: usize, outputs: usize, gain: f32) -> Result<Dense> {
        let deviation = gain * (2.0 / (inputs + outputs) as f32).sqrt();
        let weight = self.normal(&format!("{name}.weight"), &[outputs, inputs], deviation)?;
        Ok(Dense { weight, bias: self.same(&format!("{name}.bias"), outputs, 0.0)? })
    }

    /// Layers of these sizes, the first of which is that of the input. What they say is small at first.
    pub(crate) fn stack(&mut self, name: &str, sizes: &[usize]) -> Result<Stack> {
        let mut layers = Vec::new();
        for (at, pair) in sizes.windows(2).enumerate() {
            let gain = if at + 2 == sizes.len() { 0.2 } else { 1.0 };
            layers.push(self.scaled(&format!("{name}.{at}"), pair[0], pair[1], gain)?);
        }
        Ok(Stack(layers))
    }

    pub(crate) fn table(&mut self, name: &str, count: usize, size: usize) -> Result<Table> {
        Ok(Table(self.normal(name, &[count, size], 0.5)?))
    }

    pub(crate) fn norm(&mut self, name: &str, size: usize) -> Result<Norm> {
        let scale = self.same(&format!("{name}.scale"), size, 1.0)?;
        Ok(Norm { scale, shift: self.same(&format!("{name}.shift"), size, 0.0)? })
    }
}

impl Table {
    pub(crate) fn of(&self, symbols: Vec<u32>) -> Result<Tensor> {
        Numbers::new(symbols, self.0.dims2()?.0, self.device())?.choose(&self.0)
    }

    pub(crate) fn device(&self) -> &Device {
        self.0.device()
    }
}

impl Norm {
    pub(crate) fn of(&self, rows: &Tensor) -> Result<Tensor> {
        shifted(&scaled(&normalized(rows)?, &self.scale)?, &self.shift)
    }
}

impl Dense {
    pub(crate) fn of(&self, rows: &Tensor) -> Result<Tensor> {
        shifted(&rows.matmul(&self.weight.t()?)?, &self.bias)
    }
}

impl Stack {
    pub(crate) fn of(&self, rows: &Tensor) -> Result<Tensor> {
        let mut rows = rows.clone();
        for (at, layer) in self.0.iter().enumerate() {
            if at > 0 {
                rows = rows.relu()?;
            }
            rows = layer.of(&rows)?;
        }
        Ok(rows)
    }
}

/// Sets a share of all numbers to 0, and makes the others larger, where `random` is there.
pub(crate) fn dropout(values: &Tensor, share: f32, random: Option<&mut ChaCha8Rng>) -> Result<Tensor> {
    let Some(random) = random.filter(|_| share > 0.0) else { return Ok(values.clone()) };
    let kept = 1.0 / (1.0 - share);
    if !values.device().is_cpu() {
        // Numbers that a GPU draws itself, by the seed that it has for this step.
        let drawn = Tensor::rand(0_f32, 1_f32, values.shape(), values.device())?;
        let mask = (drawn.ge(share)?.to_dtype(DType::F32)? * f64::from(kept))?;
        return values * mask;
    }
    let mask: Vec<f32> =
        (0..values.elem_count()).map(|_| if random.random::<f32>() < share { 0.0 } else { kept }).collect();
    values * Tensor::from_vec(mask, values.shape(), values.device())?
}
