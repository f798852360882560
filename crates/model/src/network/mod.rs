//! The encoder: a sequence in, a vector out.
//!
//! Tokens see their neighbours and, through *name pooling*, all other uses of their name: what a name is used for says
//! what it is, whatever it is called. Statements are the means of their tokens and attend to one another (Vaswani et al.
//! 2017, section 3.2, with a learnt number for each distance as in Raffel et al. 2020, section 2.1). Heads of attention
//! gather the statements into one vector.

mod arithmetic;
pub mod layout;
mod linear;
mod sizes;

use std::ops::Range;

pub(crate) use arithmetic::dot;
use arithmetic::{add_scaled, normalize, relu, softmax};
pub(crate) use linear::{Linear, Quantized};
pub use sizes::{REACH, Sizes, VECTOR};

use crate::Sequence;
use crate::weights::{Reader, Table};

/// A network with its weights.
#[derive(Clone, Debug)]
pub struct Network {
    sizes: Sizes,
    pieces: Table,
    depths: Table,
    words: Table,
    token_in: Box<[f32]>,
    blocks: Vec<Block>,
    token_out: Box<[f32]>,
    statement_in: Linear,
    layers: Vec<Layer>,
    statement_out: Box<[f32]>,
    pooling_scores: Linear,
    pooling_values: Linear,
    output: Linear,
}

#[derive(Clone, Debug)]
struct Block {
    norm: Box<[f32]>,
    inner: Linear,
    out: Linear,
}

#[derive(Clone, Debug)]
struct Layer {
    norm: Box<[f32]>,
    queries_keys_values: Linear,
    attended: Linear,
    distances: Box<[f32]>,
    norm_inner: Box<[f32]>,
    inner: Linear,
    out: Linear,
}

/// Room for what a network computes; keeps its memory from one sequence to the next.
#[derive(Debug, Default)]
pub struct Scratch {
    quantized: Quantized,
    x: Vec<f32>,
    normalized: Vec<f32>,
    seen: Vec<f32>,
    inner: Vec<f32>,
    out: Vec<f32>,
    statements: Vec<f32>,
    by_name: Vec<f32>,
    uses: Vec<f32>,
    scores: Vec<f32>,
}

