//! The search for the composition of transformations that a detector recognizes least.
//!
//! Beam search as in Auto-SPT (Algorithm 1): each round applies every transformation to every program of the beam, drops what
//! was seen before, and keeps those that the detector finds least like the original. The paper tests candidates by
//! execution; here they are right by construction. Unlike the paper's, the search keeps the best program of all rounds,
//! tries equal candidates once, and leaves out steps that do nothing.

use rustc_hash::FxHashSet;

use crate::apply::{Rewritten, Step, Variant, Where, rewrite};
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
    /// A candidate has one site more that is rewritten, not all sites of a transformation.
    pub one_site: bool,
}

/// Sites of one transformation that are tried in one program, where each is tried alone.
const MOST_SITES: usize = 8;

impl Default for SearchOptions {
    fn default() -> Self {
        Self { beam: 5, steps: 10, seed: 0, below: None, one_site: false }
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
    /// Each transformation that applies to the original, with what it makes alone.
    pub alone: Vec<Alone>,
    /// Candidates that the detector judged.
    pub tried: usize,
}

/// What one transformation makes of the original by itself.
#[derive(Clone, Debug)]
pub struct Alone {
    pub name: &'static str,
    pub similarity: f64,
    pub code: Vec<u8>,
}

/// A text that the detector has judged.
#[derive(Debug)]
struct Candidate {
    /// The steps before the last one.
    before: Vec<Step>,
    made: Rewritten,
    similarity: f64,
}

/// What each transformation makes that the detector finds least alike.
fn strongest(candidates: &[Candidate]) -> Vec<Alone> {
    let mut all: Vec<Alone> = Vec::new();
    for Candidate { made, similarity, .. } in candidates {
        let alone = Alone { name: made.step.name, similarity: *similarity, code: made.bytes() };
        match all.iter_mut().find(|it| it.name == alone.name) {
            Some(known) if known.similarity <= alone.similarity => {}
            Some(known) => *known = alone,
            None => all.push(alone),
        }
    }
    all
}

/// A program from which the search goes on.
#[derive(Debug)]
struct Kept {
    program: Program,
    steps: Vec<Step>,
    similarity: f64,
}

/// How long, in bytes, a program may get that is made of `original`.
pub(crate) fn longest(original: &Program) -> usize {
    original.text().len() * MOST_GROWTH + MORE_BYTES
}

/// A detector: how like the original each of some programs is, from 0 to 1. It gets their bytes.
pub type Similarity<'s, E> = dyn FnMut(&[Vec<u8>]) -> Result<Vec<f64>, E> + 's;

/// Searches the composition of `members` that `similarity` finds least like `original`. It is given candidates and says for each how like
/// the original it is, from 0 to 1; its error ends the search. The same seed gives the same result.
pub fn search<E>(
    original: &Program,
    members: &[&dyn Transformation],
    options: &SearchOptions,
    similarity: &mut Similarity<'_, E>,
) -> Result<Attack, E> {
    let mut search = Search { original, members, options, similarity, seen: FxHashSet::default(), tried: 0 };
    search.seen.insert(original.text().to_owned());
    let mut candidates = search.expanded(&[(original, &[])], 0)?;
    let mut attack = Attack {
        code: original.bytes(),
        similarity: 1.0,
        steps: Vec::new(),
        by_step: Vec::new(),
        alone: strongest(&candidates),
        tried: 0,
    };
    for round in 1..=options.steps {
        // Nobody goes on from the last round.
        let most = if round == options.steps { 1 } else { options.beam.max(1) };
        let beam = search.selected(candidates, most);
        let ends = attack.take(&beam, options);
        attack.by_step.push(attack.similarity);
        if ends || round == options.steps || beam.is_empty() {
            break;
        }
        let from: Vec<(&Program, &[Step])> =
            beam.iter().map(|it| (&it.program, it.steps.as_slice())).collect();
        candidates = search.expanded(&from, round as u64)?;
    }
    search.minimize(&mut attack)?;
    attack.tried = search.tried;
    Ok(attack)
}

impl Attack {
    /// Takes the best of `beam` where it is better; whether the search has what it looked for. `beam` is sorted.
    fn take(&mut self, beam: &[Kept], options: &SearchOptions) -> bool {
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
    members: &'o [&'o dyn Transformation],
    options: &'o SearchOptions,
    similarity: &'o mut Similarity<'o, E>,
    /// All texts that were made.
    seen: FxHashSet<String>,
    tried: usize,
}

impl<E> Search<'_, E> {
    /// All new texts that one more transformation makes of `from`, judged.
    fn expanded(&mut self, from: &[(&Program, &[Step])], round: u64) -> Result<Vec<Candidate>, E> {
        let most = longest(self.original);
        let mut candidates = Vec::new();
        for (program, steps) in from {
            for member in self.members {
                let seed = self.options.seed.wrapping_add(round);
                let places = if self.options.one_site {
                    (0..MOST_SITES).map(Where::Nth).collect()
                } else {
                    vec![Where::All]
                };
                for place in places {
                    let Ok(made) = rewrite(program, *member, place, seed) else { break };
                    if made.text().len() <= most && self.seen.insert(made.text().to_owned()) {
                        candidates.push(Candidate { before: steps.to_vec(), made, similarity: 1.0 });
                    }
                }
            }
        }
        let texts: Vec<Vec<u8>> = candidates.iter().map(|it| it.made.bytes()).collect();
        for (candidate, similarity) in candidates.iter_mut().zip(self.judged(&texts)?) {
            candidate.similarity = similarity;
        }
        Ok(candidates)
    }

