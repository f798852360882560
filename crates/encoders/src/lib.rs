//! Encoders that are not ours: a server's, and ONNX models.
//!
//! [`Api`] asks a server that speaks OpenAI's protocol for embeddings. [`Onnx`] (with the feature `onnx`) runs a model of
//! RoBERTa's kind on this machine. Both are an [`Encoder`](familiar_model::Encoder) whose name tells what made the vectors; how sure
//! their similarities make is not known ([`Calibration::UNKNOWN`](familiar_model::Calibration::UNKNOWN)).

mod address;
mod api;
mod http;
#[cfg(feature = "onnx")]
mod onnx;

pub use api::{Api, TEXT_BYTES};
pub use http::Connection;
#[cfg(feature = "onnx")]
pub use onnx::{ONNX_LIBRARY, Onnx, OnnxError};
