//! Near-duplicates: samples whose tokens are nearly the same.
//!
//! Two samples are near-duplicates if the Jaccard index of their token sets and that of their multisets both reach a threshold
//! (Puri et al. 2021, Section 5.2; Allamanis 2019, Section 2). The tokens are all but comments and the preprocessor's
//! directives. Every such pair is found, within and across problems.
//!
//! # Files
//!
//! `read` makes bags of a data set's samples, with a `vocabulary`. `bags` counts them, `join` finds the pairs, `clusters` groups
//! them as CodeNet does, `pairs` lists them, and `kept` writes the rows that stay.

mod bags;
mod clusters;
mod join;
mod kept;
mod pairs;
mod read;
#[cfg(test)]
mod tests;
mod vocabulary;

use std::path::PathBuf;

use crate::skipped::Skipped;
use familiar_source::memory;
use familiar_source::Progress;
use thiserror::Error;

use crate::DataError;
use bags::Bags;

pub use bags::Overlap;
pub use clusters::{Cluster, ClusterRule, Member};
pub use join::Thresholds;
pub use kept::KeptError;
pub use pairs::Pair;

/// What is compared, and how.
#[derive(Clone, Debug)]
pub struct DuplicatesOptions {
    /// Data sets in folders, or tables.
    pub data: Vec<PathBuf>,
    pub thresholds: Thresholds,
    /// Whether the texts of strings count.
    pub strings: bool,
    /// A limit for the memory in bytes.
    pub memory: usize,
    /// 0 stands for one for each processor core.
    pub threads: usize,
}

/// Why near-duplicates cannot be found.
#[derive(Debug, Error)]
pub enum DuplicatesError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("the samples do not fit into the memory: give more by --memory, or compare fewer at a time (after {0} of them)")]
    Memory(usize),
    #[error("there are more pairs than fit into the memory: give more by --memory, or raise the thresholds")]
    Pairs,
    #[error("cannot start {threads} threads: {source}")]
    Threads { threads: usize, source: rayon::ThreadPoolBuildError },
}

/// Samples, and which of them are near-duplicates.
#[derive(Debug)]
pub struct Duplicates {
    data: Vec<PathBuf>,
    /// The ids of the samples, in the order of the data.
    pub ids: Vec<String>,
    /// How many rows stand before each sample, those that were left out counted.
    rows: Vec<u64>,
    /// The problem of each sample, by its number in `problem_names`.
    problems: Vec<u32>,
    problem_names: Vec<String>,
    /// The bag of each sample.
    bag_of: Vec<u32>,
    bags: Bags,
    /// Pairs of bags, each with the smaller number first, sorted.
    pairs: Vec<[u32; 2]>,
    pub skipped: Vec<Skipped>,
}

/// Compares all samples with each other.
pub fn run(options: &DuplicatesOptions, progress: &dyn Progress) -> Result<Duplicates, DuplicatesError> {
    let threads = options.threads;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|source| DuplicatesError::Threads { threads, source })?;
    pool.install(|| {
        let mut read = read::read(options, progress)?;
        progress.stage("comparing", 0);
        let tokens = read.vocabulary.len();
        read.bags.order_by_rarity(tokens);
        drop(std::mem::take(&mut read.vocabulary));
        let left = memory::budget(options.memory).saturating_sub(read.bytes());
        let mut pairs = join::pairs(&read.bags, tokens, options.thresholds, left / (2 * size_of::<[u32; 2]>()))
            .ok_or(DuplicatesError::Pairs)?;
        pairs.sort_unstable();
        Ok(Duplicates {
            data: options.data.clone(),
            rows: read.rows,
            ids: read.ids,
            problems: read.problems,
            problem_names: read.problem_names,
            bag_of: read.bag_of,
            bags: read.bags,
            pairs,
            skipped: read.skipped,
        })
    })
}

impl Duplicates {
    /// The problem of a sample; empty where the data do not say.
    pub fn problem(&self, sample: usize) -> &str {
        &self.problem_names[self.problems[sample] as usize]
    }

    /// The samples of each bag, in their order.
    fn samples_by_bag(&self) -> Grouped {
        Grouped::of(&self.bag_of, self.bags.len())
    }

    /// The partners of each bag, ascending.
    fn partners(&self) -> Grouped {
        let both = self.pairs.iter().flat_map(|&[one, two]| [(one, two), (two, one)]);
        Grouped::of_pairs(both, self.bags.len())
    }
}

/// Numbers in groups.
struct Grouped {
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

    fn group(&self, group: u32) -> &[u32] {
        let group = group as usize;
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}
