//! Functions of rows that the library computes slowly on a processor. On a GPU, they are the library's.

use std::sync::Arc;

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor};

/// Puts the rows of each window of `width` rows one after the other. `length` rows belong together; what is outside of them is 0.
pub(crate) fn windows(rows: &Tensor, width: usize, length: usize) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op1(Windows { width, length })
    } else {
        library_windows(rows, width, length)
    }
}

/// The largest number of each column in each span of rows: where it starts, and how many there are, at least one.
pub(crate) fn largest(rows: &Tensor, spans: Vec<(usize, usize)>) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op1(Largest(spans))
    } else {
        library_largest(rows, &spans)
    }
}

fn library_windows(rows: &Tensor, width: usize, length: usize) -> Result<Tensor> {
    let (count, columns) = rows.dims2()?;
    let before = width / 2;
    let wide =
        rows.reshape((count / length, length, columns))?.pad_with_zeros(1, before, width - 1 - before)?;
    let shifted: Vec<Tensor> = (0..width).map(|at| wide.narrow(1, at, length)).collect::<Result<_>>()?;
    Tensor::cat(&shifted, 2)?.reshape((count, width * columns))
}

fn library_largest(rows: &Tensor, spans: &[(usize, usize)]) -> Result<Tensor> {
    let each = spans.iter().map(|&(start, count)| rows.narrow(0, start, count)?.max_keepdim(0));
    Tensor::cat(&each.collect::<Result<Vec<_>>>()?, 0)
}

#[derive(Clone, Copy)]
struct Windows {
    width: usize,
    length: usize,
}

/// The gradient of [`Windows`].
struct Unwindowed(Windows);

#[derive(Clone)]
struct Largest(Vec<(usize, usize)>);

/// The gradient of [`Largest`] by the rows, which come first.
struct OfLargest(Vec<(usize, usize)>);

/// The numbers of a tensor that is contiguous.
fn numbers<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let numbers: &[f32] = storage.as_slice()?;
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&numbers[start..end]),
        None => candle_core::bail!("rows are not contiguous"),
    }
}

impl Windows {
    /// For each row, which rows of the same program its window has, and how many columns of the window stand before them.
    fn each(self, rows: usize, columns: usize, mut each: impl FnMut(usize, std::ops::Range<usize>, usize)) {
        let before = self.width / 2;
        for row in 0..rows {
            let (program, at) = (row / self.length * self.length, row % self.length);
            let first = at.saturating_sub(before);
            let last = (at + self.width - before).min(self.length);
            each(
                row,
                (program + first) * columns..(program + last) * columns,
                (first + before - at) * columns,
            );
        }
    }
}

impl CustomOp1 for Windows {
    fn name(&self) -> &'static str {
        "windows"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, columns) = layout.shape().dims2()?;
        let wide = self.width * columns;
        let (from, mut to) = (numbers(storage, layout)?, vec![0_f32; rows * wide]);
        self.each(rows, columns, |row, range, skipped| {
            let start = row * wide + skipped;
            to[start..start + range.len()].copy_from_slice(&from[range]);
        });
        Ok((CpuStorage::F32(to), Shape::from((rows, wide))))
    }

    fn bwd(&self, _rows: &Tensor, _windows: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        Ok(Some(gradient.contiguous()?.apply_op1_no_bwd(&Unwindowed(*self))?))
    }
}

impl CustomOp1 for Unwindowed {
    fn name(&self) -> &'static str {
        "unwindowed"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (rows, wide) = layout.shape().dims2()?;
        let columns = wide / self.0.width;
        let (from, mut to) = (numbers(storage, layout)?, vec![0_f32; rows * columns]);
        self.0.each(rows, columns, |row, range, skipped| {
            let start = row * wide + skipped;
            let window = &from[start..start + range.len()];
            to[range].iter_mut().zip(window).for_each(|(sum, part)| *sum += part);
        });
        Ok((CpuStorage::F32(to), Shape::from((rows, columns))))
    }
}

impl CustomOp1 for Largest {
    fn name(&self) -> &'static str {
        "largest"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, columns) = layout.shape().dims2()?;
        let from = numbers(storage, layout)?;
        let mut to = Vec::with_capacity(self.0.len() * columns);
        for &(start, count) in &self.0 {
            let mut rows = from[start * columns..(start + count) * columns].chunks_exact(columns);
            let at = to.len();
            to.extend_from_slice(rows.next().unwrap_or(&vec![0.0; columns]));
            for row in rows {
                to[at..].iter_mut().zip(row).for_each(|(largest, it)| *largest = it.max(*largest));
            }
        }
        Ok((CpuStorage::F32(to), Shape::from((self.0.len(), columns))))
    }

    fn bwd(&self, rows: &Tensor, _largest: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        let of = OfLargest(self.0.clone());
        Ok(Some(rows.apply_op2_no_bwd(&gradient.contiguous()?, &of)?))
    }
}

