//! How diverse a set of transformations is, as a detector sees it (Auto-SPT, Section 3.4).
//!
//! The k-step diameter of a set T for a program is the largest distance of two programs that compositions of k members of T make of it.
//! The diversity of T is its diameter divided by the mean diameter of T without one member: how much each member adds to the others.
//! The diameter of the empty set, which the paper does not define, is 1. Lemma 3.3 bounds the distance of the program from what k members
//! make of it by the product of the diversities of T₁ … T_k, where T_i adds to the one before the member that makes the diameter
//! largest.
//!
//! Diameters are searched, so they are lower bounds (`familiar_transform::Diameters`). `result` is what comes out.

mod options;
mod result;

use std::collections::BTreeMap;

use familiar_source::Language;
use familiar_transform::catalog::Set;
use familiar_transform::{Diameters, Distances, Members, Program};
use rayon::prelude::*;

use crate::attack::{Detector, Texts};
use crate::random::SplitMix;
use crate::solutions::Solution;
use crate::{EvaluateError, pool, programs};
use result::OfProgram;

pub use options::{DiversityOptions, Order};
pub use result::{BoundCheck, Diversity, DiversityResult, OfSize};

/// Measures each set on the programs that `options` name. `done` is told of each program and set.
pub fn run(options: &DiversityOptions, done: &(dyn Fn() + Sync)) -> Result<DiversityResult, EvaluateError> {
    for set in &options.sets {
        let members = set.all_members().len();
        if members > Members::MOST {
            return Err(EvaluateError::LargeSet { set: set.name, members, most: Members::MOST });
        }
    }
    pool(options.threads)?.install(|| {
        let (solutions, skipped) =
            programs::read(&options.solutions, &options.selection, options.programs, options.memory)?;
        if solutions.is_empty() {
            return Err(programs::none(&options.solutions, &skipped));
        }
        let mut sets = Vec::new();
        for &set in &options.sets {
            let one = |solution: &Solution| {
                let measured = measure(options, set, solution);
                done();
                measured
            };
            let measured: Vec<OfProgram> = solutions.par_iter().map(one).collect::<Result<_, _>>()?;
            sets.push(Diversity::of(set, &options.sizes, &measured));
        }
        Ok(DiversityResult::of(options, solutions.len(), sets, skipped))
    })
}

/// Measures a set on one program.
fn measure(options: &DiversityOptions, set: &Set, solution: &Solution) -> Result<OfProgram, EvaluateError> {
    let program = Program::parse(solution.language, &solution.text, options.memory).map_err(|error| {
        EvaluateError::NoPrograms { path: options.solutions.clone(), reason: error.to_string() }
    })?;
    let members = set.members(solution.language);
    let distances = Far::new(&options.detector, solution.language);
    let sizes = [options.steps, options.beam];
    let mut diameters = Diameters::new(&program, &members, sizes, options.seed, distances)?;
    diameters.search(Members::all(members.len()))?;
    let most = options.sizes.iter().copied().max().unwrap_or(0).min(members.len());
    let order = match options.order {
        Order::Strongest => strongest(&mut diameters, members.len(), most)?,
        Order::Random => random(members.len(), options.seed ^ solution.row),
    };
    // First everything is searched, since each search may find more for the sets of the others.
    let bound = options.steps.min(most);
    let parts: Vec<usize> =
        (1..=most).filter(|size| *size <= bound || options.sizes.contains(size)).collect();
    for &size in &parts {
        let part = first(&order, size);
        diameters.search(part)?;
        for &member in &order[..size] {
            diameters.search(part.without(member))?;
        }
    }
    let mut by_size = BTreeMap::new();
    for size in parts {
        let part = first(&order, size);
        let without = order[..size].iter().map(|&member| match part.without(member) {
            none if none == Members::default() => 1.0,
            others => diameters.of(others),
        });
        by_size.insert(size, [diameters.of(part), without.sum::<f64>() / size as f64]);
    }
    Ok(OfProgram { by_size, bound, strength: diameters.strength(), programs: diameters.programs() })
}

/// The first members of an order, as a set.
fn first(order: &[usize], size: usize) -> Members {
    order[..size].iter().fold(Members::default(), |set, &member| set.with(member))
}

/// So many members, each the one that makes the diameter of those before it largest; of equal ones the first.
fn strongest<D: Distances>(
    diameters: &mut Diameters<'_, D>,
    members: usize,
    most: usize,
) -> Result<Vec<usize>, D::Error> {
    let (mut order, mut chosen) = (Vec::new(), Members::default());
    while order.len() < most {
        let mut best: Option<(usize, f64)> = None;
        for member in (0..members).filter(|&it| !chosen.has(it)) {
            diameters.search(chosen.with(member))?;
            let diameter = diameters.of(chosen.with(member));
            if best.is_none_or(|(_, largest)| diameter > largest) {
                best = Some((member, diameter));
            }
        }
        let Some((member, _)) = best else { break };
        chosen = chosen.with(member);
        order.push(member);
    }
    Ok(order)
}

/// All members in an order by chance (Fisher and Yates).
fn random(members: usize, seed: u64) -> Vec<usize> {
    let mut random = SplitMix(seed);
    let mut order: Vec<usize> = (0..members).collect();
    for at in (1..members).rev() {
        order.swap(at, random.below(at + 1));
    }
    order
}

/// How far apart a detector finds programs.
struct Far<'d>(Texts<'d>);

impl<'d> Far<'d> {
    fn new(detector: &'d Detector, language: Language) -> Self {
        Self(detector.texts(language))
    }
}

impl Distances for Far<'_> {
    type Error = EvaluateError;

    fn read(&mut self, programs: &[Vec<u8>]) -> Result<(), EvaluateError> {
        self.0.read(programs).map(|_| ())
    }

    fn between(&self, pairs: &[[usize; 2]]) -> Result<Vec<f64>, EvaluateError> {
        Ok(self.0.similarities(pairs)?.into_iter().map(|similarity| 1.0 - similarity).collect())
    }
}
