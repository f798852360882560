//! At most so many programs of each problem, to see how a model does with fewer (Puri et al. 2021, Figure 9).
//!
//! The first in an order that the seed decides: whoever takes more takes the same ones and others.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use familiar_codenet::data::Data;
use familiar_source::memory;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::BaselineError;

/// Rows by their numbers, from 0.
pub(crate) type Rows = HashSet<u64, FxBuildHasher>;

/// The rows of at most `most` programs of each problem.
pub(crate) fn rows(path: &Path, most: usize, seed: u64, memory: usize) -> Result<Rows, BaselineError> {
    let mut data = Data::open(path, false)?;
    let mut problems: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    let mut first = 0;
    loop {
        let rows = data.batch(memory::batch_budget(memory))?;
        if rows.is_empty() {
            break;
        }
        let next = first + rows.len() as u64;
        let numbered: Vec<_> = rows.into_iter().zip(first..).collect();
        let read: Vec<_> = numbered
            .into_par_iter()
            .filter_map(|(row, number)| {
                let sample = row.sample().ok()?;
                let rank = xxh3_64_with_seed(format!("{} {number}", sample.id).as_bytes(), seed);
                Some((sample.problem, (rank, number)))
            })
            .collect();
        for (problem, program) in read {
            problems.entry(problem).or_default().push(program);
        }
        first = next;
    }
    let mut chosen = Rows::default();
    for mut programs in problems.into_values() {
        programs.sort_unstable();
        chosen.extend(programs.into_iter().take(most).map(|(_, number)| number));
    }
    Ok(chosen)
}
