//! What models share.

use candle_core::{Result, Tensor};
use rand_chacha::ChaCha8Rng;

use crate::input::{PADDING, Program};

/// A model, from the input to vectors.
pub(crate) trait Network: Send + Sync {
    /// How long a vector is.
    fn width(&self) -> usize;

    /// How long the vector of a place is; 0 where the model knows no places.
    fn place_width(&self) -> usize {
        0
    }

    /// One row for each program. `random` is there in training, and drops numbers.
    fn vectors(&self, programs: &[&Program], random: Option<&mut ChaCha8Rng>) -> Result<Tensor>;

    /// One row of `place_width` numbers for each of `places` in the programs, one program after the other; `None` where the model
    /// knows no places.
    fn places(
        &self,
        _programs: &[&Program],
        _places: &[Vec<u32>],
        _random: Option<&mut ChaCha8Rng>,
    ) -> Option<Result<Tensor>> {
        None
    }
}

/// The symbols of programs in rows of one length, and that length.
pub(super) fn padded(programs: &[&Program]) -> (Vec<u32>, usize) {
    let length = programs.iter().map(|it| it.symbols.len()).max().unwrap_or(0).max(1);
    let mut rows = Vec::with_capacity(length * programs.len());
    for program in programs {
        rows.extend_from_slice(&program.symbols);
        rows.resize(rows.len() + length - program.symbols.len(), PADDING);
    }
    (rows, length)
}

/// What is added to scores so that places behind the end of a program do not count.
pub(super) fn absent(programs: &[&Program], length: usize) -> Vec<f32> {
    let mut values = Vec::with_capacity(length * programs.len());
    for program in programs {
        let end = values.len() + length;
        values.resize(values.len() + program.symbols.len(), 0.0);
        values.resize(end, -1e9);
    }
    values
}
