//! The settings of a measurement with mutants.

use std::path::PathBuf;

use familiar_engine::verify::VerifyOptions;
use familiar_transform::catalog::Set;

use crate::Selection;
use crate::attack::Detector;

/// The settings of `familiar evaluate mutants`.
#[derive(Clone, Debug)]
pub struct MutantsOptions {
    /// A file of solutions.
    pub solutions: PathBuf,
    pub selection: Selection,
    /// Each with the name under which it was asked for.
    pub detectors: Vec<(String, Detector)>,
    /// What makes the clones.
    pub set: &'static Set,
    /// Most tokens in which a clone or a mutant differs from its program.
    pub most_distance: usize,
    /// Most clones of one program, each with a mutant.
    pub pairs: usize,
    /// How programs are run. Its `apart` and `seconds` are set here.
    pub verify: VerifyOptions,
    /// Draws faults and sites.
    pub seed: u64,
    /// Most programs, the first ones; 0: all.
    pub programs: usize,
    /// In bytes, for the tree of one program.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}