    fn judged(&mut self, texts: &[Vec<u8>]) -> Result<Vec<f64>, E> {
        self.tried += texts.len();
        (self.similarity)(texts)
    }

    /// The `most` candidates that the detector finds least like the original, as programs: the beam. A targeted search keeps all that
    /// it was looking for, and takes the smallest of them.
    fn selected(&self, mut candidates: Vec<Candidate>, most: usize) -> Vec<Kept> {
        candidates.sort_by(|a, b| {
            a.similarity.total_cmp(&b.similarity).then_with(|| a.made.text().cmp(b.made.text()))
        });
        let escaped = |it: &Candidate| self.options.below.is_some_and(|below| it.similarity < below);
        let mut beam = Vec::new();
        for candidate in candidates {
            if beam.len() >= most && !escaped(&candidate) {
                break;
            }
            // What is no program is a fault of its transformation, which the tests of the catalogue look for.
            if let Ok(Variant { program, step }) = candidate.made.parsed() {
                let steps = candidate.before.into_iter().chain([step]).collect();
                beam.push(Kept { program, steps, similarity: candidate.similarity });
            }
        }
        beam
    }

    /// Leaves out each step without which the detector finds the program no more like the original.
    fn minimize(&mut self, attack: &mut Attack) -> Result<(), E> {
        let mut at = 0;
        while at < attack.steps.len() && attack.steps.len() > 1 {
            let mut steps = attack.steps.clone();
            steps.remove(at);
            let Some(mut shorter) = self.replayed(&steps) else {
                at += 1;
                continue;
            };
            if let [similarity] = self.judged(&[shorter.program.bytes()])?[..] {
                shorter.similarity = similarity;
            }
            match Some(shorter).filter(|it| it.similarity <= attack.similarity) {
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
    fn replayed(&self, steps: &[Step]) -> Option<Kept> {
        let mut program: Option<Program> = None;
        let mut taken = Vec::new();
        for step in steps {
            let before = program.as_ref().unwrap_or(self.original);
            let member = self.members.iter().find(|it| it.name() == step.name)?;
            let made = rewrite(before, *member, step.at, step.seed).ok()?;
            let variant = made.parsed().ok()?;
            program = Some(variant.program);
            taken.push(variant.step);
        }
        Some(Kept { program: program?, steps: taken, similarity: 1.0 })
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use familiar_source::Language;

    use super::*;
    use crate::catalog;

    const CODE: &str = "def f(a):\n    total = 0\n    for x in a:\n        if x > 1:\n            total += x\n        else:\n            total -= 1\n    return total\n";

    fn searched(options: &SearchOptions, like: fn(&str) -> f64) -> Attack {
        let program =
            Program::parse(Language::Python, CODE.as_bytes(), usize::MAX).expect("a test's own code");
        let members = catalog::Set::named("orig-4").expect("a test's own code").members(Language::Python);
        let mut score = |texts: &[Vec<u8>]| {
            Ok::<_, Infallible>(texts.iter().map(|it| like(&String::from_utf8_lossy(it))).collect())
        };
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
        let flip = attack.alone.iter().find(|it| it.name == "if-else-flip").expect("it applies");
        assert_eq!(flip.similarity, 0.9);
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
