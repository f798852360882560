//! The result of `familiar evaluate pairs`, schema `familiar.evaluate/1`, and its text.

use std::collections::BTreeMap;
use std::io::{self, Write};

use familiar_source::words::counted;
use serde::Serialize;

use crate::{SkippedRow, skipped};

/// What scoring the pairs gave. Figures that need negatives (or positives) are null without any.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairsResult {
    pub schema: &'static str,
    pub task: &'static str,
    /// Name of the measure or encoder.
    pub measure: String,
    pub threshold: f64,
    /// Whether names were made alike first; for a measure, literals too.
    pub blind: bool,
    /// Where the negatives come from: `given`, `random`, `hard`, `tfidf`, or `none`.
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
    /// Where pairs were drawn from solutions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drawn: Option<DrawnPairs>,
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
    /// The mean of recall and of 1 less the rate of false positives: accuracy if there were as many negatives as positives.
    pub accuracy: Option<f64>,
    /// The greatest accuracy of any threshold, and the least threshold that has it.
    pub best_accuracy: Option<f64>,
    pub best_threshold: Option<f64>,
    /// For each rate of false positives, the recall at the least threshold that keeps to it.
    pub recall_at_fpr: BTreeMap<String, f64>,
}

/// How many pairs were drawn: fewer than were asked for where the rows hold no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DrawnPairs {
    pub asked: u64,
    /// The positives twice: each has its negative, if the rows hold one.
    pub pairs: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    pub threshold: f64,
    pub recall: Option<f64>,
    pub fpr: Option<f64>,
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
        let Figures { pairs, positives, negatives, .. } = self.figures;
        let blind = if self.blind { ", blind" } else { "" };
        writeln!(out, "measure {}, threshold {}{blind}", self.measure, self.threshold)?;
        writeln!(
            out,
            "{}: {}, {} ({})",
            counted(pairs, "pair"),
            counted(positives, "positive"),
            counted(negatives, "negative"),
            self.negatives_from
        )?;
        if let Some(drawn) = self.drawn.filter(|drawn| drawn.pairs + 1 < drawn.asked) {
            let DrawnPairs { asked, pairs } = drawn;
            writeln!(out, "{pairs} of {asked} pairs were drawn: the rows that are selected hold no more")?;
        }
        writeln!(out)?;
        write_headings(out)?;
        write_figures(out, "all", &self.figures)?;
        if let Some(parts) = &self.parts {
            parts.iter().try_for_each(|(name, figures)| write_figures(out, name, figures))?;
        }
        if !self.positives_by_type.is_empty() {
            self.write_types(out)?;
        }
        skipped::write(&self.skipped, out)
    }

    fn write_types(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out)?;
        write!(out, "{:<16} {:>9} {:>7}", "recall by type", "positives", "recall")?;
        for rate in self.recall_by_type_at_fpr.keys() {
            write!(out, " {:>10}", format!("@fpr {rate}"))?;
        }
        writeln!(out)?;
        for (name, positives) in &self.positives_by_type {
            let recall = self.recall_by_type.get(name).copied();
            write!(out, "{name:<16} {positives:>9} {:>7}", formatted(recall))?;
            for by_type in self.recall_by_type_at_fpr.values() {
                write!(out, " {:>10}", formatted(by_type.get(name).copied()))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn write_headings(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{:<16} {:>9} {:>9} {:>7} {:>9}", "", "positives", "negatives", "recall", "precision")?;
    write!(out, " {:>7} {:>7} {:>7} {:>8} {:>7} {:>7}", "f1", "fpr", "auc", "accuracy", "best", "at")?;
    writeln!(out, " {:>10} {:>10} {:>10}", "@fpr 0.001", "@fpr 0.01", "@fpr 0.05")
}

fn write_figures(out: &mut dyn Write, name: &str, figures: &Figures) -> io::Result<()> {
    write!(out, "{name:<16} {:>9} {:>9}", figures.positives, figures.negatives)?;
    write!(out, " {:>7} {:>9}", formatted(figures.recall), formatted(figures.precision))?;
    let rest = [figures.f1, figures.false_positive_rate, figures.auc];
    rest.iter().try_for_each(|&figure| write!(out, " {:>7}", formatted(figure)))?;
    write!(out, " {:>8}", formatted(figures.accuracy))?;
    write!(out, " {:>7} {:>7}", formatted(figures.best_accuracy), formatted(figures.best_threshold))?;
    for rate in ["0.001", "0.01", "0.05"] {
        write!(out, " {:>10}", formatted(figures.recall_at_fpr.get(rate).copied()))?;
    }
    writeln!(out)
}

/// A figure with four decimals, or a dash for none.
fn formatted(figure: Option<f64>) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.4}"))
}
