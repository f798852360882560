//! One number for each column: added to all rows, or multiplied with them.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor};

use super::numbers::numbers;

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

struct Shifted;

struct Scaled;

/// The sum of each column.
struct ColumnSums;

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
