//! The largest numbers of spans of rows.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor};

use super::numbers::numbers;

/// The largest number of each column in each span of rows: where it starts, and how many there are, at least one.
pub(crate) fn largest(rows: &Tensor, spans: Vec<(usize, usize)>) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op1(Largest(spans))
    } else {
        library_largest(rows, &spans)
    }
}

pub(super) fn library_largest(rows: &Tensor, spans: &[(usize, usize)]) -> Result<Tensor> {
    let longest = spans.iter().map(|&(_, count)| count).max().unwrap_or(0).max(1);
    // Shorter spans have their first row several times.
    let of_span = |&(start, count): &(usize, usize)| {
        (0..longest).map(move |at| (start + if at < count { at } else { 0 }) as u32)
    };
    let numbers: Vec<u32> = spans.iter().flat_map(of_span).collect();
    let numbers = Tensor::from_vec(numbers, spans.len() * longest, rows.device())?;
    let columns = rows.dims2()?.1;
    let padded =
        rows.detach().contiguous()?.index_select(&numbers, 0)?.reshape((spans.len(), longest, columns))?;
    // Which row has the largest number, by span and column.
    let first: Vec<u32> = (0..spans.len()).map(|span| (span * longest) as u32).collect();
    let first = Tensor::from_vec(first, (spans.len(), 1), rows.device())?;
    let place = padded.argmax(1)?.broadcast_add(&first)?.flatten_all()?;
    let row = numbers.index_select(&place, 0)?.reshape((spans.len(), columns))?;
    rows.contiguous()?.gather(&row, 0)
}

#[derive(Clone)]
struct Largest(Vec<(usize, usize)>);

/// The gradient of [`Largest`] by the rows, which come first.
struct OfLargest(Vec<(usize, usize)>);

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
