//! Near-duplicates: samples whose tokens are nearly the same.
//!
//! Two samples are near-duplicates if the Jaccard index of their token sets and that of their multisets both reach a threshold
//! (Puri et al. 2021, Section 5.2; Allamanis 2019, Section 2). The tokens are all but comments and the preprocessor's
//! directives. Every such pair is found, within and across problems.
//!
//! # Files
//!
//! `read` makes bags of a data set's samples, with a `vocabulary`. `bags` counts them, `join` finds the pairs, and
//! `found` holds both. `clusters` groups them as CodeNet does, `bag_reader` reads one sample at a time for whoever compares
//! elsewhere, and `pairs` lists them. `kept` writes the rows that stay as JSON lines, `kept_table` as Parquet.

mod bag_reader;
mod bags;
mod clusters;
mod found;
mod join;
mod kept;
mod kept_table;
mod options;
mod pairs;
mod read;
#[cfg(test)]
mod tests;
mod vocabulary;

use familiar_source::{Progress, memory};

pub use bag_reader::BagReader;
pub use bags::Overlap;
pub use clusters::{Cluster, ClusterRule, Member};
pub use found::Duplicates;
pub use join::Thresholds;
pub use kept::KeptError;
pub use kept_table::KeptTableError;
pub use options::{DuplicatesError, DuplicatesOptions, Only};
pub use pairs::Pair;

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
        let mut pairs = join::pairs(&read.bags, options.thresholds, left / (2 * size_of::<[u32; 2]>()))
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
