//! How robust a detector is: the search for rewritten programs that it no longer recognizes.
//!
//! The distance of a program from its original is 1 − M, where M is what the detector says of the pair: the similarity of a measure,
//! or the probability that an encoder gives (Auto-SPT, Section 3). The worst-case distance of a program is the largest
//! that the search finds.
//!
//! `detector` is what is attacked, `changes` one that looks at what changed, `pair_detector` is what a detector that is none of ours
//! has to do, and `command` makes one of any program. `result` is what comes out, and `page` shows it.

mod changes;
mod command;
mod detector;
mod options;
mod page;
mod pair_detector;
mod result;

use familiar_engine::verify::{Subject, Verified, Verifier};
use familiar_transform::{Attack, Program, search};
use rayon::prelude::*;

use crate::solutions::{Solution, Solutions};
use crate::{EvaluateError, SkippedRow, pool};
use options::Attacked;

pub use changes::ChangesDetector;
pub use command::CommandDetector;
pub use detector::{Detector, Texts};
pub use options::AttackOptions;
pub use pair_detector::{AnswerError, PairDetector, TextPair};
pub use result::{AttackResult, AttackedPair, Distance, TransformationStrength};

/// Attacks the detector with each program that `options` name. `done` is told of each program.
///
/// Where the detector fails in the middle, the result has what was done before, and says so.
pub fn run(options: &AttackOptions, done: &(dyn Fn() + Sync)) -> Result<AttackResult, EvaluateError> {
    let verifier = options.verify.as_ref().map(Verifier::new).transpose()?;
    pool(options.threads)?.install(|| {
        let mut solutions = Solutions::open(&options.solutions, &options.selection)?;
        let (mut attacked, mut skipped, mut failed) = (Vec::new(), Vec::new(), None);
        while let Some(batch) = solutions.batch()? {
            let left = if options.programs == 0 { batch.len() } else { options.programs - attacked.len() };
            let one = |solution: &Solution| {
                let found = attack(options, verifier.as_ref(), solution);
                done();
                found
            };
            let found: Vec<_> = batch.par_iter().take(left).map(one).collect();
            for (found, solution) in found.into_iter().zip(&batch) {
                match found {
                    Ok(Ok(one)) => attacked.push(one),
                    Ok(Err(reason)) => {
                        skipped.push(SkippedRow { file: "solutions", row: solution.row, reason });
                    }
                    Err(error) => failed = failed.or(Some(error)),
                }
            }
            if failed.is_some() || options.programs > 0 && attacked.len() >= options.programs {
                break;
            }
        }
        skipped.append(&mut solutions.skipped);
        skipped.sort_by_key(|it| it.row);
        match failed {
            Some(error) if attacked.is_empty() => Err(error),
            None if attacked.is_empty() => {
                let reason =
                    skipped.first().map_or("no row is selected", |row| row.reason.as_str()).to_owned();
                Err(EvaluateError::NoPrograms { path: options.solutions.clone(), reason })
            }
            failed => Ok(AttackResult::of(options, &attacked, skipped, failed.map(|it| it.to_string()))),
        }
    })
}

/// What the search finds for one program, or why it is left out.
fn attack(
    options: &AttackOptions,
    verifier: Option<&Verifier>,
    solution: &Solution,
) -> Result<Result<Attacked, String>, EvaluateError> {
    let program = match Program::parse(solution.language, &solution.text, options.memory) {
        Ok(program) => program,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let members = options.set.of(solution.language);
    let mut texts = options.detector.texts(solution.language);
    let original = texts.read(&[&solution.text])?.start;
    let attack = search(&program, &members, &options.search, &mut |some| texts.beside(original, some))?;
    let worst = texts.read(&[&attack.code])?.start;
    let cosine = texts.cosine(original, worst);
    let (alone, worst) = verified(verifier, solution, &attack);
    let (row, code, language) = (solution.row, solution.text.clone(), solution.language);
    Ok(Ok(Attacked { row, code, language, attack, cosine, alone, worst }))
}

/// How the runs ended of what each transformation makes alone, and of the worst program.
fn verified(verifier: Option<&Verifier>, solution: &Solution, attack: &Attack) -> (Vec<Verified>, Verified) {
    let Some(verifier) = verifier else {
        return (vec![Verified::NotRun; attack.alone.len()], Verified::NotRun);
    };
    let subject =
        Subject { language: solution.language, code: &solution.text, tests: solution.tests.as_deref() };
    let codes: Vec<&[u8]> =
        attack.alone.iter().map(|it| it.code.as_slice()).chain([attack.code.as_slice()]).collect();
    let mut all: Vec<Verified> =
        verifier.verify(&subject, &codes).into_iter().map(|verdict| verdict.verified).collect();
    let worst = all.pop().unwrap_or_default();
    (all, worst)
}
