//! A measurement of robustness as JSON, as text and as a table of Markdown.

use std::io::{self, Write};

use familiar_source::words::counted;

use super::result::{Robustness, RobustnessResult};
use crate::attack::Distance;
use crate::skipped;

const HEADINGS: [&str; 9] = [
    "detector",
    "set",
    "robustness",
    "95 %",
    "escaped",
    "worst distance",
    "threshold",
    "not attacked",
    "attacked",
];

impl RobustnessResult {
    /// Writes it as JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes it for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.settings())?;
        writeln!(out)?;
        let rows: Vec<[String; 9]> = std::iter::once(HEADINGS.map(str::to_owned))
            .chain(self.results.iter().map(Robustness::cells))
            .collect();
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        for row in &rows {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(column, cell)| match column {
                    0 | 1 => format!("{cell:<w$}", w = width(column)),
                    _ => format!("{cell:>w$}", w = width(column)),
                })
                .collect();
            writeln!(out, "{}", cells.join("  "))?;
        }
        if let Some(failure) = &self.failure {
            writeln!(out, "\nit ended early: {failure}")?;
        }
        skipped::write(&self.skipped, out)
    }

    /// Writes it as a table of Markdown.
    pub fn write_markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}.\n", self.settings())?;
        writeln!(out, "| {} |", HEADINGS.join(" | "))?;
        writeln!(out, "|---|---|{}", "--:|".repeat(HEADINGS.len() - 2))?;
        for row in &self.results {
            writeln!(out, "| {} |", row.cells().map(|cell| cell.replace('|', "\\|")).join(" | "))?;
        }
        if let Some(failure) = &self.failure {
            writeln!(out, "\nIt ended early: {failure}.")?;
        }
        Ok(())
    }

    fn settings(&self) -> String {
        format!(
            "{}, {} of different problems, beam {}, {}, seed {}, at most {} % false positives",
            counted(self.programs, "program"),
            counted(self.pairs, "pair"),
            self.beam,
            counted(self.steps as u64, "step"),
            self.seed,
            self.false_positives * 100.0
        )
    }
}

impl Robustness {
    /// The columns of [`HEADINGS`].
    fn cells(&self) -> [String; 9] {
        let Distance { mean, sd } = self.worst_case_distance;
        let [low, high] = self.robustness_interval;
        [
            self.detector.clone(),
            self.set.clone(),
            format!("{:.3}", self.robustness),
            format!("{low:.3}–{high:.3}"),
            format!("{} of {}", self.escaped.count, self.escaped.of),
            format!("{mean:.3} ± {sd:.3}"),
            format!("{:.3}", self.threshold),
            format!("{:.3}", self.threshold_not_attacked),
            format!("{:.3}", self.threshold_attacked),
        ]
    }
}
