//! Encoders that are not ours: a server's.
//!
//! [`Api`] asks a server that speaks OpenAI's protocol for embeddings. It is an
//! [`Encoder`](familiar_model::Encoder) whose name tells what made the vectors; how sure their similarities make is not known
//! ([`Calibration::UNKNOWN`](familiar_model::Calibration::UNKNOWN)).

mod address;
mod api;
mod http;

pub use api::{Api, TEXT_BYTES};
pub use http::Connection;
