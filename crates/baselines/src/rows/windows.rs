//! Windows of rows, as convolutions see them.

use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor};

use super::numbers::numbers;

/// Puts the rows of each window of `width` rows one after the other. `length` rows belong together; what is outside of them is 0.
pub(crate) fn windows(rows: &Tensor, width: usize, length: usize) -> Result<Tensor> {
    if rows.device().is_cpu() {
        rows.contiguous()?.apply_op1(Windows { width, length })
    } else {
        library_windows(rows, width, length)
    }
}

pub(super) fn library_windows(rows: &Tensor, width: usize, length: usize) -> Result<Tensor> {
    let (count, columns) = rows.dims2()?;
    let before = width / 2;
    let wide =
        rows.reshape((count / length, length, columns))?.pad_with_zeros(1, before, width - 1 - before)?;
    let shifted: Vec<Tensor> = (0..width).map(|at| wide.narrow(1, at, length)).collect::<Result<_>>()?;
    Tensor::cat(&shifted, 2)?.reshape((count, width * columns))
}

#[derive(Clone, Copy)]
struct Windows {
    width: usize,
    length: usize,
}

/// The gradient of [`Windows`].
struct Unwindowed(Windows);

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
