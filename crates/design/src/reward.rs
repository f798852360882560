//! How good implementations are: each runs over the validation programs.

use std::collections::BTreeMap;

use familiar_engine::members::{Rewriter, RunOptions, Trouble};
use familiar_engine::verify::{Subject, Verified, Verifier};
use familiar_evaluate::Solution;
use familiar_evaluate::attack::Detector;
use familiar_source::Language;

use crate::error::DesignError;

/// Programs after which implementations are given up that cannot become the best one any more.
const ROUND: usize = 16;

/// What was seen of one implementation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// Programs over which it ran.
    pub(crate) programs: usize,
    /// Of how many it made another program.
    pub(crate) applied: usize,
    /// How many of these pass the tests.
    pub(crate) correct: usize,
    /// Sum of the distances of the correct ones.
    pub(crate) distance: f64,
    /// Why others stayed as they are.
    pub(crate) troubles: BTreeMap<Trouble, u64>,
    /// What it made of each program.
    results: Vec<Result<String, Trouble>>,
}

impl Tally {
    /// The reward, where it ran over all of `programs`.
    pub(crate) fn reward(&self, programs: usize) -> f64 {
        self.distance / programs as f64
    }
}

/// Runs implementations, and judges what they make.
pub(crate) struct Judge<'j> {
    pub(crate) verifier: &'j Verifier,
    pub(crate) detector: &'j Detector,
    pub(crate) run: RunOptions,
    pub(crate) programs: &'j [Solution],
}

impl Judge<'_> {
    /// What was seen of each of `implementations`, texts of programs, in their order. One that cannot become the best any more is given up.
    /// `done` is told how many programs were tried.
    pub(crate) fn tallies(
        &self,
        implementations: &[&str],
        done: &dyn Fn(usize),
    ) -> Result<Vec<Tally>, DesignError> {
        let rewriter = Rewriter::new(self.run)?;
        let mut tallies = vec![Tally::default(); implementations.len()];
        let mut left: Vec<usize> = (0..implementations.len()).collect();
        for round in self.programs.chunks(ROUND) {
            let texts: Vec<&str> = left.iter().map(|&at| implementations[at]).collect();
            let sources: Vec<&[u8]> = round.iter().map(|program| program.text.as_slice()).collect();
            let results = rewriter.rewritten_by_all(&texts, Language::Python, &sources);
            for (number, program) in round.iter().enumerate() {
                let of_all: Vec<_> =
                    results.iter().skip(number).step_by(round.len().max(1)).cloned().collect();
                let distances = self.distances(program, &of_all)?;
                for ((&at, result), distance) in left.iter().zip(of_all).zip(distances) {
                    tallies[at].add(result, distance);
                }
            }
            let tried = tallies[left[0]].programs;
            done(tried);
            let rest = (self.programs.len() - tried) as f64;
            let best = left.iter().map(|&at| tallies[at].distance).fold(0.0, f64::max);
            left.retain(|&at| tallies[at].distance + rest >= best);
        }
        Ok(tallies)
    }

    /// For each text that somebody made of `program`: its distance if it is right.
    fn distances(
        &self,
        program: &Solution,
        made: &[Result<String, Trouble>],
    ) -> Result<Vec<Option<f64>>, DesignError> {
        let mut texts: Vec<&str> = made.iter().filter_map(|it| it.as_deref().ok()).collect();
        texts.sort_unstable();
        texts.dedup();
        let subject =
            Subject { language: program.language, code: &program.text, tests: program.tests.as_deref() };
        let codes: Vec<&[u8]> = texts.iter().map(|text| text.as_bytes()).collect();
        let verdicts = self.verifier.verify(&subject, &codes);
        let is_right = |verified: Verified| matches!(verified, Verified::Passed | Verified::Agreed);
        let right: Vec<&str> = texts
            .iter()
            .zip(&verdicts)
            .filter(|(_, verdict)| is_right(verdict.verified))
            .map(|(text, _)| *text)
            .collect();
        let bytes: Vec<Vec<u8>> = right.iter().map(|text| text.as_bytes().to_vec()).collect();
        let mut known = self.detector.texts(program.language);
        let original = known.read(&[&program.text])?.start;
        let similarities = if bytes.is_empty() { Vec::new() } else { known.beside(original, &bytes)? };
        let distance = |result: &Result<String, Trouble>| {
            let at = right.binary_search(&result.as_deref().ok()?).ok()?;
            Some((1.0 - similarities.get(at)?).clamp(0.0, 1.0))
        };
        Ok(made.iter().map(distance).collect())
    }

    /// Whether an implementation does the same again, in new processes, of all programs of which it made another one.
    pub(crate) fn is_stable(&self, implementation: &str, tally: &Tally) -> Result<bool, DesignError> {
        let again = Rewriter::new(self.run)?;
        let sources: Vec<&[u8]> = self.programs.iter().map(|program| program.text.as_slice()).collect();
        let results = again.rewritten_by_all(&[implementation], Language::Python, &sources);
        let same = |(first, second): (&Result<String, Trouble>, &Result<String, Trouble>)| {
            first.is_err() || first == second
        };
        Ok(tally.results.iter().zip(&results).all(same))
    }
}

impl Tally {
    fn add(&mut self, result: Result<String, Trouble>, distance: Option<f64>) {
        self.programs += 1;
        match &result {
            Ok(_) => self.applied += 1,
            Err(trouble) => *self.troubles.entry(*trouble).or_default() += 1,
        }
        if let Some(distance) = distance {
            self.correct += 1;
            self.distance += distance;
        }
        self.results.push(result);
    }
}
