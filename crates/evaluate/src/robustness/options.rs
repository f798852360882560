//! The settings of a measurement of robustness.

use std::path::PathBuf;

use familiar_engine::members::Members;
use familiar_transform::SearchOptions;

use crate::Selection;
use crate::attack::Detector;

/// The settings of `familiar evaluate robustness`.
#[derive(Clone, Debug)]
pub struct RobustnessOptions {
    /// A file of solutions. Its groups are the problems.
    pub solutions: PathBuf,
    pub selection: Selection,
    /// Each with the name under which it was asked for: weights may share the name of their own.
    pub detectors: Vec<(String, Detector)>,
    pub sets: Vec<Members>,
    /// Its seed draws the pairs, too.
    pub search: SearchOptions,
    /// Most pairs of different problems that are called clones, as a share: at least 0 and below 1.
    pub false_positives: f64,
    /// Most pairs of different problems that are drawn.
    pub pairs: usize,
    /// Most programs, the first ones; 0: all.
    pub programs: usize,
    /// In bytes, for the tree of one program.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}
