//! The models: each makes one vector of a program. `common` is what they share.

mod bag;
mod common;
mod convolutions;
mod graph;
mod transformer;

use candle_core::Result;

use crate::settings::{Model, Settings, Size, Task};
use crate::weights::Weights;
use bag::Bag;
pub(crate) use common::Network;
use convolutions::Convolutions;
use graph::{Graph, Kind};
use transformer::Transformer;

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
                // Which word is masked follows from the grammar around it, which one layer or two do not learn.
                if settings.task == Task::Masked {
                    transformer::Sizes { width: 128, layers: 4, heads: 4, inner: 512 }
                } else {
                    transformer::Sizes { width: 128, layers: 2, heads: 2, inner: 256 }
                }
            };
            Ok(Box::new(Transformer::new(sizes, settings.length, dropout, symbols, weights)?))
        }
    }
}
