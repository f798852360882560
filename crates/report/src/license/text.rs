//! Licenses for people.

use std::io::{self, Write};

use super::writer::Counts;
use super::{LayerRow, LicensedFile, NotRead, PackageRow};
use crate::printable;

/// How many packages and skips are named.
const NAMED: usize = 20;

pub(super) fn file(file: &LicensedFile, out: &mut dyn Write) -> io::Result<()> {
    let expression = file.expression.as_deref().unwrap_or("no license known");
    writeln!(out, "{}: {}", printable(&file.path), printable(expression))?;
    file.layers.iter().try_for_each(|row| layer(file, row, out))
}

fn layer(file: &LicensedFile, row: &LayerRow, out: &mut dyn Write) -> io::Result<()> {
    let expression = row.expression.as_deref().unwrap_or("-");
    write!(out, "    {:16} {}", row.layer, printable(expression))?;
    let lines = match (row.start_line, row.end_line) {
        (Some(start), Some(end)) if start < end => format!("{start}-{end}"),
        (Some(start), _) => start.to_string(),
        _ => String::new(),
    };
    match row.path.as_deref() {
        Some(path) if path != file.path && lines.is_empty() => write!(out, "  {}", printable(path))?,
        Some(path) if path != file.path => write!(out, "  {}:{lines}", printable(path))?,
        _ if lines.is_empty() => {}
        _ => write!(out, "  line {lines}")?,
    }
    write!(out, "  {}", printable(&row.evidence))?;
    writeln!(out, "{}", if row.disagrees { "  DISAGREES" } else { "" })?;
    let text = row.text.iter().flat_map(|text| text.lines());
    text.into_iter().try_for_each(|line| writeln!(out, "        | {}", printable(line)))
}

/// What is told of all files together.
pub(super) fn end(
    counts: &Counts,
    packages: &[PackageRow],
    skipped: &[NotRead],
    out: &mut dyn Write,
) -> io::Result<()> {
    if counts.files > 0 {
        writeln!(out)?;
    }
    for (expression, files) in counts.ordered() {
        let expression = expression.map_or_else(|| "no license known".into(), printable);
        writeln!(out, "{files:6} {} {expression}", if files == 1 { "file " } else { "files" })?;
    }
    if counts.disagreeing > 0 {
        writeln!(out, "{:6} of them with layers that disagree", counts.disagreeing)?;
    }
    for package in packages.iter().take(NAMED) {
        let expression = package.expression.as_deref().unwrap_or("no license declared");
        let path = if package.path.is_empty() { "." } else { &package.path };
        writeln!(
            out,
            "package {} in {}: {}",
            printable(&package.purl),
            printable(path),
            printable(expression)
        )?;
    }
    if packages.len() > NAMED {
        writeln!(out, "and {} packages more (--format json)", packages.len() - NAMED)?;
    }
    for skip in skipped.iter().take(NAMED) {
        writeln!(out, "skipped {}: {}", printable(&skip.path), printable(&skip.reason))?;
    }
    if skipped.len() > NAMED {
        writeln!(out, "and {} skips more (--format json)", skipped.len() - NAMED)?;
    }
    Ok(())
}
