//! What a comparison found: samples, their bags, and the pairs of those.

use std::path::PathBuf;

use super::bags::Bags;
use crate::skipped::Skipped;

/// Samples, and which of them are near-duplicates.
#[derive(Debug)]
pub struct Duplicates {
    pub(crate) data: Vec<PathBuf>,
    /// The ids of the samples, in the order of the data.
    pub ids: Vec<String>,
    /// How many rows stand before each sample, those that were left out counted.
    pub(crate) rows: Vec<u64>,
    /// The problem of each sample, by its number in `problem_names`.
    pub(crate) problems: Vec<u32>,
    pub(crate) problem_names: Vec<String>,
    /// The bag of each sample.
    pub(crate) bag_of: Vec<u32>,
    pub(crate) bags: Bags,
    /// Pairs of bags, each with the smaller number first, sorted.
    pub(crate) pairs: Vec<[u32; 2]>,
    pub skipped: Vec<Skipped>,
}

impl Duplicates {
    /// The problem of a sample; empty where the data do not say.
    pub fn problem(&self, sample: usize) -> &str {
        &self.problem_names[self.problems[sample] as usize]
    }

    /// How many rows stand before a sample, those that were left out counted.
    pub fn row(&self, sample: usize) -> u64 {
        self.rows[sample]
    }

    /// The samples of each bag, in their order.
    pub(crate) fn samples_by_bag(&self) -> Grouped {
        Grouped::of(&self.bag_of, self.bags.len())
    }

    /// The partners of each bag, ascending.
    pub(crate) fn partners(&self) -> Grouped {
        let both = self.pairs.iter().flat_map(|&[one, two]| [(one, two), (two, one)]);
        Grouped::of_pairs(both, self.bags.len())
    }
}

/// Numbers in groups.
pub(crate) struct Grouped {
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Grouped {
    /// The positions of `group_of` that name each group.
    fn of(group_of: &[u32], groups: usize) -> Self {
        Self::of_pairs(group_of.iter().copied().zip(0..), groups)
    }

    fn of_pairs(pairs: impl Iterator<Item = (u32, u32)> + Clone, groups: usize) -> Self {
        let mut starts = vec![0_u32; groups + 1];
        for (group, _) in pairs.clone() {
            starts[group as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut members = vec![0; starts[groups] as usize];
        for (group, member) in pairs {
            members[next[group as usize] as usize] = member;
            next[group as usize] += 1;
        }
        Self { starts, members }
    }

    pub(crate) fn group(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}
