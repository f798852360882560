//! Tables for a merge request's comment or a page.

use std::io;

use familiar_source::words::counted;

use super::text::{self, Style};
use crate::plain::printable;
use crate::{ClassRow, CloneReport, FragmentRow, location};

/// Most places of a class in its row.
const PLACES: usize = 6;

pub(crate) fn write(report: &CloneReport, style: Style, out: &mut dyn io::Write) -> io::Result<()> {
    let summary = &report.summary;
    writeln!(out, "## Clones\n")?;
    let (classes, files) = (counted(summary.classes, "class"), counted(summary.files, "file"));
    writeln!(out, "{classes} in {files}{}.\n", text::duplication(report, code))?;
    for unanswered in &summary.unanswered {
        writeln!(out, "Incomplete: {}\n", code(&unanswered.words()))?;
    }
    if report.classes.is_empty() {
        return Ok(());
    }
    writeln!(out, "| # | type | lines | copies | places |\n|--:|--:|--:|--:|---|")?;
    let shown = text::shown(report, style.show);
    for (class, folded) in &shown {
        let places = places(report, class);
        writeln!(
            out,
            "| {} | {} | {} | {} | {places} |",
            class.rank,
            class.clone_type,
            class.lines,
            class.members.len()
        )?;
        if *folded > 0 {
            writeln!(out, "| | | | | {} |", text::folded_note(*folded))?;
        }
    }
    let hidden = text::hidden(report, &shown);
    if hidden > 0 {
        writeln!(out, "\n{}; `--show all` shows them.", counted(hidden as u64, "more class"))?;
    }
    Ok(())
}

fn places(report: &CloneReport, class: &ClassRow) -> String {
    let place = |fragment: &FragmentRow| {
        let name =
            if fragment.name.is_empty() { String::new() } else { format!(" {}", code(&fragment.name)) };
        let path = location::as_given(report, fragment);
        let at = format!("{path}:{}-{}", fragment.start_line, fragment.end_line);
        format!("{}{name}", code(&at))
    };
    let mut cells: Vec<String> =
        class.members.iter().take(PLACES).map(|&id| place(&report.fragments[id as usize])).collect();
    let more = class.members.len().saturating_sub(PLACES);
    if more > 0 {
        cells.push(format!("and {}", counted(more as u64, "more place")));
    }
    cells.join("<br>")
}

/// Text as code in a table's cell: fenced by more backticks than it holds in a row.
pub(crate) fn code(text: &str) -> String {
    let clean = printable(text).replace('|', "\\|");
    let longest = clean.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let space = if longest > 0 { " " } else { "" };
    format!("{fence}{space}{clean}{space}{fence}")
}
