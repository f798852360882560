//! What was paired.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use serde::Serialize;

use super::options::TranslationsOptions;
use crate::benchmark::Split;
use crate::problems::ProblemDecision;
use crate::skipped::Skipped;

/// What was paired, as `manifest.json` says it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Translations {
    /// `familiar.codenet-translations/1`.
    pub schema: &'static str,
    pub from: &'static str,
    pub to: &'static str,
    pub seed: u64,
    /// Most pairs of a problem; 0 for as many as there are.
    pub of_each_problem: usize,
    /// Share of the problems that is tested on, and of the rest that is validated on.
    pub test: f64,
    pub valid: f64,
    /// What people decided about problems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<ProblemDecision>,
    /// Problems that were left out, since they are one with another.
    pub identical_problems: u64,
    /// Solutions that were left out, since they are near-duplicates of others.
    pub near_duplicates: u64,
    pub splits: BTreeMap<Split, TranslationCounts>,
    /// The content of each file, as `swh:1:cnt:` and the SHA-1 that git gives it.
    pub files: BTreeMap<String, String>,
    /// Rows that cannot be compared.
    #[serde(skip)]
    pub skipped: Vec<Skipped>,
    #[serde(skip)]
    problems: BTreeSet<String>,
}

/// How many there are in a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TranslationCounts {
    pub problems: u64,
    pub pairs: u64,
}

impl Translations {
    pub(super) fn new(options: &TranslationsOptions) -> Self {
        Self {
            schema: "familiar.codenet-translations/1",
            from: options.from.name(),
            to: options.to.name(),
            seed: options.seed,
            of_each_problem: options.of_each_problem,
            test: options.test,
            valid: options.valid,
            decisions: options.decisions.list(),
            identical_problems: 0,
            near_duplicates: 0,
            splits: Split::ALL.map(|split| (split, TranslationCounts::default())).into(),
            files: BTreeMap::new(),
            skipped: Vec::new(),
            problems: BTreeSet::new(),
        }
    }

    /// Counts a pair of a problem, which stands in no other split.
    pub(super) fn count(&mut self, split: Split, problem: &str) {
        let counts = self.splits.entry(split).or_default();
        counts.pairs += 1;
        counts.problems += u64::from(self.problems.insert(problem.to_owned()));
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "split  problems     pairs")?;
        for (split, counts) in &self.splits {
            let name = split.file().trim_end_matches(".jsonl");
            writeln!(out, "{name:<5}  {:>8}  {:>8}", counts.problems, counts.pairs)?;
        }
        writeln!(
            out,
            "\nleft out: {} identical problems, {} near-duplicates",
            self.identical_problems, self.near_duplicates
        )
    }
}
