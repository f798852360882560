//! What counts as a run.

use familiar_index::{Collection, Sampling};
use familiar_syntax::normal::Renaming;

use super::text::Form;
use crate::evidence::Judge;

/// What counts as a run, and how much memory the search may take.
#[derive(Clone, Copy, Debug)]
pub struct RunSettings {
    /// A run has at least this many tokens.
    pub min_tokens: u32,
    /// Compare normal forms (`renaming` says which) instead of raw symbols.
    pub type_2: bool,
    pub renaming: Renaming,
    /// Neighbouring runs with at most this many tokens between them, on both sides, are merged; 0 merges none.
    pub max_gap_tokens: u32,
    /// Neighbouring runs with at most this many tokens between them that are equal as written on both sides are one run; 0 joins none.
    pub max_equal_gap: u32,
    /// Compare files of different families.
    pub cross_families: bool,
    /// No run holds an import token.
    pub import_barriers: bool,
    /// Bytes that the tables of the search may take besides the tokens and the result.
    pub memory: usize,
}

/// What is searched, and what counts in it.
#[derive(Clone, Copy)]
pub(super) struct RunSearch<'a> {
    pub(super) collection: &'a Collection,
    pub(super) settings: &'a RunSettings,
    /// Splits renamed runs into those that are copies of one another.
    pub(super) judge: Option<Judge<'a>>,
}

impl RunSettings {
    pub(super) fn form(&self) -> Form {
        Form { blind: self.type_2, barriers: self.import_barriers }
    }

    pub(super) fn sampling(&self) -> Sampling {
        Sampling::for_runs(self.min_tokens)
    }
}