impl CustomOp2 for OfLargest {
    fn name(&self) -> &'static str {
        "gradient of largest"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        gradient: &CpuStorage,
        gradient_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (count, columns) = rows_layout.shape().dims2()?;
        let (rows, gradient) = (numbers(rows, rows_layout)?, numbers(gradient, gradient_layout)?);
        let mut to = vec![0_f32; count * columns];
        let mut best = vec![0; columns];
        for (&(start, count), gradient) in self.0.iter().zip(gradient.chunks_exact(columns)) {
            best.fill(start);
            for row in start..start + count {
                for (column, best) in best.iter_mut().enumerate() {
                    // The first of equal ones gets it all.
                    if rows[row * columns + column] > rows[*best * columns + column] {
                        *best = row;
                    }
                }
            }
            if count > 0 {
                for (column, (best, gradient)) in best.iter().zip(gradient).enumerate() {
                    to[best * columns + column] += gradient;
                }
            }
        }
        Ok((CpuStorage::F32(to), Shape::from((count, columns))))
    }
}

/// Adds one row to all.
pub(crate) fn shifted(rows: &Tensor, shift: &Tensor) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op2(&shift.contiguous()?, Shifted)
    } else {
        rows.broadcast_add(shift)
    }
}

/// Multiplies all rows by one.
pub(crate) fn scaled(rows: &Tensor, scale: &Tensor) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op2(&scale.contiguous()?, Scaled)
    } else {
        rows.broadcast_mul(scale)
    }
}

/// Added to variances, so that rows of equal numbers become 0.
const LEAST: f32 = 1e-5;

/// Brings each row to mean 0 and variance 1 (Ba et al. 2016).
pub(crate) fn normalized(rows: &Tensor) -> Result<Tensor> {
    if rows.device().is_cpu() { rows.contiguous()?.apply_op1(Normalized) } else { library_normalized(rows) }
}

fn library_normalized(rows: &Tensor) -> Result<Tensor> {
    let centered = rows.broadcast_sub(&rows.mean_keepdim(1)?)?;
    let deviation = (centered.sqr()?.mean_keepdim(1)? + f64::from(LEAST))?.sqrt()?;
    centered.broadcast_div(&deviation)
}

/// Edges between rows, each in both directions.
#[derive(Clone)]
pub(crate) struct Edges(Arc<EdgeList>);

struct EdgeList {
    from: Vec<u32>,
    to: Vec<u32>,
    /// How much a message counts.
    weights: Vec<f32>,
}

impl Edges {
    pub(crate) fn new(from: Vec<u32>, to: Vec<u32>, weights: Vec<f32>) -> Self {
        Self(Arc::new(EdgeList { from, to, weights }))
    }

    /// For each row the sum of the rows from which an edge leads there.
    pub(crate) fn messages(&self, rows: &Tensor) -> Result<Tensor> {
        if rows.device().is_cpu() {
            rows.contiguous()?.apply_op1(Messages { edges: self.clone(), is_gradient: false })
        } else {
            self.library_messages(rows)
        }
    }

    fn library_messages(&self, rows: &Tensor) -> Result<Tensor> {
        let (EdgeList { from, to, weights }, device) = (&*self.0, rows.device());
        let from = Tensor::from_slice(from, from.len(), device)?;
        let to = Tensor::from_slice(to, to.len(), device)?;
        let weights = Tensor::from_slice(weights, (weights.len(), 1), device)?;
        let messages = rows.index_select(&from, 0)?.broadcast_mul(&weights)?;
        rows.zeros_like()?.index_add(&to, &messages, 0)
    }
}

struct Shifted;

struct Scaled;

struct Normalized;

/// The gradient of [`Normalized`] by the rows, which come first.
struct OfNormalized;

/// The sum of each column.
struct ColumnSums;

struct Messages {
    edges: Edges,
    /// Messages of the gradient go backward.
    is_gradient: bool,
}

impl CustomOp2 for Shifted {
    fn name(&self) -> &'static str {
        "shifted"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        shift: &CpuStorage,
        shift_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let shift = numbers(shift, shift_layout)?;
        let mut to = numbers(rows, rows_layout)?.to_vec();
        for row in to.chunks_exact_mut(shift.len()) {
            row.iter_mut().zip(shift).for_each(|(number, shift)| *number += shift);
        }
        Ok((CpuStorage::F32(to), rows_layout.shape().clone()))
    }

    fn bwd(
        &self,
        _rows: &Tensor,
        _shift: &Tensor,
        _shifted: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let sums = gradient.contiguous()?.apply_op1_no_bwd(&ColumnSums)?;
        Ok((Some(gradient.clone()), Some(sums)))
    }
}

