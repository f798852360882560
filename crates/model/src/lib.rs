//! Code to vectors: fragments that do the same lie close together, whatever their names, their wording and their language.
//!
//! [`input`] is the one representation of code that everything here works on, the same for all languages. [`Encoder`] is
//! what every maker of vectors is to those who use them, ours or another's.

mod builtin;
pub mod calibration;
mod encoder;
pub mod input;
pub mod network;
pub mod weights;

pub use builtin::Builtin;
pub use calibration::{Calibration, Logistic};
pub use encoder::{Code, EncodeError, Encoder, Vectors};
pub use input::{Sequence, SequenceReader};
