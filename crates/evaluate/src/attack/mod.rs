//! How robust a detector is: the search for rewritten programs that it no longer recognizes.
//!
//! The distance of a program from its original is 1 − M, where M is what the detector says of the pair: the similarity of a measure,
//! or the probability that an encoder gives (Auto-SPT, Section 3). The worst-case distance of a program is the largest
//! that the search finds.

mod options;
mod result;

use familiar_engine::snippet::{self, Snippet, SnippetReader};
use familiar_model::{Code, Encoder, Vectors};
use familiar_transform::{Program, search};
use rayon::prelude::*;

use crate::solutions::{Solution, Solutions};
use crate::{EvaluateError, Judge, SkippedRow, pool};
use options::Attacked;

pub use options::AttackOptions;
pub use result::{AttackResult, AttackedPair, Distance, TransformationStrength};

/// Attacks the detector with each program that `options` name.
pub fn run(options: &AttackOptions) -> Result<AttackResult, EvaluateError> {
    pool(options.threads)?.install(|| {
        let mut solutions = Solutions::open(&options.solutions, &options.selection)?;
        let (mut attacked, mut skipped) = (Vec::new(), Vec::new());
        while let Some(batch) = solutions.batch()? {
            let left = if options.programs == 0 { batch.len() } else { options.programs - attacked.len() };
            let found: Vec<_> = batch.par_iter().take(left).map(|it| attack(options, it)).collect();
            for (found, solution) in found.into_iter().zip(&batch) {
                match found? {
                    Ok(one) => attacked.push(one),
                    Err(reason) => skipped.push(SkippedRow { file: "solutions", row: solution.row, reason }),
                }
            }
            if options.programs > 0 && attacked.len() >= options.programs {
                break;
            }
        }
        skipped.append(&mut solutions.skipped);
        skipped.sort_by_key(|it| it.row);
        if attacked.is_empty() {
            let reason = skipped.first().map_or("no row is selected", |row| row.reason.as_str()).to_owned();
            return Err(EvaluateError::NoPrograms { path: options.solutions.clone(), reason });
        }
        Ok(AttackResult::of(options, &attacked, skipped))
    })
}

/// What the search finds for one program, or why it is left out.
fn attack(options: &AttackOptions, solution: &Solution) -> Result<Result<Attacked, String>, EvaluateError> {
    let program = match Program::parse(solution.language, &solution.text, options.memory) {
        Ok(program) => program,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let members = options.set.members(solution.language);
    let attack = match &options.judge {
        Judge::Measure(measure) => {
            let mut reader = SnippetReader::default();
            let mut read = |bytes: &[u8]| reader.read(solution.language, bytes);
            let original = match read(&solution.text) {
                Ok(snippet) => snippet,
                Err(error) => return Ok(Err(error.to_string())),
            };
            search(&program, &members, &options.search, &mut |programs: &[&Program]| {
                let of = |program: &&Program| {
                    let variant: Result<Snippet, _> = read(&program.bytes());
                    variant.map_or(0.0, |variant| snippet::similarity(*measure, &original, &variant))
                };
                Ok::<_, EvaluateError>(programs.iter().map(of).collect())
            })?
        }
        Judge::Encoder(encoder) => {
            search(&program, &members, &options.search, &mut |programs: &[&Program]| {
                probabilities(&**encoder, solution, programs)
            })?
        }
    };
    Ok(Ok(Attacked { row: solution.row, code: solution.text.clone(), language: solution.language, attack }))
}

/// How sure an encoder is that each program is a clone of the original.
fn probabilities(
    encoder: &dyn Encoder,
    original: &Solution,
    programs: &[&Program],
) -> Result<Vec<f64>, EvaluateError> {
    let language = original.language;
    let texts: Vec<Vec<u8>> = programs.iter().map(|it| it.bytes()).collect();
    let all = std::iter::once(&original.text).chain(&texts);
    let codes: Vec<Code<'_>> = all.map(|text| Code { language, text }).collect();
    let vectors: Vectors = encoder.encode(&codes)?;
    let calibration = encoder.calibration().of(false);
    let crowding = |row: usize| encoder.crowding(vectors.row(row), language);
    let own = crowding(0);
    let of = |row: usize| calibration.probability(vectors.cosine(0, row), [own, crowding(row)]);
    Ok((1..codes.len()).map(of).collect())
}