impl CustomOp2 for Scaled {
    fn name(&self) -> &'static str {
        "scaled"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        scale: &CpuStorage,
        scale_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let scale = numbers(scale, scale_layout)?;
        let mut to = numbers(rows, rows_layout)?.to_vec();
        for row in to.chunks_exact_mut(scale.len()) {
            row.iter_mut().zip(scale).for_each(|(number, scale)| *number *= scale);
        }
        Ok((CpuStorage::F32(to), rows_layout.shape().clone()))
    }

    fn bwd(
        &self,
        rows: &Tensor,
        scale: &Tensor,
        _scaled: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let gradient = gradient.contiguous()?;
        let of_scale = (&gradient * rows)?.apply_op1_no_bwd(&ColumnSums)?;
        Ok((Some(gradient.apply_op2_no_bwd(&scale.contiguous()?, &Self)?), Some(of_scale)))
    }
}

/// The mean of a row, and one over its deviation.
fn moments(row: &[f32]) -> (f32, f32) {
    let count = row.len() as f32;
    let mean = row.iter().sum::<f32>() / count;
    let variance = row.iter().map(|number| (number - mean) * (number - mean)).sum::<f32>() / count;
    (mean, 1.0 / (variance + LEAST).sqrt())
}

impl CustomOp1 for Normalized {
    fn name(&self) -> &'static str {
        "normalized"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, columns) = layout.shape().dims2()?;
        let mut to = numbers(storage, layout)?.to_vec();
        for row in to.chunks_exact_mut(columns) {
            let (mean, scale) = moments(row);
            for number in row {
                *number = (*number - mean) * scale;
            }
        }
        Ok((CpuStorage::F32(to), layout.shape().clone()))
    }

    fn bwd(&self, rows: &Tensor, _normalized: &Tensor, gradient: &Tensor) -> Result<Option<Tensor>> {
        Ok(Some(rows.apply_op2_no_bwd(&gradient.contiguous()?, &OfNormalized)?))
    }
}

impl CustomOp2 for OfNormalized {
    fn name(&self) -> &'static str {
        "gradient of normalized"
    }

    fn cpu_fwd(
        &self,
        rows: &CpuStorage,
        rows_layout: &Layout,
        gradient: &CpuStorage,
        gradient_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (_, columns) = rows_layout.shape().dims2()?;
        let rows = numbers(rows, rows_layout)?;
        let mut to = numbers(gradient, gradient_layout)?.to_vec();
        for (gradient, row) in to.chunks_exact_mut(columns).zip(rows.chunks_exact(columns)) {
            let (mean, scale) = moments(row);
            let count = columns as f32;
            let sum = gradient.iter().sum::<f32>() / count;
            let along =
                gradient.iter().zip(row).map(|(part, number)| part * (number - mean) * scale).sum::<f32>()
                    / count;
            for (part, number) in gradient.iter_mut().zip(row) {
                *part = scale * (*part - sum - (number - mean) * scale * along);
            }
        }
        Ok((CpuStorage::F32(to), rows_layout.shape().clone()))
    }
}

impl CustomOp1 for ColumnSums {
    fn name(&self) -> &'static str {
        "column sums"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (_, columns) = layout.shape().dims2()?;
        let mut sums = vec![0_f32; columns];
        for row in numbers(storage, layout)?.chunks_exact(columns) {
            sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        Ok((CpuStorage::F32(sums), Shape::from(columns)))
    }
}

impl CustomOp1 for Messages {
    fn name(&self) -> &'static str {
        "messages"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (count, columns) = layout.shape().dims2()?;
        let rows = numbers(storage, layout)?;
        let EdgeList { from, to, weights } = &*self.edges.0;
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

#[cfg(test)]
mod tests {
    use candle_core::{Device, Var};

    use super::*;

    #[test]
    fn windows_and_their_gradient() {
        let rows = Var::from_vec(vec![1_f32, 2.0, 3.0, 4.0], (4, 1), &Device::Cpu).expect("there are four");
        // Two programs of two rows each.
        let windows = windows(rows.as_tensor(), 3, 2).expect("they fit");
        let wanted = [[0.0, 1.0, 2.0], [1.0, 2.0, 0.0], [0.0, 3.0, 4.0], [3.0, 4.0, 0.0]];
        assert_eq!(windows.to_vec2::<f32>().expect("there are rows"), wanted);
        let factors = Tensor::new(&[[1_f32, 10.0, 100.0]; 4], &Device::Cpu).expect("there are twelve");
        let gradients = windows.mul(&factors).and_then(|it| it.sum_all()).and_then(|it| it.backward());
        let gradients = gradients.expect("it has a gradient");
        let gradient = gradients.get(rows.as_tensor()).expect("it depends on the rows");
        assert_eq!(gradient.to_vec2::<f32>().expect("rows"), [[11.0], [110.0], [11.0], [110.0]]);
    }

