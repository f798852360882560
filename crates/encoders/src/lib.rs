//! Who else makes vectors? Encoders that are not built in: embedding servers and ONNX models.
//!
//! [`Api`] asks a server that speaks OpenAI's protocol for embeddings. [`Onnx`] (with the feature `onnx`) runs a model of
//! RoBERTa's kind on this machine. Both implement [`Encoder`](familiar_model::Encoder), and its name says what made the
//! vectors. Their similarities are not calibrated ([`Calibration::UNKNOWN`](familiar_model::Calibration::UNKNOWN)).
//!
//! # Files
//!
//! `api` asks a server, and `onnx` runs a model.

mod api;
#[cfg(feature = "onnx")]
mod onnx;

pub use api::Api;
pub use familiar_endpoint::Connection;
#[cfg(feature = "onnx")]
pub use onnx::{ONNX_LIBRARY, Onnx, OnnxError};
