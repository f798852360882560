//! What is computed on.

use candle_core::{Device, Result};
use rayon::prelude::*;

/// A GPU where there is one and the build has the feature `cuda`, else the processor. Fails where there is a GPU that cannot be used.
///
/// On a GPU, products of matrices have factors of 10 bits (TF32), as is usual in training.
pub fn best() -> Result<Device> {
    if !cfg!(feature = "cuda") {
        return Ok(Device::Cpu);
    }
    candle_core::cuda::set_gemm_reduced_precision_f32(true);
    match Device::new_cuda(0) {
        // The library tells the driver's errors apart by this text alone.
        Err(error) if format!("{error:?}").contains("NO_DEVICE") => Ok(Device::Cpu),
        found => found,
    }
}

/// What a device is called.
pub fn name(device: &Device) -> &'static str {
    if device.is_cpu() { "the processor" } else { "a GPU" }
}

/// How many sequences are computed together: few on a processor, where each thread has some, and many on a GPU.
pub fn together(device: &Device, on_processor: usize, on_gpu: usize) -> usize {
    if device.is_cpu() { on_processor } else { on_gpu }
}

/// Does the same with each item: side by side on a processor, and in turn on a GPU. There each thread has a stream
/// of its own, and nothing orders these.
pub fn each<T: Send, R: Send>(
    device: &Device,
    items: Vec<T>,
    with: impl Fn(T) -> Result<R> + Sync + Send,
) -> Result<Vec<R>> {
    if device.is_cpu() {
        items.into_par_iter().map(with).collect()
    } else {
        items.into_iter().map(with).collect()
    }
}
