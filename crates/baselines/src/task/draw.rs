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

/// The batches of an epoch, as numbers of programs. Those that are told whether they solve one problem are several of each problem.
pub(crate) fn epoch(settings: &Settings, programs: &[Program], epoch: usize) -> Vec<Vec<u32>> {
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    random.set_stream(1 + epoch as u64);
    let length = |number: u32| programs[number as usize].symbols.len();
    let mut batches: Vec<Vec<u32>> = match settings.task {
        Task::Similarity if settings.compares_all() => of_problems(programs, 2 * settings.batch, &mut random),
        Task::Similarity => {
            let pairs = pairs(programs, programs.len() * settings.pairs, &mut random);
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
    settings: &Settings,
    programs: &'p [Program],
    batch: &[u32],
    random: &mut ChaCha8Rng,
) -> Batch<'p> {
    let shown = batch.iter().map(|&number| &programs[number as usize]);
    let mut batch = match settings.task {
        Task::Masked => masked(shown, |program| (program.symbols.len() / MASKED).max(1), random),
        Task::Similarity if settings.compares_all() => {
            let programs: Vec<&Program> = shown.collect();
            let targets = all_pairs(&programs, random);
            Batch { programs: programs.into_iter().map(Cow::Borrowed).collect(), targets }
        }
        task => whole(task, shown.collect()),
    };
    if settings.hidden > 0.0 {
        hide(&mut batch.programs, settings.hidden, random);
    }
    batch
}

/// Hides a share of the symbols of programs, so that none is told by a few of its names alone.
fn hide(programs: &mut [Cow<'_, Program>], share: f32, random: &mut ChaCha8Rng) {
    for program in programs {
        for symbol in &mut program.to_mut().symbols {
            if random.random::<f32>() < share {
                *symbol = MASK;
            }
        }
    }
}

/// All pairs of programs of one problem, and as many of different ones as there are of these, drawn.
fn all_pairs(programs: &[&Program], random: &mut ChaCha8Rng) -> Targets {
    let count = programs.len() as u32;
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |two| [one, two]));
    let of_one = |pair: &[u32; 2]| programs[pair[0] as usize].problem == programs[pair[1] as usize].problem;
    let (mut chosen, different): (Vec<_>, Vec<_>) = pairs.partition(of_one);
    let of_one = chosen.len();
    let drawn = rand::seq::index::sample(random, different.len(), of_one.min(different.len()));
    chosen.extend(drawn.into_iter().map(|at| different[at]));
    let same = (0..chosen.len()).map(|at| f32::from(u8::from(at < of_one))).collect();
    Targets::Same { programs: chosen.into_flattened(), same }
}

/// Whole programs with their targets. Two that follow each other are a pair where pairs are learnt.
pub(crate) fn whole(task: Task, programs: Vec<&Program>) -> Batch<'_> {
    let targets = match task {
        Task::Similarity => {
            let same = |pair: &[&Program]| f32::from(u8::from(pair[0].problem == pair[1].problem));
            let numbers = (0..programs.len() as u32).collect();
            Targets::Same { programs: numbers, same: programs.chunks_exact(2).map(same).collect() }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Model, Size};

    fn programs() -> Vec<Program> {
        let program =
            |number: u32| Program { problem: number % 5, symbols: vec![7; 9], ..Program::default() };
        (0..60).map(program).collect()
    }

    #[test]
    fn all_pairs_of_one_problem_are_compared_with_as_many_others() {
        let settings = Settings::new(Model::CnnAll, Task::Similarity, Size::Small).expect("it is learnt");
        let programs = programs();
        let batches = epoch(&settings, &programs, 0);
        assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [48]);
        let shown = shown(&settings, &programs, &batches[0], &mut ChaCha8Rng::seed_from_u64(1));
        let Targets::Same { programs: pairs, same } = shown.targets else { panic!("pairs are learnt") };
        let of_one = |pair: &[u32]| {
            let problem = |at: u32| shown.programs[at as usize].problem;
            assert!(pair[0] < pair[1]);
            f32::from(u8::from(problem(pair[0]) == problem(pair[1])))
        };
        assert_eq!(pairs.chunks_exact(2).map(of_one).collect::<Vec<_>>(), same);
        // Four of the five problems are drawn, with twelve programs each.
        assert_eq!(same.iter().filter(|&&same| same > 0.5).count(), 4 * 66);
        assert_eq!(same.len(), 2 * 4 * 66);
    }

    #[test]
    fn a_bag_is_shown_pairs_in_both_orders() {
        let settings = Settings::new(Model::Bag, Task::Similarity, Size::Small).expect("it is learnt");
        let programs = programs();
        let batches = epoch(&settings, &programs, 0);
        let pairs: Vec<&[u32]> = batches.iter().flat_map(|batch| batch.chunks_exact(2)).collect();
        assert_eq!(pairs.len(), 60 * settings.pairs);
        assert!(pairs.iter().any(|pair| pair[0] < pair[1]) && pairs.iter().any(|pair| pair[0] > pair[1]));
    }
}
