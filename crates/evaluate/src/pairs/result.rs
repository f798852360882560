//! The result of `familiar evaluate pairs`, schema `familiar.evaluate/1`, and its text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

/// What scoring the pairs gave. Figures that need negatives (or positives) are null without any.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairsResult {
    pub schema: &'static str,
    pub task: &'static str,
    pub measure: &'static str,
    pub threshold: f64,
    /// Whether identifiers and literals were made alike first.
    pub blind: bool,
    /// Where the negatives come from: `given`, `random`, `hard`, or `none`.
    pub negatives_from: &'static str,
    #[serde(flatten)]
    pub figures: Figures,
    /// Recall of the positives of each type at the threshold.
    pub recall_by_type: BTreeMap<String, f64>,
    /// Positives of each type.
    pub positives_by_type: BTreeMap<String, u64>,
    /// For each rate of false positives the recall of each type.
    pub recall_by_type_at_fpr: BTreeMap<String, BTreeMap<String, f64>>,
    /// Recall and rate of false positives at 101 thresholds.
    pub curve: Vec<CurvePoint>,
    /// What the figures are broken down by, and those of each part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<BTreeMap<String, Figures>>,
    /// Pairs left out since their sources disagree; they stand in `skipped` too.
    pub conflicts: u64,
    pub skipped: Vec<SkippedRow>,
}

/// The figures of a set of pairs at the threshold.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Figures {
    pub pairs: u64,
    pub positives: u64,
    pub negatives: u64,
    pub recall: Option<f64>,
    pub false_positive_rate: Option<f64>,
    pub precision: Option<f64>,
    pub f1: Option<f64>,
    pub auc: Option<f64>,
    /// For each rate of false positives, the recall at the least threshold that keeps to it.
    pub recall_at_fpr: BTreeMap<String, f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    pub threshold: f64,
    pub recall: Option<f64>,
    pub fpr: Option<f64>,
}

/// A row that took no part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedRow {
    /// Line of the file of pairs, from 1.
    pub row: u64,
    pub reason: String,
}

impl PairsResult {
    pub const SCHEMA: &'static str = "familiar.evaluate/1";

    /// Writes the result as JSON, indented, with a final line break.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes the result for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{} pairs", self.figures.pairs)
    }
}