impl Network {
    /// The network whose weights `reader` gives in the order of [`layout::weights`].
    pub(crate) fn read(sizes: Sizes, reader: &mut Reader<'_>) -> Self {
        let (t, s) = (sizes.token, sizes.statement);
        let linear = |reader: &mut Reader<'_>, inputs: usize, outputs: usize| {
            let (rows, scales) = reader.matrix(outputs, inputs);
            Linear::new(inputs, &rows, &scales, &reader.plain(outputs))
        };
        Self {
            pieces: reader.table(crate::input::PIECES, t),
            depths: reader.table(crate::input::DEPTHS, t),
            words: reader.table(crate::input::WORDS, t),
            token_in: reader.plain(t),
            blocks: (0..sizes.token_blocks)
                .map(|_| Block {
                    norm: reader.plain(t),
                    inner: linear(reader, 4 * t, sizes.token_inner),
                    out: linear(reader, sizes.token_inner, t),
                })
                .collect(),
            token_out: reader.plain(t),
            statement_in: linear(reader, t, s),
            layers: (0..sizes.statement_layers)
                .map(|_| Layer {
                    norm: reader.plain(s),
                    queries_keys_values: linear(reader, s, 3 * s),
                    attended: linear(reader, s, s),
                    distances: reader.plain((2 * REACH + 1) * sizes.heads),
                    norm_inner: reader.plain(s),
                    inner: linear(reader, s, sizes.statement_inner),
                    out: linear(reader, sizes.statement_inner, s),
                })
                .collect(),
            statement_out: reader.plain(s),
            pooling_scores: linear(reader, s, sizes.pooling_heads),
            pooling_values: linear(reader, s, s),
            output: linear(reader, 2 * s, sizes.output),
            sizes,
        }
    }

    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// The vector of the tokens of `window`, which is not empty and fits into the context; not scaled to any length.
    pub fn vector(&self, sequence: &Sequence, window: Range<usize>, scratch: &mut Scratch) -> Vec<f32> {
        self.read_statements(sequence, window, scratch);
        for layer in &self.layers {
            self.layer(layer, scratch);
        }
        self.pool(scratch)
    }

    /// What is known of each statement of `window` by itself, before statements attend to one another; row after row.
    pub(crate) fn states(
        &self,
        sequence: &Sequence,
        window: Range<usize>,
        scratch: &mut Scratch,
    ) -> Vec<f32> {
        self.read_statements(sequence, window, scratch);
        scratch.x.clone()
    }

    /// Puts the statements of `window` into `scratch`.
    fn read_statements(&self, sequence: &Sequence, window: Range<usize>, scratch: &mut Scratch) {
        debug_assert!(!window.is_empty());
        self.embed(sequence, window.clone(), scratch);
        for block in &self.blocks {
            self.block(block, &sequence.names[window.clone()], scratch);
        }
        self.gather_statements(&sequence.statements[window], scratch);
    }

    fn embed(&self, sequence: &Sequence, window: Range<usize>, scratch: &mut Scratch) {
        let t = self.sizes.token;
        scratch.out.clear();
        scratch.out.resize(window.len() * t, 0.0);
        for (row, at) in scratch.out.chunks_exact_mut(t).zip(window) {
            self.pieces.add_row(usize::from(sequence.pieces[at]), 1.0, row);
            self.depths.add_row(usize::from(sequence.depths[at]), 1.0, row);
            let words = sequence.words_of(at);
            let weight = 1.0 / (words.len().max(1) as f32).sqrt();
            for &word in words {
                self.words.add_row(usize::from(word), weight, row);
            }
        }
        normalize(&scratch.out, &self.token_in, &mut scratch.x);
    }

    /// One block over tokens: each sees the token before, itself, the token after and the mean of its name's uses.
    fn block(&self, block: &Block, names: &[u16], scratch: &mut Scratch) {
        let t = self.sizes.token;
        normalize(&scratch.x, &block.norm, &mut scratch.normalized);
        let by_name = names.iter().copied().max().unwrap_or(0);
        scratch.by_name.clear();
        scratch.by_name.resize((usize::from(by_name) + 1) * t, 0.0);
        scratch.uses.clear();
        scratch.uses.resize(usize::from(by_name) + 1, 0.0);
        for (row, &name) in scratch.normalized.chunks_exact(t).zip(names) {
            if name != 0 {
                add_scaled(&mut scratch.by_name[usize::from(name) * t..][..t], row, 1.0);
                scratch.uses[usize::from(name)] += 1.0;
            }
        }
        scratch.seen.clear();
        scratch.seen.resize(names.len() * 4 * t, 0.0);
        for (at, seen) in scratch.seen.chunks_exact_mut(4 * t).enumerate() {
            let row = |at: usize| &scratch.normalized[at * t..(at + 1) * t];
            if at > 0 {
                seen[..t].copy_from_slice(row(at - 1));
            }
            seen[t..2 * t].copy_from_slice(row(at));
            if at + 1 < names.len() {
                seen[2 * t..3 * t].copy_from_slice(row(at + 1));
            }
            let name = usize::from(names[at]);
            if name != 0 {
                add_scaled(&mut seen[3 * t..], &scratch.by_name[name * t..][..t], 1.0 / scratch.uses[name]);
            }
        }
        block.inner.apply(&scratch.seen, &mut scratch.quantized, &mut scratch.inner);
        relu(&mut scratch.inner);
        block.out.apply(&scratch.inner, &mut scratch.quantized, &mut scratch.out);
        add_scaled(&mut scratch.x, &scratch.out, 1.0);
    }

    /// Replaces the tokens by their statements.
    fn gather_statements(&self, statements: &[u16], scratch: &mut Scratch) {
        let t = self.sizes.token;
        normalize(&scratch.x, &self.token_out, &mut scratch.normalized);
        scratch.statements.clear();
        let mut start = 0;
        for tokens in statements.chunk_by(|a, b| a == b) {
            let end = start + tokens.len();
            let mean = scratch.statements.len();
            scratch.statements.resize(mean + t, 0.0);
            for row in scratch.normalized[start * t..end * t].chunks_exact(t) {
                add_scaled(&mut scratch.statements[mean..], row, 1.0 / tokens.len() as f32);
            }
            start = end;
        }
        self.statement_in.apply(&scratch.statements, &mut scratch.quantized, &mut scratch.x);
    }

    /// One layer over statements: attention to all of them, then each for itself.
    fn layer(&self, layer: &Layer, scratch: &mut Scratch) {
        let s = self.sizes.statement;
        normalize(&scratch.x, &layer.norm, &mut scratch.normalized);
        layer.queries_keys_values.apply(&scratch.normalized, &mut scratch.quantized, &mut scratch.seen);
        let count = scratch.x.len() / s;
        let width = s / self.sizes.heads;
        let scale = 1.0 / (width as f32).sqrt();
        scratch.out.clear();
        scratch.out.resize(count * s, 0.0);
        scratch.scores.clear();
        scratch.scores.resize(count, 0.0);
        for head in 0..self.sizes.heads {
            let part = |at: usize, which: usize| {
                let start = (at * 3 + which) * s + head * width;
                start..start + width
            };
            for i in 0..count {
                for (j, score) in scratch.scores.iter_mut().enumerate() {
                    let distance = (j + REACH).saturating_sub(i).min(2 * REACH);
                    let near = layer.distances[distance * self.sizes.heads + head];
                    *score = dot(&scratch.seen[part(i, 0)], &scratch.seen[part(j, 1)]) * scale + near;
                }
                softmax(&mut scratch.scores);
                for (j, &weight) in scratch.scores.iter().enumerate() {
                    let out = &mut scratch.out[i * s + head * width..][..width];
                    add_scaled(out, &scratch.seen[part(j, 2)], weight);
                }
            }
        }
        layer.attended.apply(&scratch.out, &mut scratch.quantized, &mut scratch.inner);
        add_scaled(&mut scratch.x, &scratch.inner, 1.0);
        normalize(&scratch.x, &layer.norm_inner, &mut scratch.normalized);
        layer.inner.apply(&scratch.normalized, &mut scratch.quantized, &mut scratch.inner);
        relu(&mut scratch.inner);
        layer.out.apply(&scratch.inner, &mut scratch.quantized, &mut scratch.out);
        add_scaled(&mut scratch.x, &scratch.out, 1.0);
    }

    /// The vector of all statements: what the heads look at, and the mean.
    fn pool(&self, scratch: &mut Scratch) -> Vec<f32> {
        let (s, heads) = (self.sizes.statement, self.sizes.pooling_heads);
        let width = s / heads;
        normalize(&scratch.x, &self.statement_out, &mut scratch.normalized);
        self.pooling_scores.apply(&scratch.normalized, &mut scratch.quantized, &mut scratch.seen);
        self.pooling_values.apply(&scratch.normalized, &mut scratch.quantized, &mut scratch.inner);
        let count = scratch.x.len() / s;
        let mut pooled = vec![0.0; 2 * s];
        for head in 0..heads {
            scratch.scores.clear();
            scratch.scores.extend((0..count).map(|at| scratch.seen[at * heads + head]));
            softmax(&mut scratch.scores);
            for (at, &weight) in scratch.scores.iter().enumerate() {
                let values = &scratch.inner[at * s + head * width..][..width];
                add_scaled(&mut pooled[head * width..][..width], values, weight);
            }
        }
        for row in scratch.normalized.chunks_exact(s) {
            add_scaled(&mut pooled[s..], row, 1.0 / count as f32);
        }
        let mut out = Vec::new();
        self.output.apply(&pooled, &mut scratch.quantized, &mut out);
        out
    }
}
