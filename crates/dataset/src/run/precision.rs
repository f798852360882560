//! How many of the pairs that a detector reports are clones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use familiar_judging::exchange;
use familiar_judging::{Judgement, Verdict};
use familiar_source::time::parse;
use serde::Serialize;

use super::share::Share;
use crate::error::DatasetError;

/// How many are clones: of the pairs of the benchmark that were found, and of those that people judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Precision {
    /// Of the pairs of the benchmark that were found, those that are no false ones.
    pub pairs: Share,
    /// Of a sample of what was reported, those that judges find true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judged: Option<Share>,
    /// Pairs of the sample on which judges do not agree, or which they could not decide. They do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undecided: Option<u64>,
}

impl Precision {
    /// Counts a pair of the benchmark that was found.
    pub(super) fn add(&mut self, is_true: bool) {
        self.pairs.add(is_true);
    }

    /// Reads what judges say of the sample: CSV, or JSON lines.
    pub(super) fn read_judged(&mut self, path: &Path) -> Result<(), DatasetError> {
        let file = File::open(path).map_err(|source| DatasetError::Read { path: path.to_owned(), source })?;
        let rows = if path.extension().is_some_and(|it| it == "jsonl") {
            exchange::read_jsonl(BufReader::new(file))
        } else {
            exchange::read_csv(file)
        };
        let rows = rows.map_err(|source| DatasetError::Judgements { path: path.to_owned(), source })?;
        let (judged, undecided) = count(&rows);
        self.judged = Some(judged);
        self.undecided = Some(undecided);
        Ok(())
    }
}

/// True pairs of those on which all judges say the same, and how many others were judged. The newest row of a judge on a pair counts.
fn count(rows: &[Judgement]) -> (Share, u64) {
    let mut said: BTreeMap<&str, BTreeMap<&str, &Judgement>> = BTreeMap::new();
    for row in rows {
        let newest = said.entry(&row.pair_id).or_default().entry(&row.judge).or_insert(row);
        // Of two rows of one time, the later one.
        if parse(&row.at) >= parse(&newest.at) {
            *newest = row;
        }
    }
    let (mut judged, mut undecided) = (Share::default(), 0);
    for by_judge in said.values() {
        let verdicts: BTreeSet<Verdict> = by_judge.values().filter_map(|it| it.verdict).collect();
        match verdicts.into_iter().collect::<Vec<_>>().as_slice() {
            [] => {}
            [Verdict::True] => judged.add(true),
            [Verdict::False] => judged.add(false),
            _ => undecided += 1,
        }
    }
    (judged, undecided)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_on_which_all_agree_count() {
        let table = "pair_id,judge,verdict,at\n\
                     a,ada,true,2026-01-01\na,bob,true,2026-01-01\n\
                     b,ada,true,2026-01-01\nb,ada,false,2026-01-02\n\
                     c,ada,true,2026-01-01\nc,bob,false,2026-01-01\n\
                     d,ada,undecided,2026-01-01\n\
                     e,ada,true,2026-01-01\ne,ada,,2026-01-02\n\
                     f,ada,true,2026-01-02\nf,ada,false,2026-01-01T23:00:00Z\n";
        let rows = exchange::read_csv(table.as_bytes()).expect("it is read");
        assert_eq!(count(&rows), (Share { found: 2, all: 3 }, 2));
    }
}
