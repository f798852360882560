//! Does a detector tell what behaves alike from what only looks alike?
//!
//! Each program gets clones (rewritten programs that pass its test) and mutants (programs with small faults that do not). A clone and a
//! mutant are a pair if the same number of tokens separates them from their program, so that a look at the text says nothing. The
//! area under the curve is the probability that the detector finds a clone more like its program than a mutant.
//!
//! `matched` makes the pairs: `faults` are small faults, and `distance` counts tokens. `result` is what comes out, and `text` how it is
//! written.

mod distance;
mod faults;
mod matched;
mod options;
mod result;
mod text;

use familiar_engine::verify::{Verifier, VerifyOptions};
use familiar_transform::Program;
use rayon::prelude::*;

use crate::attack::Detector;
use crate::solutions::Solution;
use crate::{EvaluateError, pool, programs};
use matched::{Matched, Unmatched};

pub use faults::FaultKind;
pub use options::MutantsOptions;
pub use result::{Band, MutantsResult, Told};

/// Seconds that a clone or a mutant may run: many mutants run without end.
const SECONDS: u64 = 2;

/// Measures each detector on clones and mutants of the programs that `options` name. `done` is told of each program.
///
/// Where a detector fails in the middle, the result has what was measured before, and says so.
pub fn run(options: &MutantsOptions, done: &(dyn Fn() + Sync)) -> Result<MutantsResult, EvaluateError> {
    let verifier = Verifier::new(&VerifyOptions { apart: true, seconds: Some(SECONDS), ..options.verify })?;
    pool(options.threads)?.install(|| {
        let (programs, mut skipped) =
            programs::read(&options.solutions, &options.selection, options.programs, options.memory)?;
        if programs.is_empty() {
            return Err(programs::none(&options.solutions, &skipped));
        }
        let one = |solution: &Solution| {
            let program = Program::parse(solution.language, &solution.text, options.memory);
            let found = program.map_or(Err(Unmatched::Nothing), |program| {
                matched::pairs(options, &verifier, solution, &program)
            });
            done();
            found
        };
        let found: Vec<Result<Vec<Matched>, Unmatched>> = programs.par_iter().map(one).collect();
        let mut pairs = Vec::new();
        let mut unmatched = 0;
        for (found, solution) in found.into_iter().zip(&programs) {
            match found {
                Ok(found) => pairs.extend(found),
                Err(Unmatched::Nothing) => unmatched += 1,
                Err(Unmatched::NotRun) => skipped.push(crate::SkippedRow {
                    file: "solutions",
                    row: solution.row,
                    reason: "it fails its own test, or it has no test and no input could be made up"
                        .to_owned(),
                }),
            }
        }
        skipped.sort_by_key(|it| it.row);
        let mut result = MutantsResult::of(options, programs.len(), unmatched, pairs, skipped);
        for (asked, detector) in &options.detectors {
            match scores(detector, result.matched()) {
                Ok(scores) => result.add(asked, detector.name(), &scores),
                Err(error) if result.results.is_empty() => return Err(error),
                Err(error) => {
                    result.failure = Some(format!("{asked}: {error}"));
                    break;
                }
            }
        }
        Ok(result)
    })
}

/// How like its program the detector finds each clone, and each mutant.
fn scores(detector: &Detector, pairs: &[Matched]) -> Result<Vec<[f64; 2]>, EvaluateError> {
    let programs: Vec<&[Matched]> = pairs.chunk_by(|one, other| one.row == other.row).collect();
    let of_program = |pairs: &&[Matched]| -> Result<Vec<[f64; 2]>, EvaluateError> {
        let mut texts = detector.texts(pairs[0].language);
        let original = texts.read(&[&pairs[0].code])?.start;
        let variants: Vec<Vec<u8>> =
            pairs.iter().flat_map(|it| [it.clone.code.clone(), it.mutant.code.clone()]).collect();
        let scores = texts.beside(original, &variants)?;
        Ok(scores.as_chunks::<2>().0.to_vec())
    };
    let all: Result<Vec<_>, _> = programs.par_iter().map(of_program).collect();
    Ok(all?.into_iter().flatten().collect())
}
