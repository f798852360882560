//! `familiar transform --list`: the transformations, and their sites in files.

use std::cell::Cell;
use std::io::{self, Write};

use familiar_engine::transform::TransformError;
use familiar_engine::transform::sites::{self, SiteRow, SitesOptions};
use familiar_report::printable;
use familiar_transform::{Transformation, catalog};

use crate::formats::ProgramFormat;
use crate::notes::Notes;
use crate::output::Target;

/// Writes all transformations, and the sets.
pub(super) fn catalog(out: &mut dyn Write) -> io::Result<()> {
    let width = catalog::transformations().map(|it| it.name().len()).max().unwrap_or(0);
    for transformation in catalog::transformations() {
        let languages: Vec<_> = transformation.languages().iter().map(|it| it.name()).collect();
        let languages = languages.join(", ");
        writeln!(
            out,
            "{:width$}  {} ({languages})",
            transformation.name(),
            Transformation::summary(transformation)
        )?;
    }
    writeln!(out, "\nSets:")?;
    for set in catalog::SETS {
        writeln!(out, "{:width$}  {}", set.name, set.summary)?;
    }
    Ok(())
}

/// Writes the sites of transformations in some files.
pub(super) fn sites(
    options: &SitesOptions,
    target: &Target,
    format: ProgramFormat,
    notes: Notes,
) -> anyhow::Result<()> {
    target.check()?;
    let count = Cell::new(0);
    target.try_write(|out| {
        let mut write = |row: &SiteRow| write_site(row, format, out);
        match sites::run(options, &mut write, &mut |path, reason| notes.left_out(path, &reason)) {
            Err(TransformError::Write(error)) => Err(error.into()),
            sites => {
                count.set(sites?);
                Ok(())
            }
        }
    })?;
    if count.get() == 0 {
        notes.warn("no transformation has a site here");
    }
    Ok(())
}

fn write_site(row: &SiteRow, format: ProgramFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        ProgramFormat::Ndjson => {
            serde_json::to_writer(&mut *out, row)?;
            writeln!(out)
        }
        ProgramFormat::Text => {
            let SiteRow { start_line, start_column, transformation, .. } = row;
            let reason = row.reason.map_or(String::new(), |reason| format!(": stays as it is: {reason}"));
            writeln!(out, "{}:{start_line}:{start_column}: {transformation}{reason}", printable(&row.source))
        }
    }
}
