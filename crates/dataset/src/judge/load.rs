//! Pairs with all that was said of them.

use familiar_judging::{Judgement, Ledger, MODEL};

use super::log;
use crate::error::DatasetError;
use crate::lines;
use crate::pair::{Band, Pair};
use crate::project::{Project, file};

/// The pairs that people judge: those that look alike are no semantic clones, and nobody has to judge them.
pub(super) fn pairs(project: &Project) -> Result<Vec<Pair>, DatasetError> {
    let mut pairs: Vec<Pair> = lines::all(&project.path(file::PAIRS), "filter")?;
    if pairs.is_empty() {
        return Err(DatasetError::Missing { what: "pairs", step: "filter" });
    }
    pairs.retain(|pair| pair.band != Band::False);
    Ok(pairs)
}

/// What was said, without what models said where they must not judge.
pub(super) fn ledger(project: &Project, pairs: &[Pair], rows: Vec<Judgement>) -> Ledger {
    let rules = project.settings.judge.clone();
    let models = rules.models;
    let mut ledger = Ledger::new(pairs.iter().map(|pair| pair.id.clone()).collect(), rules);
    for row in rows {
        if models || !row.judge.starts_with(MODEL) {
            ledger.take(row);
        }
    }
    ledger
}

/// The pairs and the ledger as they are in the files now.
pub(super) fn both(project: &Project) -> Result<(Vec<Pair>, Ledger), DatasetError> {
    let pairs = pairs(project)?;
    let ledger = ledger(project, &pairs, log::read(project)?);
    Ok((pairs, ledger))
}
