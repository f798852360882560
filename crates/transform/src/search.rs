//! The search for the composition of transformations that a detector recognizes least.
//!
//! Beam search as in Auto-SPT (Algorithm 1): each round applies every transformation to every program of the beam, drops what
//! was seen before, and keeps those that the detector finds least like the original. The paper tests candidates by
//! execution; here they are right by construction. Unlike the paper's, the search keeps the best program of all rounds,
//! tries equal candidates once, and leaves out steps that do nothing.

use rustc_hash::FxHashSet;

use crate::apply::{Step, Where, apply};
use crate::catalog;
use crate::program::Program;
use crate::transformation::Transformation;

/// A candidate may be so many times as long as the original, and some more.
const MOST_GROWTH: usize = 12;
const MORE_BYTES: usize = 4096;

/// The settings of a search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Programs that are kept from round to round.
    pub beam: usize,
    /// Rounds.
    pub steps: usize,
    pub seed: u64,
    /// Ends the search at the first round that has a program below this similarity, and gives the one with the smallest change.
    pub below: Option<f64>,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { beam: 5, steps: 10, seed: 0, below: None }
    }
}

/// What a search found for one program.
#[derive(Debug)]
pub struct Attack {
    /// The program that the detector finds least like the original; the original where nothing applies.
    pub code: Vec<u8>,
    /// What the detector says of it, from 0 to 1.
    pub similarity: f64,
    /// The steps that made it.
    pub steps: Vec<Step>,
    /// The least similarity after each round, from the first.
    pub by_step: Vec<f64>,
    /// Each transformation that applies to the original, with the similarity of what it makes alone.
    pub alone: Vec<(&'static str, f64)>,
    /// Candidates that the detector judged.
    pub tried: usize,
}

/// A program that the detector has judged.
#[derive(Debug)]
struct Candidate {
    program: Program,
    steps: Vec<Step>,
    similarity: f64,
}

/// A detector: how like the original each of some programs is, from 0 to 1.
pub type Similarity<'s, E> = dyn FnMut(&[&Program]) -> Result<Vec<f64>, E> + 's;

/// Searches the composition of `members` that `similarity` finds least like `original`. It is given candidates and says for each how like
/// the original it is, from 0 to 1; its error ends the search. The same seed gives the same result.
pub fn search<E>(
    original: &Program,
    members: &[&'static dyn Transformation],
    options: &SearchOptions,
    similarity: &mut Similarity<'_, E>,
) -> Result<Attack, E> {
    let mut search = Search { original, members, options, similarity, seen: FxHashSet::default(), tried: 0 };
    search.seen.insert(original.text().to_owned());
    let mut beam = search.expanded(&[(original, &[])], 0)?;
    let mut attack = Attack {
        code: original.bytes(),
        similarity: 1.0,
        steps: Vec::new(),
        by_step: Vec::new(),
        alone: beam.iter().map(|it| (it.steps[0].name, it.similarity)).collect(),
        tried: 0,
    };
    for round in 1..=options.steps {
        beam.sort_by(|a, b| {
            a.similarity.total_cmp(&b.similarity).then_with(|| a.program.text().cmp(b.program.text()))
        });
        let ends = attack.take(&beam, options);
        attack.by_step.push(attack.similarity);
        if ends || round == options.steps || beam.is_empty() {
            break;
        }
        beam.truncate(options.beam.max(1));
        let from: Vec<(&Program, &[Step])> =
            beam.iter().map(|it| (&it.program, it.steps.as_slice())).collect();
        beam = search.expanded(&from, round as u64)?;
    }
    search.minimize(&mut attack)?;
    attack.tried = search.tried;
    Ok(attack)
}

impl Attack {
    /// Takes the best of `beam` where it is better; whether the search has what it looked for. `beam` is sorted.
    fn take(&mut self, beam: &[Candidate], options: &SearchOptions) -> bool {
        let escaped = beam.iter().take_while(|it| options.below.is_some_and(|below| it.similarity < below));
        let smallest = escaped.min_by_key(|it| it.program.text().len());
        let better = beam.first().filter(|it| it.similarity < self.similarity);
        if let Some(best) = smallest.or(better) {
            self.code = best.program.bytes();
            self.similarity = best.similarity;
            self.steps.clone_from(&best.steps);
        }
        smallest.is_some()
    }
}

struct Search<'o, E> {
    original: &'o Program,
    members: &'o [&'static dyn Transformation],
    options: &'o SearchOptions,
    similarity: &'o mut Similarity<'o, E>,
    /// All texts that were made.
    seen: FxHashSet<String>,
    tried: usize,
}

