//! Which programs are looked at together.

use std::borrow::Cow;

use rand::Rng as _;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::{Batch, Targets};
use crate::input::{MASK, Program};
use crate::settings::{Settings, Task};

/// Batches that are sorted by length together, so that programs of a batch are about as long.
const SORTED: usize = 32;
/// Programs of one problem in a batch of retrieval.
const OF_PROBLEM: usize = 4;
/// One word of so many is masked in training.
const MASKED: usize = 7;

/// The batches of an epoch, as numbers of programs; two that follow each other are a pair where pairs are learnt.
pub(crate) fn epoch(settings: &Settings, programs: &[Program], epoch: usize) -> Vec<Vec<u32>> {
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    random.set_stream(1 + epoch as u64);
    let length = |number: u32| programs[number as usize].symbols.len();
    let mut batches: Vec<Vec<u32>> = match settings.task {
        Task::Similarity => {
            let mut pairs = pairs(programs, programs.len() * settings.pairs, &mut random);
            for window in pairs.chunks_mut(SORTED * settings.batch) {
                window.sort_by_key(|pair| length(pair[0]).max(length(pair[1])));
            }
            pairs.chunks(settings.batch).map(|pairs| pairs.as_flattened().to_vec()).collect()
        }
        Task::Retrieval => of_problems(programs, settings.batch, &mut random),
        Task::Classification | Task::Masked | Task::Regression => {
            let mut all: Vec<u32> = (0..programs.len() as u32).collect();
            all.shuffle(&mut random);
            for window in all.chunks_mut(SORTED * settings.batch) {
                window.sort_by_key(|&number| length(number));
            }
            all.chunks(settings.batch).map(<[u32]>::to_vec).collect()
        }
    };
    batches.shuffle(&mut random);
    batches
}

/// As many pairs of one problem as of different ones, in turn.
pub(crate) fn pairs(programs: &[Program], count: usize, random: &mut ChaCha8Rng) -> Vec<[u32; 2]> {
    let groups = groups(programs);
    let large: Vec<&Vec<u32>> = groups.iter().filter(|group| group.len() > 1).collect();
    if large.is_empty() || groups.len() < 2 {
        return Vec::new();
    }
    let mut pairs = Vec::with_capacity(count);
    while pairs.len() < count {
        if pairs.len().is_multiple_of(2) {
            let group = large[random.random_range(0..large.len())];
            let one = random.random_range(0..group.len());
            let two = (one + random.random_range(1..group.len())) % group.len();
            pairs.push([group[one], group[two]]);
        } else {
            let one = random.random_range(0..groups.len());
            let two = (one + random.random_range(1..groups.len())) % groups.len();
            let mut any = |group: usize| groups[group][random.random_range(0..groups[group].len())];
            pairs.push([any(one), any(two)]);
        }
    }
    pairs
}

/// Batches with several programs of each of their problems.
fn of_problems(programs: &[Program], size: usize, random: &mut ChaCha8Rng) -> Vec<Vec<u32>> {
    let groups: Vec<Vec<u32>> = groups(programs).into_iter().filter(|group| group.len() > 1).collect();
    let count = programs.len().div_ceil(size);
    let mut batches = Vec::with_capacity(count);
    let of_problem = OF_PROBLEM.max(size.div_ceil(groups.len().max(1)));
    for _ in 0..count {
        let mut batch = Vec::with_capacity(size);
        for group in rand::seq::index::sample(random, groups.len(), groups.len().min(size / of_problem)) {
            let group = &groups[group];
            let chosen = rand::seq::index::sample(random, group.len(), group.len().min(of_problem));
            batch.extend(chosen.into_iter().map(|at| group[at]));
        }
        batch.sort_by_key(|&number| programs[number as usize].symbols.len());
        batches.push(batch);
    }
    batches
}

/// The programs of each problem.
fn groups(programs: &[Program]) -> Vec<Vec<u32>> {
    let count = programs.iter().map(|program| program.problem as usize + 1).max().unwrap_or(0);
    let mut groups = vec![Vec::new(); count];
    for (number, program) in (0..).zip(programs) {
        groups[program.problem as usize].push(number);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// The programs of a batch as they are shown in training.
pub(crate) fn shown<'p>(
    task: Task,
    programs: &'p [Program],
    batch: &[u32],
    random: &mut ChaCha8Rng,
) -> Batch<'p> {
    if task == Task::Masked {
        let count = |program: &Program| (program.symbols.len() / MASKED).max(1);
        return masked(batch.iter().map(|&number| &programs[number as usize]), count, random);
    }
    whole(task, batch.iter().map(|&number| &programs[number as usize]).collect())
}

/// Whole programs with their targets.
pub(crate) fn whole(task: Task, programs: Vec<&Program>) -> Batch<'_> {
    let targets = match task {
        Task::Similarity => {
            let same = |pair: &[&Program]| f32::from(u8::from(pair[0].problem == pair[1].problem));
            Targets::Same(programs.chunks_exact(2).map(same).collect())
        }
        Task::Regression => Targets::Numbers(programs.iter().map(|program| program.number).collect()),
        _ => Targets::Problems(programs.iter().map(|program| program.problem).collect()),
    };
    Batch { programs: programs.into_iter().map(Cow::Borrowed).collect(), targets }
}

/// Programs of which `count` words are masked.
pub(crate) fn masked<'p>(
    programs: impl Iterator<Item = &'p Program>,
    count: impl Fn(&Program) -> usize,
    random: &mut ChaCha8Rng,
) -> Batch<'p> {
    let (mut shown, mut all_places, mut words) = (Vec::new(), Vec::new(), Vec::new());
    for program in programs {
        let mut program = program.clone();
        let length = program.symbols.len();
        let mut places: Vec<u32> = rand::seq::index::sample(random, length, count(&program).min(length))
            .into_iter()
            .map(|it| it as u32)
            .collect();
        places.sort_unstable();
        words.extend(places.iter().map(|&at| std::mem::replace(&mut program.symbols[at as usize], MASK)));
        shown.push(Cow::Owned(program));
        all_places.push(places);
    }
    Batch { programs: shown, targets: Targets::Words { places: all_places, words } }
}
