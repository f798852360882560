//! What is in a benchmark, so that it can be described, and made again.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::split::{Split, SplitBy};
use crate::duplicates::DuplicatesOptions;
use crate::problems::ProblemDecision;
use crate::skipped::Skipped;

/// What a benchmark takes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// How many problems; all that have enough solutions where 0.
    pub problems: usize,
    /// How many solutions of each; all where 0.
    pub solutions: usize,
    pub seed: u64,
    pub by: SplitBy,
    /// Share of what is split that goes into the test.
    pub test: f64,
    /// Share of the rest that is validated on.
    pub valid: f64,
    /// Fewest tokens of a sample.
    pub tokens: u64,
    /// Largest share of statements that are never reached or have no effect.
    pub dead: f64,
    /// From so many pairs of near-duplicates on, two problems are one.
    pub identical: u64,
}

impl Default for Settings {
    /// A fifth for the test, and the rest 4 : 1, as Puri et al. 2021 do.
    fn default() -> Self {
        Self {
            problems: 0,
            solutions: 0,
            seed: 0,
            by: SplitBy::Sample,
            test: 0.2,
            valid: 0.2,
            tokens: 20,
            dead: 0.2,
            identical: crate::problems::ProblemsOptions::PAIRS,
        }
    }
}

/// How many samples each filter dropped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filters {
    /// Before any filter.
    pub samples: u64,
    pub problems: u64,
    /// Samples that do not say their problem.
    #[serde(default)]
    pub without_problem: u64,
    /// Problems that are one with another.
    pub identical_problems: u64,
    /// Samples of those.
    pub of_identical_problems: u64,
    pub near_duplicates: u64,
    pub too_few_tokens: u64,
    pub without_tree: u64,
    pub without_graph: u64,
    pub dead_code: u64,
}

impl Filters {
    /// How many samples each filter dropped, and why.
    pub(super) fn counts(&self) -> [(u64, &'static str); 7] {
        [
            (self.without_problem, "say no problem"),
            (self.of_identical_problems, "are of problems that are one with another"),
            (self.near_duplicates, "are near-duplicates"),
            (self.too_few_tokens, "have too few tokens"),
            (self.without_tree, "do not parse"),
            (self.without_graph, "have no graph"),
            (self.dead_code, "have too much dead code"),
        ]
    }
}

/// What two splits have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leaks {
    /// Pairs of near-duplicates in different splits.
    pub near_duplicates: u64,
    /// Pairs of identical problems in different splits.
    pub identical_problems: u64,
}

/// How large samples are together (Table 2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    pub samples: u64,
    pub bytes: u64,
    pub lines: u64,
    pub tokens: u64,
    pub tree_nodes: u64,
    pub tree_edges: u64,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.samples += other.samples;
        self.bytes += other.bytes;
        self.lines += other.lines;
        self.tokens += other.tokens;
        self.tree_nodes += other.tree_nodes;
        self.tree_edges += other.tree_edges;
    }
}

/// A sample that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// How many rows of the data stand before it.
    pub row: u64,
    pub id: String,
    pub problem: String,
    pub split: Split,
    #[serde(skip)]
    pub size: Size,
}

/// What a benchmark is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// `familiar.codenet-benchmark/1`.
    pub schema: String,
    /// The names of the data.
    pub data: Vec<String>,
    pub settings: Settings,
    /// The thresholds of near-duplicates: sets, and multisets.
    pub near_duplicates: [f64; 2],
    /// What people decided about problems.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<ProblemDecision>,
    pub filters: Filters,
    pub leaks: Leaks,
    pub problems: u64,
    pub sizes: BTreeMap<Split, Size>,
    /// The name of each file's content, as git and Software Heritage give it.
    pub files: BTreeMap<String, String>,
    pub samples: Vec<Taken>,
    /// Rows that cannot be compared.
    #[serde(skip)]
    pub skipped: Vec<Skipped>,
}

/// Why a manifest does not make its benchmark.
#[derive(Debug, Error)]
pub enum ManifestError {
    #[error("these are not the data of the manifest: {written} of its {wanted} samples are there")]
    OtherData { written: usize, wanted: usize },
    #[error("these are not the data of the manifest: {0} has another content")]
    OtherContent(String),
    #[error("it is no manifest of a benchmark: {0}")]
    Invalid(#[from] serde_json::Error),
    #[error("its schema is {0}, and this version of Familiar reads {schema}", schema = Manifest::SCHEMA)]
    Schema(String),
}

impl Manifest {
    const SCHEMA: &str = "familiar.codenet-benchmark/1";

    pub(super) fn new(
        duplicates: &DuplicatesOptions,
        settings: &Settings,
        filters: Filters,
        leaks: Leaks,
        samples: Vec<Taken>,
    ) -> Self {
        let mut sizes: BTreeMap<Split, Size> = BTreeMap::new();
        for taken in &samples {
            *sizes.entry(taken.split).or_default() += taken.size;
        }
        let problems: std::collections::BTreeSet<_> = samples.iter().map(|taken| &taken.problem).collect();
        let name =
            |path: &std::path::PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self {
            schema: Self::SCHEMA.to_owned(),
            data: duplicates.data.iter().map(name).collect(),
            settings: settings.clone(),
            near_duplicates: [duplicates.thresholds.set, duplicates.thresholds.multiset],
            decisions: Vec::new(),
            filters,
            leaks,
            problems: problems.len() as u64,
            sizes,
            files: BTreeMap::new(),
            samples,
            skipped: Vec::new(),
        }
    }

    /// Reads a manifest.
    pub fn read(text: &[u8]) -> Result<Self, ManifestError> {
        let manifest: Self = serde_json::from_slice(text)?;
        if manifest.schema == Self::SCHEMA {
            Ok(manifest)
        } else {
            Err(ManifestError::Schema(manifest.schema))
        }
    }

    /// Fails where a file of `other` has another content.
    pub(super) fn same_files(&self, other: &Self) -> Result<(), ManifestError> {
        match self.files.iter().find(|(file, content)| other.files.get(*file) != Some(content)) {
            Some((file, _)) => Err(ManifestError::OtherContent(file.clone())),
            None => Ok(()),
        }
    }

    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        let filters = &self.filters;
        writeln!(out, "{} samples of {} problems were there", filters.samples, filters.problems)?;
        for (count, what) in filters.counts() {
            writeln!(out, "{count:>10} {what}")?;
        }
        writeln!(
            out,
            "\n{} problems\n\nsplit     samples        bytes        lines       tokens   tree nodes   tree edges",
            self.problems
        )?;
        for (split, size) in &self.sizes {
            let name = split.file().trim_end_matches(".jsonl");
            writeln!(
                out,
                "{name:<6} {:>10} {:>12} {:>12} {:>12} {:>12} {:>12}",
                size.samples, size.bytes, size.lines, size.tokens, size.tree_nodes, size.tree_edges
            )?;
        }
        writeln!(
            out,
            "\nacross splits: {} near-duplicates, {} identical problems",
            self.leaks.near_duplicates, self.leaks.identical_problems
        )
    }
}
