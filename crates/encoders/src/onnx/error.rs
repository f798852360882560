//! Why a model cannot be used.

use std::path::{Path, PathBuf};

/// The variable of the environment that tells where the run time's library is.
pub const ONNX_LIBRARY: &str = "ORT_DYLIB_PATH";

/// Why a model cannot be used; the message says what to do.
#[derive(Debug, thiserror::Error)]
pub enum OnnxError {
    #[error("{} does not exist: {advice}", path.display())]
    Missing { path: PathBuf, advice: &'static str },
    #[error("{}: {reason}", path.display())]
    Unusable { path: PathBuf, reason: String },
    #[error(
        "{reason}: install onnxruntime 1.17 or later and set {ONNX_LIBRARY} to the path of its library, such as \
         site-packages/onnxruntime/capi/libonnxruntime.so.1.23.0 of the Python package"
    )]
    RunTime { reason: String },
}

impl OnnxError {
    pub(super) fn unusable(path: &Path, reason: impl std::fmt::Display) -> Self {
        Self::Unusable { path: path.to_owned(), reason: reason.to_string() }
    }
}
