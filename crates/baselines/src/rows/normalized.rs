//! Rows of mean 0 and variance 1.

use candle_core::{CpuStorage, CustomOp1, CustomOp2, Layout, Result, Shape, Tensor};

use super::numbers::numbers;

/// Added to variances, so that rows of equal numbers become 0.
const LEAST: f32 = 1e-5;

/// Brings each row to mean 0 and variance 1 (Ba et al. 2016).
pub(crate) fn normalized(rows: &Tensor) -> Result<Tensor> {
    if rows.device().is_cpu() { rows.contiguous()?.apply_op1(Normalized) } else { library_normalized(rows) }
}

pub(super) fn library_normalized(rows: &Tensor) -> Result<Tensor> {
    let centered = rows.broadcast_sub(&rows.mean_keepdim(1)?)?;
    let deviation = (centered.sqr()?.mean_keepdim(1)? + f64::from(LEAST))?.sqrt()?;
    centered.broadcast_div(&deviation)
}

struct Normalized;

/// The gradient of [`Normalized`] by the rows, which come first.
struct OfNormalized;

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
