//! What is released.

use std::collections::BTreeMap;

use crate::judge::released::Judged;
use crate::pair::Pair;
use crate::project::Project;
use crate::seed::Seed;
use crate::split::Split;

/// What is released.
#[derive(Clone, Debug)]
pub struct ReleaseOptions {
    /// The name of the release, such as `1.0`.
    pub version: String,
    /// Decides which pairs are to train on, and which to test.
    pub seed: u64,
}

/// All that is released.
pub(super) struct Release<'r> {
    pub(super) project: &'r Project,
    pub(super) options: &'r ReleaseOptions,
    pub(super) pairs: Vec<Pair>,
    pub(super) splits: Vec<Split>,
    pub(super) judged: Judged,
    /// What tests say of each pair, where it was run.
    pub(super) tested: Vec<Option<String>>,
    /// Those that have a pair.
    pub(super) seeds: BTreeMap<String, Seed>,
}
