//! The settings of a measurement of diversity.

use std::path::PathBuf;

use familiar_transform::catalog::Set;

use crate::Selection;
use crate::attack::Detector;

/// The settings of `familiar evaluate diversity`.
#[derive(Clone, Debug)]
pub struct DiversityOptions {
    /// A file of solutions.
    pub solutions: PathBuf,
    pub selection: Selection,
    pub detector: Detector,
    pub sets: Vec<&'static Set>,
    /// How many members the parts of a set have that are measured.
    pub sizes: Vec<usize>,
    /// Members of a composition.
    pub steps: usize,
    /// Programs that the search keeps from step to step.
    pub beam: usize,
    pub order: Order,
    /// Decides what transformations may choose, and the order by chance.
    pub seed: u64,
    /// Most programs, the first ones; 0: all.
    pub programs: usize,
    /// In bytes, for the tree of one program.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}

/// In which order the members of a set are added to its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The one that makes the diameter largest comes next (Auto-SPT, Lemma 3.3).
    #[default]
    Strongest,
    /// By chance, another order for each program.
    Random,
}

impl Order {
    pub const ALL: [(&'static str, Self); 2] = [("strongest", Self::Strongest), ("random", Self::Random)];

    pub fn name(self) -> &'static str {
        match self {
            Self::Strongest => "strongest",
            Self::Random => "random",
        }
    }
}
