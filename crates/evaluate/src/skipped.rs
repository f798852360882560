//! Rows that took no part, and the text about them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};

use familiar_source::words::counted;
use serde::Serialize;

/// Reasons that a text names; a long tail of single rows is in the JSON result.
const REASONS: usize = 10;

/// A row that took no part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedRow {
    /// Which of the files: `pairs`, `fragments` or `solutions`.
    pub file: &'static str,
    /// Line of that file, from 1.
    pub row: u64,
    pub reason: String,
}

/// Writes how many rows were skipped for which reason, the most frequent first.
pub(crate) fn write(skipped: &[SkippedRow], out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for row in skipped {
        *reasons.entry(&row.reason).or_default() += 1;
    }
    if !reasons.is_empty() {
        writeln!(out, "\n{} left out:", counted(skipped.len() as u64, "row"))?;
    }
    let mut reasons: Vec<(&str, u64)> = reasons.into_iter().collect();
    reasons.sort_by_key(|&(reason, rows)| (Reverse(rows), reason));
    for (reason, rows) in reasons.iter().take(REASONS) {
        writeln!(out, "{rows:>9}  {reason}")?;
    }
    if reasons.len() > REASONS {
        writeln!(out, "           and {}", counted((reasons.len() - REASONS) as u64, "other reason"))?;
    }
    Ok(())
}
