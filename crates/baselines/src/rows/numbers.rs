//! The numbers of a tensor.

use candle_core::{CpuStorage, Layout, Result};

/// The numbers of a tensor that is contiguous.
pub(super) fn numbers<'s>(storage: &'s CpuStorage, layout: &Layout) -> Result<&'s [f32]> {
    let numbers: &[f32] = storage.as_slice()?;
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&numbers[start..end]),
        None => candle_core::bail!("rows are not contiguous"),
    }
}
