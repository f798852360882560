//! Which problems and samples are taken, and into which split each goes: by the seed alone. Which samples are there to draw from is
//! not asked here: of near-duplicates the first one in the data is.

use std::collections::BTreeMap;

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::manifest::{Settings, Size, Taken};
use super::options::BenchmarkError;
use super::split::{Split, SplitBy};

/// A sample that passed all filters.
pub(super) struct Candidate {
    pub(super) row: u64,
    pub(super) id: String,
    pub(super) problem: String,
    pub(super) size: Size,
}

/// Takes problems and samples by the seed.
pub(super) fn draw(candidates: Vec<Candidate>, settings: &Settings) -> Result<Vec<Taken>, BenchmarkError> {
    let hash = |text: &str| xxh3_64_with_seed(text.as_bytes(), settings.seed);
    let mut by_problem: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        by_problem.entry(candidate.problem.clone()).or_default().push(candidate);
    }
    let mut problems: Vec<_> =
        by_problem.into_iter().filter(|(_, all)| all.len() >= settings.solutions.max(1)).collect();
    if problems.len() < settings.problems || problems.is_empty() {
        let (there, asked, solutions) = (problems.len(), settings.problems, settings.solutions);
        return Err(BenchmarkError::TooFew { there, asked, solutions });
    }
    problems.sort_by_key(|(problem, _)| (hash(problem), problem.clone()));
    if settings.problems > 0 {
        problems.truncate(settings.problems);
    }
    let count = problems.len();
    let mut taken = Vec::new();
    for (number, (problem, mut samples)) in problems.into_iter().enumerate() {
        samples.sort_by_key(|it| (hash(&it.id), it.row));
        if settings.solutions > 0 {
            samples.truncate(settings.solutions);
        }
        let solutions = samples.len();
        for (at, candidate) in samples.into_iter().enumerate() {
            let split = match settings.by {
                SplitBy::Problem => Split::of(number, count, settings.test, settings.valid),
                SplitBy::Sample => Split::of(at, solutions, settings.test, settings.valid),
            };
            let Candidate { row, id, size, .. } = candidate;
            taken.push(Taken { row, id, problem: problem.clone(), split, size });
        }
    }
    taken.sort_by(|one, two| (one.split, &one.problem, one.row).cmp(&(two.split, &two.problem, two.row)));
    Ok(taken)
}
