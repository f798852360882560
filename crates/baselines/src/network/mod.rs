//! The models: each makes one vector of a program.

mod bag;
mod convolutions;
mod graph;
mod transformer;

use candle_core::{Result, Tensor};
use rand_chacha::ChaCha8Rng;

use crate::input::{PADDING, Program};
use crate::settings::{Model, Settings, Size, Task};
use crate::weights::Weights;
use bag::Bag;
use convolutions::Convolutions;
use graph::{Graph, Kind};
use transformer::Transformer;

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

/// The network of a model for `symbols` different symbols.
pub(crate) fn new(settings: &Settings, symbols: usize, weights: &mut Weights) -> Result<Box<dyn Network>> {
    let paper = settings.size == Size::Paper;
    let dropout = settings.dropout;
    let graph = |kind, has_virtual, weights: &mut Weights| -> Result<Box<dyn Network>> {
        let width = if paper { 300 } else { 64 };
        Ok(Box::new(Graph::new(kind, has_virtual, width, dropout, symbols, weights)?))
    };
    match settings.model {
        Model::Bag => Ok(Box::new(Bag::new(symbols, &weights.device))),
        Model::Cnn | Model::CnnAll => {
            let sizes = if paper {
                convolutions::Sizes { embedding: 128, first: 512, second: 320, third: 256 }
            } else {
                convolutions::Sizes { embedding: 24, first: 96, second: 96, third: 256 }
            };
            Ok(Box::new(Convolutions::new(sizes, dropout, symbols, weights)?))
        }
        Model::Gcn => graph(Kind::Convolution, false, weights),
        Model::GcnV => graph(Kind::Convolution, true, weights),
        Model::Gin | Model::Misim => graph(Kind::Isomorphism, false, weights),
        Model::GinV => graph(Kind::Isomorphism, true, weights),
        Model::Transformer => {
            let sizes = if paper {
                transformer::Sizes { width: 768, layers: 12, heads: 12, inner: 3072 }
            } else {
                // A word follows from those around it; a second layer takes twice the time.
                let layers = if settings.task == Task::Masked { 1 } else { 2 };
                transformer::Sizes { width: 128, layers, heads: 2, inner: 256 }
            };
            Ok(Box::new(Transformer::new(sizes, settings.length, dropout, symbols, weights)?))
        }
    }
}

/// The symbols of programs in rows of one length, and that length.
fn padded(programs: &[&Program]) -> (Vec<u32>, usize) {
    let length = programs.iter().map(|it| it.symbols.len()).max().unwrap_or(0).max(1);
    let mut rows = Vec::with_capacity(length * programs.len());
    for program in programs {
        rows.extend_from_slice(&program.symbols);
        rows.resize(rows.len() + length - program.symbols.len(), PADDING);
    }
    (rows, length)
}

/// What is added to scores so that places behind the end of a program do not count.
fn absent(programs: &[&Program], length: usize) -> Vec<f32> {
    let mut values = Vec::with_capacity(length * programs.len());
    for program in programs {
        let end = values.len() + length;
        values.resize(values.len() + program.symbols.len(), 0.0);
        values.resize(end, -1e9);
    }
    values
}
