//! All that is learnt from: examples, in groups of those that do the same.

use familiar_model::Sequence;
use familiar_source::Language;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use crate::recipe::Rewriting;

/// A solution of one problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    pub sequence: Sequence,
    /// What transformations make of it; empty where it is not rewritten.
    pub copies: Vec<Sequence>,
    pub language: Language,
    /// Number of its group, over all sources.
    pub group: u32,
    /// Number of its source.
    pub source: u32,
}

impl Example {
    /// The example as it is seen once: a share of those that have rewritten copies is seen as one of them.
    pub(crate) fn seen(&self, rewriting: Option<&Rewriting>, random: &mut ChaCha8Rng) -> &Sequence {
        let rewritten = rewriting.filter(|it| !self.copies.is_empty() && random.random_bool(it.share));
        match rewritten {
            Some(_) => &self.copies[random.random_range(0..self.copies.len())],
            None => &self.sequence,
        }
    }
}

/// Examples by group, of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// For each group its examples.
    pub groups: Vec<Vec<u32>>,
    /// For each author who has solved several problems in one language: the groups, and the author's example of each.
    pub authors: Vec<Vec<(u32, u32)>>,
}

/// All that is learnt from, and what is kept apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Data {
    pub examples: Vec<Example>,
    /// Groups to train on, of each source of the recipe.
    pub training: Vec<Source>,
    /// Groups to measure with, of each source of the recipe.
    pub validation: Vec<Source>,
    /// Training examples left out because they read like one that is kept for validation.
    pub overlaps: usize,
}
