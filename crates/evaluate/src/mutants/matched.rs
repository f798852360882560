//! Clones and mutants of one program, matched by how far they are from it.

use std::collections::BTreeMap;

use familiar_engine::verify::{Subject, Verified, Verifier};
use familiar_source::Language;
use familiar_syntax::Parser;
use familiar_transform::{Program, Where, apply};
use rustc_hash::FxHashSet;

use super::distance;
use super::faults::{self, Fault, FaultKind};
use super::options::MutantsOptions;
use crate::random::SplitMix;
use crate::solutions::Solution;

/// Sites at which a transformation is tried alone, in one program.
const SITES: usize = 3;
/// Clones and mutants that are made for each that is wanted: some fail, or have nothing beside them.
const SPARE: usize = 3;
/// How often faults are drawn for each mutant that is wanted.
const TRIES: usize = 8;
/// Most faults of a mutant that is rewritten, too.
const FAULTS: usize = 3;

/// A clone and a mutant of one program, as many tokens away from it.
#[derive(Clone, Debug)]
pub(super) struct Matched {
    pub(super) row: u64,
    pub(super) language: Language,
    pub(super) code: Vec<u8>,
    pub(super) distance: usize,
    pub(super) clone: Made,
    pub(super) mutant: Made,
}

/// A text, and what made it.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) code: Vec<u8>,
    pub(super) origin: Origin,
}

/// What made a clone or a mutant: a transformation, faults, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) transformation: Option<&'static str>,
    /// Each kind once.
    pub(super) faults: Vec<FaultKind>,
}

impl Origin {
    pub(super) fn is_rewritten(&self) -> bool {
        self.transformation.is_some()
    }
}

/// Why a program gives no pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unmatched {
    /// Its own test fails, or nothing could be run.
    NotRun,
    /// No clone and no mutant are equally far from it.
    Nothing,
}

/// The pairs of one program: all its clones do what it does, and all its mutants do not, as runs show.
pub(super) fn pairs(
    options: &MutantsOptions,
    verifier: &Verifier,
    solution: &Solution,
    program: &Program,
) -> Result<Vec<Matched>, Unmatched> {
    let mut random = SplitMix(options.seed ^ solution.row.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut parser = Parser::default();
    let mut making = Making { options, solution, parser: &mut parser, random: &mut random };
    let clones = making.clones(program);
    let mutants = making.mutants(&clones);
    let subject =
        Subject { language: solution.language, code: &solution.text, tests: solution.tests.as_deref() };
    let all: Vec<&[u8]> = clones.iter().chain(&mutants).map(|(_, made)| made.code.as_slice()).collect();
    if all.is_empty() {
        return Err(Unmatched::Nothing);
    }
    let verdicts = verifier.verify(&subject, &all);
    if verdicts.iter().all(|it| matches!(it.verified, Verified::NotRun | Verified::NoTests)) {
        return Err(Unmatched::NotRun);
    }
    let (of_clones, of_mutants) = verdicts.split_at(clones.len());
    let right = |it: Verified| matches!(it, Verified::Passed | Verified::Agreed);
    let clones = clones.into_iter().zip(of_clones).filter(|(_, it)| right(it.verified)).map(|it| it.0);
    let failed = |it: Verified| it == Verified::Failed;
    let mutants = mutants.into_iter().zip(of_mutants).filter(|(_, it)| failed(it.verified)).map(|it| it.0);
    let mut pools: BTreeMap<(usize, bool), Vec<Made>> = BTreeMap::new();
    for (distance, made) in mutants {
        pools.entry((distance, made.origin.is_rewritten())).or_default().push(made);
    }
    let mut take = |distance: usize, rewritten: bool| pools.get_mut(&(distance, rewritten))?.pop();
    let mut rewritten = solution.row.is_multiple_of(2);
    let pair = |(distance, clone): (usize, Made)| {
        // Half of the mutants are rewritten, too, as far as there are any.
        let mutant = take(distance, rewritten).or_else(|| take(distance, !rewritten))?;
        rewritten = !mutant.origin.is_rewritten();
        let (row, language, code) = (solution.row, solution.language, solution.text.clone());
        Some(Matched { row, language, code, distance, clone, mutant })
    };
    let pairs: Vec<Matched> = clones.filter_map(pair).take(options.pairs).collect();
    if pairs.is_empty() { Err(Unmatched::Nothing) } else { Ok(pairs) }
}

/// Makes variants of one program.
struct Making<'m> {
    options: &'m MutantsOptions,
    solution: &'m Solution,
    parser: &'m mut Parser,
    random: &'m mut SplitMix,
}

