//! One number for a detector and a set of transformations: how many programs it still recognizes, whatever the set makes of them.
//!
//! A detector that calls everything a clone is not robust. So its threshold is the smallest one at which few pairs of different problems
//! are called clones, whether or not one side of a pair was rewritten. Robustness is the share of programs whose worst rewriting
//! reaches this threshold.
//!
//! `non_clones` draws the pairs of different problems, `threshold` finds the threshold. `result` is what comes out, and `text` how it is
//! written.

mod non_clones;
mod options;
mod result;
mod text;
mod threshold;

use familiar_engine::members::Members;
use familiar_transform::{Attack, Program, search};
use rayon::prelude::*;

use crate::attack::Detector;
use crate::solutions::Solution;
use crate::{EvaluateError, pool, programs};

pub use options::RobustnessOptions;
pub use result::{Robustness, RobustnessResult, Share};

/// Measures each detector against each set, on the programs that `options` name. `done` is told of each search.
///
/// Where a detector fails in the middle, the result has what was measured before, and says so.
pub fn run(options: &RobustnessOptions, done: &(dyn Fn() + Sync)) -> Result<RobustnessResult, EvaluateError> {
    if !(0.0..1.0).contains(&options.false_positives) {
        return Err(EvaluateError::FalsePositives(options.false_positives));
    }
    pool(options.threads)?.install(|| {
        let (programs, skipped) =
            programs::read(&options.solutions, &options.selection, options.programs, options.memory)?;
        let pairs = non_clones::draw(&programs, options.pairs, options.search.seed);
        if pairs.is_empty() {
            let reason =
                skipped.first().map_or("all are of one problem", |row| row.reason.as_str()).to_owned();
            return Err(EvaluateError::NoNonClones { path: options.solutions.clone(), reason });
        }
        let measuring = Measuring { options, programs: &programs, pairs: &pairs, done };
        let mut result = RobustnessResult::of(options, programs.len(), pairs.len(), skipped);
        for named in &options.detectors {
            match measuring.detector(named, &mut result.results) {
                Ok(()) => {}
                Err(error) if result.results.is_empty() => return Err(error),
                Err(error) => {
                    result.failure = Some(format!("{}: {error}", named.0));
                    break;
                }
            }
        }
        Ok(result)
    })
}

/// What does not change from detector to detector.
struct Measuring<'m> {
    options: &'m RobustnessOptions,
    programs: &'m [Solution],
    /// Pairs of different problems, by the numbers of their programs.
    pairs: &'m [[usize; 2]],
    done: &'m (dyn Fn() + Sync),
}

impl Measuring<'_> {
    /// Measures a detector against each set.
    fn detector(
        &self,
        named: &(String, Detector),
        results: &mut Vec<Robustness>,
    ) -> Result<(), EvaluateError> {
        let (_, detector) = named;
        let originals: Vec<&[u8]> = self.programs.iter().map(|it| it.text.as_slice()).collect();
        let plain = self.scores(detector, &originals, self.pairs)?;
        // A rewritten program is compared with all that the pairs compare it with, whichever side it is.
        let both: Vec<[usize; 2]> =
            self.pairs.iter().flat_map(|&[left, right]| [[left, right], [right, left]]).collect();
        for set in &self.options.sets {
            let attacks = self.attacks(detector, set)?;
            let worst: Vec<&[u8]> = attacks.iter().map(|it| it.code.as_slice()).collect();
            let attacked = self.scores(detector, &worst, &both)?;
            results.push(Robustness::of(self.options, named, set, &attacks, &plain, &attacked));
        }
        Ok(())
    }

    /// The worst rewriting of each program.
    fn attacks(&self, detector: &Detector, set: &Members) -> Result<Vec<Attack>, EvaluateError> {
        let one = |solution: &Solution| {
            let bad = |error: familiar_transform::ProgramError| EvaluateError::NoPrograms {
                path: self.options.solutions.clone(),
                reason: error.to_string(),
            };
            let program =
                Program::parse(solution.language, &solution.text, self.options.memory).map_err(bad)?;
            let mut texts = detector.texts(solution.language);
            let original = texts.read(&[&solution.text])?.start;
            let members = set.of(solution.language);
            let attack =
                search(&program, &members, &self.options.search, &mut |some| texts.beside(original, some));
            (self.done)();
            attack
        };
        self.programs.par_iter().map(one).collect()
    }

    /// How alike the detector finds the program `left` and the text `right` of `others`, for each of `pairs`. `others` has a text for
    /// each program.
    fn scores(
        &self,
        detector: &Detector,
        others: &[&[u8]],
        pairs: &[[usize; 2]],
    ) -> Result<Vec<f64>, EvaluateError> {
        let mut scores = vec![0.0; pairs.len()];
        let mut languages: Vec<_> = self.programs.iter().map(|it| it.language).collect();
        languages.sort_unstable();
        languages.dedup();
        for language in languages {
            let of_language: Vec<usize> =
                (0..self.programs.len()).filter(|&at| self.programs[at].language == language).collect();
            let mut texts = detector.texts(language);
            let mut numbers = vec![[0; 2]; self.programs.len()];
            let originals: Vec<&[u8]> =
                of_language.iter().map(|&at| self.programs[at].text.as_slice()).collect();
            let variants: Vec<&[u8]> = of_language.iter().map(|&at| others[at]).collect();
            let (originals, variants) = (texts.read(&originals)?, texts.read(&variants)?);
            for ((&at, original), variant) in of_language.iter().zip(originals).zip(variants) {
                numbers[at] = [original, variant];
            }
            let asked: Vec<usize> =
                (0..pairs.len()).filter(|&at| self.programs[pairs[at][0]].language == language).collect();
            let sides: Vec<[usize; 2]> =
                asked.iter().map(|&at| [numbers[pairs[at][0]][0], numbers[pairs[at][1]][1]]).collect();
            for (at, score) in asked.into_iter().zip(texts.similarities(&sides)?) {
                scores[at] = score;
            }
        }
        Ok(scores)
    }
}
