//! The laboratory: evaluations, attacks and new programs.

use std::ffi::OsString;
use std::io;

use familiar_engine::Progress;
use familiar_engine::transform::TransformedRow;
use familiar_evaluate::attack::AttackResult;
use familiar_evaluate::pairs::PairsResult;
use familiar_evaluate::retrieval::RetrievalResult;
use familiar_evaluate::robustness::RobustnessResult;

use super::{CallError, parsed};
use crate::commands;
use crate::programs::Guests;

/// `familiar evaluate pairs`.
pub fn evaluate_pairs(words: &[OsString], progress: &dyn Progress) -> Result<PairsResult, CallError> {
    Ok(parsed::<commands::evaluate::pairs::Arguments>(words)?.measured(progress)?)
}

/// `familiar evaluate retrieval`.
pub fn evaluate_retrieval(words: &[OsString], progress: &dyn Progress) -> Result<RetrievalResult, CallError> {
    Ok(parsed::<commands::evaluate::retrieval::Arguments>(words)?.measured(progress)?)
}

/// `familiar evaluate robustness`. `words` may name `guests` as detectors, too.
pub fn evaluate_robustness(
    words: &[OsString],
    guests: &Guests,
    progress: &dyn Progress,
) -> Result<RobustnessResult, CallError> {
    let result = parsed::<commands::evaluate::robustness::Arguments>(words)?.measured(guests, progress)?;
    match result.failure {
        Some(failure) => Err(CallError::Failed(failure)),
        None => Ok(result),
    }
}

/// `familiar attack`. `words` may name one of `guests` as the detector, too.
pub fn attack(
    words: &[OsString],
    guests: &Guests,
    progress: &dyn Progress,
) -> Result<AttackResult, CallError> {
    let result = parsed::<commands::attack::Arguments>(words)?.attacked(guests, progress)?;
    match result.failure {
        Some(failure) => Err(CallError::Failed(failure)),
        None => Ok(result),
    }
}

/// `familiar transform`: each new program goes to `each`. Returns the programs that stay as they are, and why.
pub fn transform(
    words: &[OsString],
    progress: &dyn Progress,
    each: &mut dyn FnMut(&TransformedRow) -> io::Result<()>,
) -> Result<Vec<(String, String)>, CallError> {
    let mut left_out = Vec::new();
    progress.stage("rewriting", 0);
    let mut out = |row: &TransformedRow| {
        progress.advance(1);
        each(row)
    };
    parsed::<commands::transform::Arguments>(words)?.transformed(&mut out, &mut |path, reason| {
        progress.advance(0);
        left_out.push((path.to_owned(), reason.to_owned()));
    })?;
    Ok(left_out)
}
