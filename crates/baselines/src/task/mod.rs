//! What is asked of vectors.
//!
//! `draw` chooses the programs of each step, and `head` makes answers of vectors.

mod draw;
mod head;

use std::borrow::Cow;

use crate::input::Program;

pub(crate) use draw::{epoch, masked, pairs, shown, whole};
pub(crate) use head::Head;

/// What is looked at together.
#[derive(Debug)]
pub(crate) struct Batch<'p> {
    pub(crate) programs: Vec<Cow<'p, Program>>,
    pub(crate) targets: Targets,
}

/// The right answers.
#[derive(Clone, Debug)]
pub(crate) enum Targets {
    /// The problem of each program.
    Problems(Vec<u32>),
    /// Numbers of programs, of which two that follow each other are a pair; for each pair 1 where they solve one problem, else 0.
    Same { programs: Vec<u32>, same: Vec<f32> },
    /// The number of each program.
    Numbers(Vec<u64>),
    /// For each program the places where words are masked, and these words.
    Words { places: Vec<Vec<u32>>, words: Vec<u32> },
}
