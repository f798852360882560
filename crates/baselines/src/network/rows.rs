//! Two functions of rows that the library computes slowly on a processor: windows, and largest numbers. On a GPU, they are the
//! library's.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor};

/// Puts the rows of each window of `width` rows one after the other. `length` rows belong together; what is outside of them is 0.
pub(super) fn windows(rows: &Tensor, width: usize, length: usize) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op1(Windows { width, length })
    } else {
        library_windows(rows, width, length)
    }
}

/// The largest number of each column in each span of rows: where it starts, and how many there are, at least one.
pub(super) fn largest(rows: &Tensor, spans: Vec<(usize, usize)>) -> Result<Tensor> {
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
