//! A trend as a table.

use std::io;

use unicode_width::UnicodeWidthStr;

use super::model::TrendReport;
use crate::printable;

const HEADER: [&str; 7] = ["tag", "date", "files", "lines", "duplicated", "share", "classes"];
/// The columns that hold words.
const WORDS: usize = 2;

pub(super) fn write(report: &TrendReport, out: &mut dyn io::Write) -> io::Result<()> {
    let mut rows: Vec<[String; 7]> = vec![HEADER.map(str::to_owned)];
    rows.extend(report.points.iter().map(|point| {
        [
            printable(&point.tag).into_owned(),
            point.day().to_owned(),
            point.files.to_string(),
            point.lines.to_string(),
            point.duplicated_lines.to_string(),
            format!("{:.1} %", point.percent()),
            point.classes.to_string(),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: [usize; 7] = std::array::from_fn(width);
    for row in &rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let space = " ".repeat(widths[column] - cell.width());
            let gap = if column == 0 { "" } else { "  " };
            let cell =
                if column < WORDS { format!("{gap}{cell}{space}") } else { format!("{gap}{space}{cell}") };
            line.push_str(&cell);
        }
        writeln!(out, "{line}")?;
    }
    for skipped in &report.skipped {
        writeln!(out, "left out: {}: {}", printable(&skipped.tag), printable(&skipped.reason))?;
    }
    Ok(())
}
