//! Licenses for people.

use std::io::{self, Write};

use super::counts::Counts;
use super::{LayerRow, LicensedFile, NotRead, PackageRow};
use crate::{counted, printable};

/// How many packages and skips are named.
const NAMED: usize = 20;

/// What stands in the place of a license where none is known.
const NONE: &str = "no license found";

pub(super) fn file(file: &LicensedFile, out: &mut dyn Write) -> io::Result<()> {
    let expression = file.expression.as_deref().unwrap_or(NONE);
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
    writeln!(out, "{}", if row.disagrees { "  (disagrees)" } else { "" })?;
    let text = row.text.iter().flat_map(|text| text.lines());
    text.into_iter().try_for_each(|line| writeln!(out, "        | {}", printable(line)))
}

/// What a long text begins with.
pub(super) fn head(counts: &Counts) -> String {
    let mut head = Vec::new();
    table(counts, &mut head).expect("memory takes everything");
    head.push(b'\n');
    String::from_utf8(head).expect("texts are UTF-8")
}

/// How many files have which license.
fn table(counts: &Counts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", counted(counts.files, "file"))?;
    for (expression, files) in counts.ordered() {
        let expression = expression.map_or_else(|| NONE.into(), printable);
        writeln!(out, "{files:8}  {expression}")?;
    }
    match counts.disagreeing {
        0 => Ok(()),
        1 => writeln!(out, "In 1 file, statements about the license disagree."),
        files => writeln!(out, "In {files} files, statements about the license disagree."),
    }
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
    table(counts, out)?;
    for package in packages.iter().take(NAMED) {
        let expression =
            package.expression.as_deref().unwrap_or("its metadata name no license that is known");
        let path = if package.path.is_empty() { "." } else { &package.path };
        writeln!(
            out,
            "package {} in {}: {}",
            printable(&package.purl),
            printable(path),
            printable(expression)
        )?;
    }
    more(packages.len(), "more package", out)?;
    for skip in skipped.iter().take(NAMED) {
        writeln!(out, "left out: {}: {}", printable(&skip.path), printable(&skip.reason))?;
    }
    more(skipped.len(), "more left-out file", out)
}

/// How many of some things are not named.
fn more(all: usize, noun: &str, out: &mut dyn Write) -> io::Result<()> {
    let rest = all.saturating_sub(NAMED);
    let rest = if rest == 0 { return Ok(()) } else { counted(rest as u64, noun) };
    writeln!(out, "and {rest} (--format json lists all)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_without_a_known_license_may_declare_one_all_the_same() {
        let package = PackageRow {
            purl: "pkg:npm/a".to_owned(),
            name: "a".to_owned(),
            version: None,
            path: String::new(),
            expression: None,
        };
        let mut out = Vec::new();
        end(&Counts::default(), &[package], &[], &mut out).expect("memory takes everything");
        let text = String::from_utf8(out).expect("texts are UTF-8");
        assert!(
            text.ends_with("package pkg:npm/a in .: its metadata name no license that is known\n"),
            "{text}"
        );
    }
}