impl<E> Search<'_, E> {
    /// All new programs that one more transformation makes of `from`, judged.
    fn expanded(&mut self, from: &[(&Program, &[Step])], round: u64) -> Result<Vec<Candidate>, E> {
        let most = self.original.text().len() * MOST_GROWTH + MORE_BYTES;
        let mut made = Vec::new();
        for (program, steps) in from {
            for member in self.members {
                let seed = self.options.seed.wrapping_add(round);
                let Ok(variant) = apply(program, *member, Where::All, seed) else { continue };
                if variant.program.text().len() > most || !self.seen.insert(variant.program.text().to_owned())
                {
                    continue;
                }
                let steps = steps.iter().cloned().chain([variant.step]).collect();
                made.push(Candidate { program: variant.program, steps, similarity: 1.0 });
            }
        }
        self.judge(&mut made)?;
        Ok(made)
    }

    fn judge(&mut self, candidates: &mut [Candidate]) -> Result<(), E> {
        let programs: Vec<&Program> = candidates.iter().map(|it| &it.program).collect();
        let similarities = (self.similarity)(&programs)?;
        self.tried += candidates.len();
        for (candidate, similarity) in candidates.iter_mut().zip(similarities) {
            candidate.similarity = similarity;
        }
        Ok(())
    }

    /// Leaves out each step without which the detector finds the program no more like the original.
    fn minimize(&mut self, attack: &mut Attack) -> Result<(), E> {
        let mut at = 0;
        while at < attack.steps.len() && attack.steps.len() > 1 {
            let mut steps = attack.steps.clone();
            steps.remove(at);
            let mut shorter: Vec<_> = self.replayed(&steps).into_iter().collect();
            self.judge(&mut shorter)?;
            match shorter.pop().filter(|it| it.similarity <= attack.similarity) {
                Some(better) => {
                    attack.code = better.program.bytes();
                    attack.similarity = better.similarity;
                    attack.steps = better.steps;
                }
                None => at += 1,
            }
        }
        Ok(())
    }

    /// The program that the steps make of the original; `None` where one of them does not apply.
    fn replayed(&self, steps: &[Step]) -> Option<Candidate> {
        let mut program: Option<Program> = None;
        let mut taken = Vec::new();
        for step in steps {
            let before = program.as_ref().unwrap_or(self.original);
            let variant = apply(before, catalog::transformation(step.name)?, Where::All, step.seed).ok()?;
            program = Some(variant.program);
            taken.push(variant.step);
        }
        Some(Candidate { program: program?, steps: taken, similarity: 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use familiar_source::Language;

    use super::*;

    const CODE: &str = "def f(a):\n    total = 0\n    for x in a:\n        if x > 1:\n            total += x\n        else:\n            total -= 1\n    return total\n";

    fn searched(options: &SearchOptions, like: fn(&str) -> f64) -> Attack {
        let program =
            Program::parse(Language::Python, CODE.as_bytes(), usize::MAX).expect("a test's own code");
        let members = catalog::Set::named("orig-4").expect("a test's own code").members(Language::Python);
        let mut score =
            |programs: &[&Program]| Ok::<_, Infallible>(programs.iter().map(|it| like(it.text())).collect());
        let Ok(attack) = search(&program, &members, options, &mut score);
        attack
    }

    #[test]
    fn the_best_program_of_all_rounds_is_kept_without_steps_that_do_nothing() {
        // Only a loop in another form fools this detector.
        let attack =
            searched(&SearchOptions::default(), |text| if text.contains("for x") { 0.9 } else { 0.2 });
        assert_eq!(attack.similarity, 0.2);
        assert_eq!(attack.steps.len(), 1, "{:?}", attack.steps);
        assert!(attack.by_step.is_sorted_by(|a, b| a >= b));
        assert!(attack.alone.contains(&("if-else-flip", 0.9)));
        let again =
            searched(&SearchOptions::default(), |text| if text.contains("for x") { 0.9 } else { 0.2 });
        assert_eq!(attack.code, again.code);
    }

    #[test]
    fn a_targeted_search_gives_the_smallest_change_below_the_threshold() {
        let like = |text: &str| if text.contains("for x") { 0.9 } else { 0.5 - text.len() as f64 / 1e5 };
        let options = SearchOptions { below: Some(0.8), ..SearchOptions::default() };
        let attack = searched(&options, like);
        assert_eq!(attack.by_step.len(), 1);
        assert_eq!(attack.steps.len(), 1);
    }

    #[test]
    fn an_error_of_the_detector_ends_the_search() {
        let program =
            Program::parse(Language::Python, CODE.as_bytes(), usize::MAX).expect("a test's own code");
        let members = catalog::Set::named("orig-4").expect("a test's own code").members(Language::Python);
        let result = search(&program, &members, &SearchOptions::default(), &mut |_| Err("it died"));
        assert_eq!(result.expect_err("it fails"), "it died");
    }
}
