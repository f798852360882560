//! The programs of a file that can be rewritten.

use std::path::Path;

use familiar_transform::Program;
use rayon::prelude::*;

use crate::solutions::{Solution, Solutions};
use crate::{EvaluateError, Selection, SkippedRow};

/// The first `most` rows that are programs (0: all), and the rows before them that are not. `memory` bounds the tree of each.
pub(crate) fn read(
    path: &Path,
    selection: &Selection,
    most: usize,
    memory: usize,
) -> Result<(Vec<Solution>, Vec<SkippedRow>), EvaluateError> {
    let most = if most == 0 { usize::MAX } else { most };
    let mut solutions = Solutions::open(path, selection)?;
    let (mut programs, mut skipped) = (Vec::new(), Vec::new());
    while let Some(batch) = solutions.batch()? {
        let parsed = |it: &Solution| Program::parse(it.language, &it.text, memory).map(|_| ());
        let read: Vec<_> = batch.par_iter().map(parsed).collect();
        for (solution, read) in batch.into_iter().zip(read) {
            match read {
                _ if programs.len() >= most => break,
                Ok(()) => programs.push(solution),
                Err(error) => {
                    let reason = error.to_string();
                    skipped.push(SkippedRow { file: "solutions", row: solution.row, reason });
                }
            }
        }
        if programs.len() >= most {
            break;
        }
    }
    skipped.append(&mut solutions.skipped);
    skipped.sort_by_key(|it| it.row);
    Ok((programs, skipped))
}

/// Why a file has none.
pub(crate) fn none(path: &Path, skipped: &[SkippedRow]) -> EvaluateError {
    let reason = skipped.first().map_or("no row is selected", |row| row.reason.as_str()).to_owned();
    EvaluateError::NoPrograms { path: path.to_owned(), reason }
}
