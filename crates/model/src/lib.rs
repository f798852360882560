//! Code to vectors: fragments that do the same lie close together, whatever their names, their wording and their language.
//!
//! [`input`] is the one representation of code that everything here works on, the same for all languages. [`Encoder`] is
//! what every maker of vectors is to those who use them, ours or another's. Ours has two stages: a [`bag`] that looks its
//! rows up, thousands of fragments a second, and a [`network`] that reads.

mod background;
pub mod bag;
mod builtin;
pub mod calibration;
mod encoder;
pub mod input;
pub mod network;
pub mod spelling;
pub mod weights;

pub use background::Unblended;
pub use builtin::{Builtin, Stage};
pub use calibration::{Blend, Blends, Calibration, Curve};
pub use encoder::{Code, EncodeError, Encoder, Vectors};
pub use input::{Sequence, SequenceReader};
