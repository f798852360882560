//! Who else makes vectors? Encoders that are not built in: embedding servers and ONNX models.
//!
//! [`Api`] asks a server that speaks OpenAI's protocol for embeddings. [`Onnx`] (with the feature `onnx`) runs a model of
//! RoBERTa's kind on this machine. Both implement [`Encoder`](familiar_model::Encoder), and its name says what made the
//! vectors. Their similarities are not calibrated ([`Calibration::UNKNOWN`](familiar_model::Calibration::UNKNOWN)).
//!
//! # Files
//!
//! `api` asks a server, `address` says which one, `http` how. `onnx` runs a model.

mod address;
mod api;
mod http;
#[cfg(feature = "onnx")]
mod onnx;

pub use api::Api;
pub use http::Connection;
#[cfg(feature = "onnx")]
pub use onnx::{ONNX_LIBRARY, Onnx, OnnxError};
