//! Encoders that are not ours, against servers and models that are as small as can be.

mod api;
#[cfg(feature = "onnx")]
mod model;
#[cfg(feature = "onnx")]
mod onnx;
mod server;
