//! A measurement with mutants as JSON, as text, and its pairs as JSON lines.

use std::io::{self, Write};

use familiar_model::{Code, changes};
use familiar_source::words::counted;
use familiar_syntax::Parser;
use serde_json::json;

use super::matched::{Made, Matched, Origin};
use super::result::MutantsResult;
use crate::skipped;

/// Before the bands.
const HEADINGS: [&str; 5] = ["detector", "AUC", "in a pair", "faults alone", "and rewritten"];

impl MutantsResult {
    /// Writes it as JSON.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }

    /// Writes it for people.
    pub fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}, {} of a clone and a mutant, set {}, at most {} apart, seed {}",
            counted(self.programs, "program"),
            counted(self.pairs, "pair"),
            self.set,
            counted(self.most_distance as u64, "token"),
            self.seed
        )?;
        if self.unmatched > 0 {
            writeln!(out, "{} gave no pair", counted(self.unmatched, "program"))?;
        }
        writeln!(out)?;
        let bands = self.bands.iter().map(|band| match band.distance {
            [first, last] if first == last => format!("{first}"),
            [first, last] => format!("{first}–{last}"),
        });
        let mut rows = vec![HEADINGS.map(str::to_owned).into_iter().chain(bands).collect()];
        let number = |it: &Option<f64>| it.map_or("-".to_owned(), |it| format!("{it:.3}"));
        for told in &self.results {
            let figures = [told.auc, told.preferred, told.auc_plain, told.auc_rewritten];
            let figures = figures.iter().chain(&told.auc_by_band).map(number);
            rows.push(std::iter::once(told.detector.clone()).chain(figures).collect());
        }
        let counts = self.bands.iter().map(|band| band.pairs.to_string());
        let kinds = [self.pairs - self.rewritten, self.rewritten].map(|count| count.to_string());
        let blank = ["pairs", "", ""].map(str::to_owned);
        rows.push(blank.into_iter().chain(kinds).chain(counts).collect::<Vec<_>>());
        write_table(&rows, out)?;
        if let Some(failure) = &self.failure {
            writeln!(out, "\nit ended early: {failure}")?;
        }
        skipped::write(&self.skipped, out)
    }

    /// Writes two rows for each pair, as `familiar evaluate pairs` reads them: the program and its clone, the program and its mutant.
    pub fn write_pairs(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut parser = Parser::default();
        for pair in self.matched() {
            write_row(&mut parser, pair, &pair.clone, 1, out)?;
            write_row(&mut parser, pair, &pair.mutant, 0, out)?;
        }
        Ok(())
    }
}

fn write_row(
    parser: &mut Parser,
    pair: &Matched,
    made: &Made,
    label: u8,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Origin { transformation, faults } = &made.origin;
    let made_by: Vec<&str> =
        transformation.iter().copied().chain(faults.iter().map(|it| it.name())).collect();
    let codes = [&pair.code, &made.code].map(|text| Code { language: pair.language, text });
    let changes = changes(parser, codes).map(|it| it.counts());
    let row = json!({
        "row": pair.row,
        "lang": pair.language.name(),
        "code1": String::from_utf8_lossy(&pair.code),
        "code2": String::from_utf8_lossy(&made.code),
        "label": label,
        "distance": pair.distance,
        "made_by": made_by,
        "changes": changes,
    });
    serde_json::to_writer(&mut *out, &row)?;
    writeln!(out)
}

/// Columns below each other, numbers on the right.
fn write_table(rows: &[Vec<String>], out: &mut dyn Write) -> io::Result<()> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows[0].len()).map(width).collect();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &w))| match column {
            0 => format!("{cell:<w$}"),
            _ => format!("{cell:>w$}"),
        });
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    Ok(())
}
