//! Relative frequencies of symbols (Puri et al. 2021, Appendix B.1).

use candle_core::{Device, Result, Tensor};
use rand_chacha::ChaCha8Rng;

use super::common::Network;
use crate::input::Program;

/// Counts of symbols, divided by their length (L2). There is nothing to learn in it.
pub(super) struct Bag {
    symbols: usize,
    device: Device,
}

impl Bag {
    pub(super) fn new(symbols: usize, device: &Device) -> Self {
        Self { symbols, device: device.clone() }
    }
}

impl Network for Bag {
    fn width(&self) -> usize {
        self.symbols
    }

    fn vectors(&self, programs: &[&Program], _random: Option<&mut ChaCha8Rng>) -> Result<Tensor> {
        let mut values = vec![0_f32; programs.len() * self.symbols];
        for (program, row) in programs.iter().zip(values.chunks_exact_mut(self.symbols)) {
            for &symbol in &program.symbols {
                row[symbol as usize] += 1.0;
            }
            let length = row.iter().map(|it| it * it).sum::<f32>().sqrt();
            for it in row {
                *it /= length.max(1.0);
            }
        }
        Tensor::from_vec(values, (programs.len(), self.symbols), &self.device)
    }
}