    #[test]
    fn the_library_computes_the_same() {
        let values: Vec<f32> = (0..60_u16).map(|at| f32::from(at * 37 % 61)).collect();
        let rows = Tensor::from_vec(values, (12, 5), &Device::Cpu).expect("there are sixty");
        let numbers = |it: Result<Tensor>| it.and_then(|it| it.to_vec2::<f32>()).expect("rows");
        for width in [1, 3, 5, 15] {
            assert_eq!(
                numbers(windows(&rows, width, 4)),
                numbers(library_windows(&rows, width, 4)),
                "{width} rows"
            );
        }
        let spans = vec![(0, 4), (4, 1), (5, 7)];
        assert_eq!(numbers(largest(&rows, spans.clone())), numbers(library_largest(&rows, &spans)));
    }

    /// The numbers of `made`, and its gradients by both inputs where each of its numbers counts differently.
    fn with_gradients(one: &Var, two: &Var, made: &Tensor) -> [Vec<f32>; 3] {
        let count = made.elem_count() as u16;
        let factors: Vec<f32> = (0..count).map(|at| f32::from(at % 7) - 2.5).collect();
        let factors = Tensor::from_vec(factors, made.shape(), &Device::Cpu).expect("there are as many");
        let gradients = made.mul(&factors).and_then(|it| it.sum_all()).and_then(|it| it.backward());
        let gradients = gradients.expect("it has a gradient");
        let flat = |it: &Tensor| it.flatten_all().and_then(|it| it.to_vec1::<f32>()).expect("numbers");
        let of = |it: &Var| gradients.get(it.as_tensor()).map(flat).unwrap_or_default();
        [flat(made), of(one), of(two)]
    }

    #[test]
    fn functions_of_rows_are_those_of_the_library() {
        let values: Vec<f32> = (0..24_u16).map(|at| f32::from(at * 5 % 17) / 8.0).collect();
        let rows = Var::from_vec(values, (6, 4), &Device::Cpu).expect("there are 24");
        let shift = Var::from_vec(vec![1_f32, -2.0, 0.5, 3.0], 4, &Device::Cpu).expect("there are four");
        let ours = shifted(rows.as_tensor(), shift.as_tensor()).expect("they fit");
        let theirs = rows.as_tensor().broadcast_add(shift.as_tensor()).expect("they fit");
        assert_eq!(with_gradients(&rows, &shift, &ours), with_gradients(&rows, &shift, &theirs));
        let ours = scaled(rows.as_tensor(), shift.as_tensor()).expect("they fit");
        let theirs = rows.as_tensor().broadcast_mul(shift.as_tensor()).expect("they fit");
        assert_eq!(with_gradients(&rows, &shift, &ours), with_gradients(&rows, &shift, &theirs));
        let ours = normalized(rows.as_tensor()).expect("there are rows");
        let theirs = library_normalized(rows.as_tensor()).expect("there are rows");
        let both = [&ours, &theirs].map(|it| with_gradients(&rows, &shift, it).concat());
        assert!(both[0].iter().zip(&both[1]).all(|(one, two)| (one - two).abs() < 1e-4), "{both:?}");
        let edges = Edges::new(vec![0, 1, 1, 5, 2], vec![1, 0, 5, 1, 2], vec![1.0, 1.0, 0.5, 0.5, 2.0]);
        let ours = edges.messages(rows.as_tensor()).expect("they fit");
        let theirs = edges.library_messages(rows.as_tensor()).expect("they fit");
        assert_eq!(with_gradients(&rows, &shift, &ours), with_gradients(&rows, &shift, &theirs));
    }

    #[test]
    fn the_largest_and_its_gradient() {
        let values = vec![1_f32, 9.0, 5.0, 2.0, -3.0, -4.0];
        let rows = Var::from_vec(values, (3, 2), &Device::Cpu).expect("there are six");
        let largest = largest(rows.as_tensor(), vec![(0, 2), (2, 1)]).expect("they fit");
        assert_eq!(largest.to_vec2::<f32>().expect("rows"), [[5.0, 9.0], [-3.0, -4.0]]);
        let factors = Tensor::new(&[[1_f32, 10.0], [100.0, 1000.0]], &Device::Cpu).expect("there are four");
        let gradients = largest.mul(&factors).and_then(|it| it.sum_all()).and_then(|it| it.backward());
        let gradients = gradients.expect("it has a gradient");
        let gradient = gradients.get(rows.as_tensor()).expect("it depends on the rows");
        let wanted = [[0.0, 10.0], [1.0, 0.0], [100.0, 1000.0]];
        assert_eq!(gradient.to_vec2::<f32>().expect("rows"), wanted);
    }
}
