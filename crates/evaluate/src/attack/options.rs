//! The settings of an attack, and what it finds for one program.

use std::path::PathBuf;

use familiar_engine::members::Members;
use familiar_engine::verify::{Verified, VerifyOptions};
use familiar_source::Language;
use familiar_transform::{Attack, SearchOptions};

use super::detector::Detector;
use crate::Selection;

/// The settings of an attack.
#[derive(Clone, Debug)]
pub struct AttackOptions {
    /// A file of solutions.
    pub solutions: PathBuf,
    pub selection: Selection,
    pub detector: Detector,
    pub set: Members,
    pub search: SearchOptions,
    /// A program below this similarity is no longer recognized.
    pub threshold: f64,
    /// Run what each transformation makes of a program, and the worst program, beside it.
    pub verify: Option<VerifyOptions>,
    /// Most programs, the first ones; 0: all.
    pub programs: usize,
    /// In bytes, for the tree of one program.
    pub memory: usize,
    /// 0: as many as the machine has.
    pub threads: usize,
}

/// A program and what the search found for it.
pub(super) struct Attacked {
    pub(super) row: u64,
    pub(super) code: Vec<u8>,
    pub(super) language: Language,
    pub(super) attack: Attack,
    /// The cosine of the worst program, for encoders.
    pub(super) cosine: Option<f64>,
    /// How the runs ended: of what each transformation makes alone, and of the worst program.
    pub(super) alone: Vec<Verified>,
    pub(super) worst: Verified,
}
