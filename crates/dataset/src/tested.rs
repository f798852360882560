//! What tests say of the pairs as they are now.
//!
//! `tests.jsonl` only grows: rows of pairs that have changed or gone since stay in it. A row has a digest of what was run.

use std::collections::{BTreeMap, BTreeSet};

use familiar_source::words::hexadecimal;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::error::DatasetError;
use crate::lines;
use crate::pair::Pair;
use crate::project::{Project, file};
use crate::seed::Seed;

/// Verdicts of tests.
#[derive(Default)]
pub(crate) struct Verdicts {
    /// By what was run: the place of the newest row, and what it says.
    by_key: BTreeMap<String, (usize, String)>,
    /// The seeds by which inputs were made.
    seeds: BTreeSet<u64>,
    samples: BTreeMap<String, String>,
}

/// What counts here of a row of `tests.jsonl`.
#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    key: String,
    #[serde(default)]
    seed: u64,
    report: ReportRow,
}

#[derive(Deserialize)]
struct ReportRow {
    verdict: String,
}

impl Verdicts {
    pub(crate) fn of(project: &Project) -> Result<Self, DatasetError> {
        let mut verdicts = Self::default();
        let mut place = 0;
        lines::read(&project.path(file::TESTS), "test", &mut |row: Row| {
            place += 1;
            verdicts.seeds.insert(row.seed);
            verdicts.by_key.insert(row.key, (place, row.report.verdict));
            Ok(())
        })?;
        if !verdicts.by_key.is_empty() {
            verdicts.samples = samples(project)?;
        }
        Ok(verdicts)
    }

    /// What the tests say of a pair, if it was run as it is now; of several runs the newest.
    pub(crate) fn verdict(&self, pair: &Pair) -> Option<&str> {
        let samples = self.samples.get(&pair.seed_id);
        let rows = self.seeds.iter().filter_map(|&seed| self.by_key.get(&key(pair, samples, seed)));
        rows.max_by_key(|(place, _)| *place).map(|(_, verdict)| verdict.as_str())
    }
}

/// A digest of what is run: both sides, the calls that the seed's own tests make, and the seed by which inputs are made.
pub(crate) fn key(pair: &Pair, samples: Option<&String>, seed: u64) -> String {
    let mut hash = Sha256::new();
    for part in
        [&pair.id, &pair.lang1, &pair.lang2, &pair.code1, &pair.code2, samples.unwrap_or(&String::new())]
    {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.update(seed.to_le_bytes());
    hexadecimal(&hash.finalize()[..16])
}

/// The tests that come with seeds.
pub(crate) fn samples(project: &Project) -> Result<BTreeMap<String, String>, DatasetError> {
    let mut samples = BTreeMap::new();
    lines::read(&project.path(file::SEEDS), "seeds", &mut |seed: Seed| {
        if let Some(test) = seed.test {
            samples.insert(seed.seed_id, test);
        }
        Ok(())
    })?;
    Ok(samples)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::split::tests::pair;

    #[test]
    fn rows_of_pairs_that_changed_or_went_do_not_count() {
        let folder = tempfile::tempdir().expect("a folder");
        let project = Project::create(&folder.path().join("b")).expect("a benchmark");
        let pairs = ["a", "b"].map(|id| pair(id, "s", "def f(x): return x", "def g(x): return x"));
        let changed = pair("b", "s", "def f(x): return x", "def g(x): return -x");
        let gone = pair("c", "s", "def f(x): return x", "def g(x): return x");
        let row = |of: &Pair, seed: u64, verdict: &str| json!({"id": of.id, "key": key(of, None, seed), "seed": seed, "report": {"verdict": verdict}});
        let rows = [row(&pairs[0], 3, "agrees"), row(&changed, 0, "differs"), row(&gone, 0, "agrees")];
        lines::write(&project.path(file::TESTS), &rows).expect("tests");
        lines::write(&project.path(file::PAIRS), &pairs).expect("pairs");
        let verdicts = Verdicts::of(&project).expect("they are read");
        assert_eq!(pairs.each_ref().map(|pair| verdicts.verdict(pair)), [Some("agrees"), None]);
        let status = crate::status::status(&project).expect("a status");
        assert_eq!(status.tested, [("agrees".to_owned(), 1)].into());
    }
}
