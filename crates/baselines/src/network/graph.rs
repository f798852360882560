//! Networks on simplified parse trees (Puri et al. 2021, Appendix B.4), with five layers.
//!
//! Messages run both ways along the edges from parents to children, and from each leaf to the next. Different from the paper's
//! code: rows are normalized (Ba et al. 2016) and not batches, each layer is added to what was there before, and the vector of a program
//! is the mean and the largest number of its nodes.

use candle_core::{DType, Device, Result, Tensor};
use familiar_train::rows::Numbers;
use rand_chacha::ChaCha8Rng;

use super::common::Network;
use crate::input::Program;
use crate::rows::{Edges, largest, scaled};
use crate::weights::{Dense, Norm, Stack, Table, Weights, dropout};

const LAYERS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Kipf and Welling 2017, Equation 2.
    Convolution,
    /// Xu et al. 2019, Equation 4.1, with one epsilon for each column.
    Isomorphism,
}

pub(super) struct Graph {
    kind: Kind,
    width: usize,
    dropout: f32,
    symbols: Table,
    layers: Vec<Layer>,
    last: Norm,
}

struct Layer {
    norm: Norm,
    messages: Messages,
    /// Of a node that is beside all others (Gilmer et al. 2017, Section 5.2).
    beside: Option<Stack>,
}

enum Messages {
    Convolution(Dense),
    Isomorphism { own: Tensor, both: Stack },
}

/// The nodes of several programs, one after the other.
struct Nodes {
    edges: Edges,
    /// How much a node itself counts in convolutions.
    own: Tensor,
    /// The program of each node, and one over the number of its nodes by program.
    program: Numbers,
    share: Tensor,
    /// Where the nodes of each program stand.
    spans: Vec<(usize, usize)>,
}

impl Graph {
    pub(super) fn new(
        kind: Kind,
        has_virtual: bool,
        width: usize,
        dropout: f32,
        symbols: usize,
        weights: &mut Weights,
    ) -> Result<Self> {
        let embedding = weights.table("symbols", symbols, width)?;
        let mut layers = Vec::new();
        for at in 0..LAYERS {
            let name = |part: &str| format!("layer.{at}.{part}");
            let messages = match kind {
                Kind::Convolution => Messages::Convolution(weights.dense(&name("messages"), width, width)?),
                Kind::Isomorphism => Messages::Isomorphism {
                    own: weights.normal(&name("own"), &[width], 0.0)?,
                    both: weights.stack(&name("messages"), &[width, 2 * width, width])?,
                },
            };
            let has_beside = has_virtual && at + 1 < LAYERS;
            let beside =
                has_beside.then(|| weights.stack(&name("beside"), &[width, 2 * width, width])).transpose()?;
            layers.push(Layer { norm: weights.norm(&name("norm"), width)?, messages, beside });
        }
        Ok(Self { kind, width, dropout, symbols: embedding, layers, last: weights.norm("last", width)? })
    }
}

impl Network for Graph {
    fn width(&self) -> usize {
        2 * self.width
    }

    fn vectors(&self, programs: &[&Program], mut random: Option<&mut ChaCha8Rng>) -> Result<Tensor> {
        let device = self.symbols.device();
        let nodes = Nodes::of(self.kind, programs, device)?;
        let symbols: Vec<u32> = programs.iter().flat_map(|program| program.symbols.iter().copied()).collect();
        let mut rows = self.symbols.of(symbols)?;
        let mut beside = Tensor::zeros((programs.len(), self.width), DType::F32, device)?;
        for (at, layer) in self.layers.iter().enumerate() {
            if at > 0 && self.layers[at - 1].beside.is_some() {
                rows = (rows + nodes.program.choose(&beside)?)?;
            }
            let normal = layer.norm.of(&rows)?;
            let new = match &layer.messages {
                Messages::Convolution(dense) => {
                    let dense = dense.of(&normal)?;
                    (dense.broadcast_mul(&nodes.own)? + nodes.edges.messages(&dense)?)?
                }
                Messages::Isomorphism { own, both } => {
                    let own = scaled(&normal, &(own + 1.0)?)?;
                    both.of(&(own + nodes.edges.messages(&normal)?)?)?
                }
            };
            let new = dropout(&new.relu()?, self.dropout / 2.0, random.as_deref_mut())?;
            rows = (rows + new)?;
            if let Some(stack) = &layer.beside {
                let means = nodes.program.sum(&normal)?.broadcast_mul(&nodes.share)?;
                beside = (&beside + stack.of(&(&beside + means)?)?)?;
            }
        }
        let rows = self.last.of(&rows)?;
        let means = nodes.program.sum(&rows)?.broadcast_mul(&nodes.share)?;
        let largest = largest(&rows, nodes.spans)?;
        dropout(&Tensor::cat(&[means, largest], 1)?, self.dropout, random)
    }
}

impl Nodes {
    fn of(kind: Kind, programs: &[&Program], device: &Device) -> Result<Self> {
        let (mut from, mut to, mut program, mut spans) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut share = Vec::new();
        let mut start = 0;
        for (number, it) in (0_u32..).zip(programs) {
            for &[one, two] in &it.edges {
                from.extend([start + one, start + two]);
                to.extend([start + two, start + one]);
            }
            let count = it.symbols.len();
            program.resize(program.len() + count, number);
            share.push(1.0 / count.max(1) as f32);
            spans.push((start as usize, count));
            start += count as u32;
        }
        let count = program.len();
        let mut degrees = vec![1_f32; count];
        for &node in &to {
            degrees[node as usize] += 1.0;
        }
        let weight = |(from, to): (&u32, &u32)| match kind {
            Kind::Convolution => 1.0 / (degrees[*from as usize] * degrees[*to as usize]).sqrt(),
            Kind::Isomorphism => 1.0,
        };
        let edge_weights: Vec<f32> = from.iter().zip(&to).map(weight).collect();
        let own: Vec<f32> = degrees.iter().map(|degree| 1.0 / degree).collect();
        Ok(Self {
            edges: Edges::new(from, to, edge_weights, count, device)?,
            own: Tensor::from_vec(own, (count, 1), device)?,
            program: Numbers::new(program, programs.len(), device)?,
            share: Tensor::from_vec(share, (programs.len(), 1), device)?,
            spans,
        })
    }
}
