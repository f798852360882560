//! Messages along the edges between rows.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor};
use familiar_train::rows::Numbers;

use super::numbers::numbers;

/// Edges between rows, each in both directions.
#[derive(Clone)]
pub(crate) struct Edges(Arc<EdgeList>);

struct EdgeList {
    from: Vec<u32>,
    to: Vec<u32>,
    /// How much a message counts.
    weights: Vec<f32>,
    /// The same for a GPU.
    from_rows: Numbers,
    to_rows: Numbers,
    weight_rows: Tensor,
}

impl Edges {
    /// Edges between `count` rows.
    pub(crate) fn new(
        from: Vec<u32>,
        to: Vec<u32>,
        weights: Vec<f32>,
        count: usize,
        device: &Device,
    ) -> Result<Self> {
        let from_rows = Numbers::new(from.clone(), count, device)?;
        let to_rows = Numbers::new(to.clone(), count, device)?;
        let weight_rows = Tensor::from_slice(&weights, (weights.len(), 1), device)?;
        Ok(Self(Arc::new(EdgeList { from, to, weights, from_rows, to_rows, weight_rows })))
    }

    /// For each row the sum of the rows from which an edge leads there.
    pub(crate) fn messages(&self, rows: &Tensor) -> Result<Tensor> {
        if rows.device().is_cpu() {
            rows.contiguous()?.apply_op1(Messages { edges: self.clone(), is_gradient: false })
        } else {
            self.library_messages(rows)
        }
    }

    pub(super) fn library_messages(&self, rows: &Tensor) -> Result<Tensor> {
        let EdgeList { from, from_rows, to_rows, weight_rows, .. } = &*self.0;
        if from.is_empty() {
            return rows.zeros_like();
        }
        to_rows.sum(&from_rows.choose(rows)?.broadcast_mul(weight_rows)?)
    }
}

struct Messages {
    edges: Edges,
    /// Messages of the gradient go backward.
    is_gradient: bool,
}

impl CustomOp1 for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (count, columns) = layout.shape().dims2()?;
        let rows = numbers(storage, layout)?;
        let EdgeList { from, to, weights, .. } = &*self.edges.0;
        let (from, to) = if self.is_gradient { (to, from) } else { (from, to) };
        let mut sums = vec![0_f32; count * columns];
        let span = |row: u32| row as usize * columns..(row as usize + 1) * columns;
        for ((&from, &to), weight) in from.iter().zip(to).zip(weights) {
            let message = &rows[span(from)];
            sums[span(to)].iter_mut().zip(message).for_each(|(sum, number)| *sum += weight * number);
        }
        Ok((CpuStorage::F32(sums), layout.shape().clone()))
    }

    fn bwd(&self, _rows: &Tensor, _sums: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let back = Self { edges: self.edges.clone(), is_gradient: !self.is_gradient };
        Ok(Some(gradient.contiguous()?.apply_op1_no_bwd(&back)?))
    }
}
