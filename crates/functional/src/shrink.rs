//! Smaller inputs that show the same.

use crate::inputs::smaller;
use crate::report::{Difference, Where};
use crate::stage::{Both, Stage};
use crate::value::Value;
use crate::verdict::Judge;
use familiar_sandbox::SandboxError;
use familiar_source::Language;

/// Rounds of looking for a smaller input.
const SHRINKS: usize = 5;
/// Inputs of each such round.
const SMALLER: usize = 24;

impl Stage<'_> {
    /// A smaller input that shows the same kind of difference; the side that gives something else for it in a run of its own, if
    /// there is one. In C and C++, an input at an edge stays as it is: with a smaller one a number might become too large.
    pub(crate) fn shrunk(
        &mut self,
        judge: &Judge,
        both: &Both,
        (place, kind): (usize, Where),
        at_edge: bool,
    ) -> Result<Result<Difference, usize>, SandboxError> {
        let mut row = both.rows[place].clone();
        let mut seen = [both.runs[0].seen[place].clone(), both.runs[1].seen[place].clone()];
        let stays = at_edge && judge.languages.iter().all(|it| matches!(it, Language::C | Language::Cpp));
        for _ in 0..if stays { 0 } else { SHRINKS } {
            let mut rows: Vec<Vec<Value>> = Vec::new();
            for (slot, value) in row.iter().enumerate() {
                for less in smaller(value) {
                    let mut next = row.clone();
                    next[slot] = less;
                    rows.push(next);
                }
            }
            rows.sort_by_key(|row| size(row));
            rows.truncate(SMALLER);
            if rows.is_empty() {
                break;
            }
            let Ok(next) = self.both(rows)? else { break };
            let judged = judge.all(&next.rows, &next.runs[0].seen, &next.runs[1].seen);
            let same = judged.differing.iter().filter(|(_, other)| *other == kind);
            let Some((place, _)) = same.min_by_key(|(place, _)| size(&next.rows[*place])) else { break };
            row.clone_from(&next.rows[*place]);
            seen = [next.runs[0].seen[*place].clone(), next.runs[1].seen[*place].clone()];
        }
        if let Ok(again) = self.both(vec![row.clone()])? {
            let other = |side: &usize| again.runs[*side].seen.first() != Some(&seen[*side]);
            if let Some(side) = [0, 1].into_iter().find(other) {
                return Ok(Err(side));
            }
        }
        Ok(Ok(judge.difference(&row, &seen, kind)))
    }
}

/// How much there is to read in a row.
pub(crate) fn size(row: &[Value]) -> usize {
    row.iter().map(Value::size).sum()
}
