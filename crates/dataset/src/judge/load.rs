//! Pairs with all that was said of them.

use familiar_judging::{Judgement, Ledger, MODEL};

use super::item::Item;
use super::log;
use crate::error::DatasetError;
use crate::lines;
use crate::pair::{Band, Pair};
use crate::project::{Project, file};
use crate::sample::SampledPair;

/// The pairs that people judge: those that were drawn from a result, or `pairs` of the benchmark. Of these, those that look alike are no
/// semantic clones, and nobody has to judge them.
pub(super) fn items_among(project: &Project, pairs: &[Pair]) -> Result<Vec<Item>, DatasetError> {
    let drawn: Vec<SampledPair> = lines::all(&project.path(file::SAMPLE), "sample")?;
    if !drawn.is_empty() {
        return Ok(drawn.into_iter().map(Item::of_sample).collect());
    }
    if pairs.is_empty() {
        return Err(DatasetError::Missing { what: "pairs", step: "filter" });
    }
    Ok(of_pairs(pairs))
}

/// The pairs that people judge.
pub(super) fn items(project: &Project) -> Result<Vec<Item>, DatasetError> {
    items_among(project, &pairs(project)?)
}

/// The pairs of the benchmark.
pub(super) fn pairs(project: &Project) -> Result<Vec<Pair>, DatasetError> {
    lines::all(&project.path(file::PAIRS), "filter")
}

/// Those of some pairs that people judge.
pub(super) fn of_pairs(pairs: &[Pair]) -> Vec<Item> {
    pairs.iter().filter(|pair| pair.band != Band::False).cloned().map(Item::of_pair).collect()
}

/// What was said, without what models said where they must not judge. What was said of other codes is not said of these.
pub(super) fn ledger(project: &Project, items: &[Item], rows: Vec<Judgement>) -> Ledger {
    let rules = project.settings.judge.clone();
    let models = rules.models;
    let mut ledger = Ledger::new(items.iter().map(|item| item.id.clone()).collect(), rules);
    for row in rows {
        let is_of = ledger.index(&row.pair_id).is_none_or(|at| items[at].is_judged_by(&row));
        match models || !row.judge.starts_with(MODEL) {
            true if is_of => ledger.take(row),
            true => ledger.count_stranger(),
            false => {}
        }
    }
    ledger
}

/// The pairs and the ledger as they are in the files now.
pub(super) fn both(project: &Project) -> Result<(Vec<Item>, Ledger), DatasetError> {
    let items = items(project)?;
    let ledger = ledger(project, &items, log::read(project)?);
    Ok((items, ledger))
}
