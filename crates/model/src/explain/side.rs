//! What is read of one side.

use crate::code::Code;
use crate::input::Placed;

/// What is read of one side.
pub(crate) struct Side<'c> {
    pub(crate) code: Code<'c>,
    pub(crate) placed: Placed,
    /// The parts of its vector, as long as they count.
    pub(crate) parts: Vec<f32>,
    /// What the network knows of each statement by itself, row after row.
    pub(crate) states: Vec<f32>,
}
