//! Accepted findings: classes that an earlier result holds stay quiet, wherever their code has moved since.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use familiar_report::{ClassRow, pair_fingerprint};
use familiar_search::classes::Class;

use crate::resolve::Text;

/// Why a baseline could not be read.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    #[error("cannot read the baseline {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error(
        "{} is no familiar.clones/1 result: {source}; write one with --format json --output {}",
        path.display(), path.display()
    )]
    Parse { path: PathBuf, source: serde_json::Error },
}

/// The findings of an earlier result, by fingerprint.
#[derive(Clone, Debug, Default)]
pub struct Baseline {
    classes: HashMap<String, u32>,
    pairs: HashMap<String, u32>,
}

#[derive(serde::Deserialize)]
struct Document {
    pairs: Vec<Finding>,
    classes: Vec<Finding>,
}

#[derive(serde::Deserialize)]
struct Finding {
    fingerprint: String,
}

impl Baseline {
    /// Reads a `familiar.clones/1` document.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let bytes =
            std::fs::read(path).map_err(|source| BaselineError::Read { path: path.to_owned(), source })?;
        let document: Document = serde_json::from_slice(&bytes)
            .map_err(|source| BaselineError::Parse { path: path.to_owned(), source })?;
        Ok(Self { classes: counted(document.classes), pairs: counted(document.pairs) })
    }

    /// Whether the baseline holds the class: the same members, or, where members have gone, all the pairs that are
    /// left. A further copy makes a class that is not accepted. Each finding of the baseline accepts one of the result.
    pub(crate) fn accepts(&mut self, class: &str, rays: &[String]) -> bool {
        if take(&mut self.classes, class) {
            for ray in rays {
                take(&mut self.pairs, ray);
            }
            return true;
        }
        let mut rest = self.pairs.clone();
        let all = rays.iter().all(|ray| take(&mut rest, ray));
        if all {
            self.pairs = rest;
        }
        all
    }
}

fn counted(findings: Vec<Finding>) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for finding in findings {
        *counts.entry(finding.fingerprint).or_default() += 1;
    }
    counts
}

/// Takes one of what is counted under `fingerprint`.
fn take(counts: &mut HashMap<String, u32>, fingerprint: &str) -> bool {
    match counts.get_mut(fingerprint) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    }
}

/// What a baseline accepts of a result.
pub(crate) struct Accepted {
    pub(crate) classes: u64,
    /// For each item whether it is a member of an accepted class.
    pub(crate) items: Vec<bool>,
}

/// Takes the accepted ones out of `classes`, and the rows that stand for them out of `rows`.
pub(crate) fn leave_out_accepted(
    mut baseline: Baseline,
    texts: &[Text],
    classes: &mut Vec<Class>,
    rows: &mut Vec<ClassRow>,
) -> Accepted {
    let fingerprint =
        |left: u32, right: u32| pair_fingerprint(texts[left as usize].form, texts[right as usize].form);
    let mut accepted = Accepted { classes: 0, items: vec![false; texts.len()] };
    let mut keep = |row: &ClassRow| {
        let others = &row.members[1..];
        let rays: Vec<String> =
            others.iter().map(|&member| fingerprint(row.representative, member)).collect();
        let accepts = baseline.accepts(&row.fingerprint, &rays);
        if accepts {
            accepted.classes += 1;
            row.members.iter().for_each(|&member| accepted.items[member as usize] = true);
        }
        !accepts
    };
    let kept: Vec<bool> = rows.iter().map(&mut keep).collect();
    let mut keep = kept.iter();
    classes.retain(|_| *keep.next().expect("as many as rows"));
    let mut keep = kept.iter();
    rows.retain(|_| *keep.next().expect("as many as rows"));
    accepted
}