impl Making<'_> {
    /// Different rewritings, in an order by chance, each with its distance. None is equal to the program token by token.
    fn clones(&mut self, program: &Program) -> Vec<(usize, Made)> {
        let Solution { language, text, .. } = self.solution;
        let original = distance::tokens(self.parser, *language, text);
        let mut seen: FxHashSet<Vec<u64>> = std::iter::once(original.clone()).collect();
        let mut clones = Vec::new();
        for transformation in self.options.set.members(*language) {
            for place in (0..SITES).map(Where::Nth).chain([Where::All]) {
                let Ok(variant) = apply(program, transformation, place, self.options.seed) else { continue };
                let code = variant.program.bytes();
                let tokens = distance::tokens(self.parser, *language, &code);
                let far = distance::within(&original, &tokens, self.options.most_distance);
                if let Some(far) = far.filter(|_| seen.insert(tokens)) {
                    let origin = Origin { transformation: Some(transformation.name()), faults: Vec::new() };
                    clones.push((far, Made { code, origin }));
                }
            }
        }
        for at in (1..clones.len()).rev() {
            clones.swap(at, self.random.below(at + 1));
        }
        clones.truncate(self.options.pairs.saturating_mul(SPARE));
        clones
    }

    /// Different mutants: for each clone a few that are as far away, of the program itself and of its clones.
    fn mutants(&mut self, clones: &[(usize, Made)]) -> Vec<(usize, Made)> {
        let text = &self.solution.text;
        let original = distance::tokens(self.parser, self.solution.language, text);
        let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut mutants = Vec::new();
        for &(far, _) in clones {
            let of_program = self.mutant((text, None), [far, far], &original);
            let near = |it: &&(usize, Made)| (1..=FAULTS).contains(&far.wrapping_sub(it.0));
            let near: Vec<_> = clones.iter().filter(near).collect();
            let of_clone = near.get(self.random.below(near.len())).and_then(|(base, clone)| {
                self.mutant((&clone.code, clone.origin.transformation), [far - base, far], &original)
            });
            let new = [of_program, of_clone].into_iter().flatten();
            mutants.extend(new.filter(|made| seen.insert(made.code.clone())).map(|made| (far, made)));
        }
        mutants
    }

    /// A text, which a transformation may have made, with `count` faults, if it is `far` from the original then.
    fn mutant(
        &mut self,
        (text, transformation): (&[u8], Option<&'static str>),
        [count, far]: [usize; 2],
        original: &[u64],
    ) -> Option<Made> {
        let language = self.solution.language;
        (0..TRIES).find_map(|_| {
            let places = faults::places(self.parser, language, text, self.random);
            if places.len() < count {
                return None;
            }
            let drawn = self.draw(&places, count);
            let code = faults::with(text, &drawn);
            let tokens = distance::tokens(self.parser, language, &code);
            if distance::within(original, &tokens, far) != Some(far) {
                return None;
            }
            let mut faults: Vec<_> = drawn.iter().map(|it| it.kind).collect();
            faults.sort_unstable();
            faults.dedup();
            Some(Made { code, origin: Origin { transformation, faults } })
        })
    }

    /// So many different ones of `places`.
    fn draw<'f>(&mut self, places: &'f [Fault], count: usize) -> Vec<&'f Fault> {
        let mut all: Vec<&Fault> = places.iter().collect();
        for at in 0..count {
            let other = at + self.random.below(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(count);
        all
    }
}
